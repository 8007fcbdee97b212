import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { doesOf, recordOf } from '@tenant-payments/engine/job_facts.ts';
import { epochMs, type Instant } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { deliveryKinds } from '@tenant-payments/service/webhooks/dispatch/kinds.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import { mostCounted, type OldestJob, type Operations } from '../../contract/operate/operations.ts';

/** The question: of one Tenant, or of all for null, at this real time. */
export interface Asked {
  readonly db: ReadContext['db'];
  readonly tenantId: string | null;
  readonly realMs: number;
  readonly now: Instant;
}

type Jobs = Operations['jobs'];
type Queue = Jobs['queues'][number];
type Oldest = Static<typeof OldestJob>;

interface QueueRow {
  readonly name: string;
  readonly waiting: number;
  readonly overdue: number;
  readonly failing: number;
  readonly first_wake: Instant;
  readonly tenant_id: string;
  readonly tenant_name: string;
  readonly ref: string;
  readonly due_at: Instant;
  readonly wake_at: Instant;
}

/** A job that failed is put off: it wakes after it fell due. Both are times of the database. */
const slackMs = 100;

const ofTenant = ({ tenantId }: Asked) =>
  sql`(${tenantId}::uuid is null or tenant_id = ${tenantId})`;

const secondsSince = ({ realMs }: Asked, at: Instant | undefined | null): number =>
  at ? Math.max(0, realMs - epochMs(at)) / 1_000 : 0;

function oldestOf(row: QueueRow): Oldest {
  const { tenant_id, tenant_name, name, ref, due_at, wake_at } = row;
  return {
    tenant_id,
    tenant_name,
    job: name,
    does: doesOf(name),
    record_id: recordOf(name, ref),
    due_at,
    next_try_at: wake_at,
  };
}

const sum = (rows: readonly QueueRow[], name: 'waiting' | 'overdue' | 'failing'): number =>
  rows.reduce((total, row) => total + row[name], 0);

/** Whatever waits beyond those that are counted is due later (rules/operations#65). */
export async function readJobs(asked: Asked): Promise<Jobs> {
  const { now } = asked;
  const { rows } = await sql<QueueRow>`
    with first as materialized (select tenant_id, name, ref, due_at, wake_at, real from jobs where ${ofTenant(asked)}
      order by wake_at limit ${mostCounted + 1}),
    placed as (select f.name, f.tenant_id, t.name as tenant_name, f.ref, f.wake_at,
        f.due_at - case when f.real then 0 else t.clock_offset_ms end * interval '1 millisecond'
          as due_at
      from first f join tenants t on t.tenant_id = f.tenant_id),
    counted as (select name, count(*) as waiting, min(wake_at) as first_wake,
        count(*) filter (where wake_at <= ${now}) as overdue,
        count(*) filter (where wake_at > ${now} and due_at <= ${now}
          and wake_at > due_at + ${slackMs} * interval '1 millisecond') as failing
      from placed group by name),
    oldest as (select distinct on (name) name, tenant_id, tenant_name, ref, wake_at, due_at from placed order by name, due_at, ref)
    select c.waiting, c.overdue, c.failing, c.first_wake, o.name, o.tenant_id, o.tenant_name, o.ref,
      o.wake_at, o.due_at
    from counted c join oldest o on o.name = c.name
    order by c.failing + c.overdue = 0, o.due_at, c.name`.execute(asked.db);
  const counted = sum(rows, 'waiting');
  const [oldest] = [...rows].sort((a, b) => (a.due_at < b.due_at ? -1 : 1));
  const [earliest] = rows.map(({ first_wake }) => first_wake).sort();
  return {
    waiting: Math.min(counted, mostCounted),
    is_all: counted <= mostCounted,
    overdue: sum(rows, 'overdue'),
    failing: sum(rows, 'failing'),
    late_seconds: secondsSince(asked, earliest),
    oldest: oldest ? oldestOf(oldest) : null,
    queues: rows.map(
      (row): Queue => ({
        job: row.name,
        does: doesOf(row.name),
        waiting: row.waiting,
        overdue: row.overdue,
        failing: row.failing,
        oldest: oldestOf(row),
      }),
    ),
  };
}

interface DeliveryRow {
  readonly waiting: number;
  readonly overdue: number;
  readonly retrying: number;
  readonly first_wake: Instant | null;
}

interface EventRow {
  readonly tenant_id: string;
  readonly tenant_name: string;
  readonly event_id: string;
  readonly since: Instant;
  readonly wake_at: Instant;
}

/** Offsets of attempts grow, so the oldest are among those whose next attempt is the latest. */
const latestLookedAt = 5_000;

/** SQL: what waits, of each kind of endpoints the first in this order. */
const ofEachKind = (asked: Asked, ordered: RawBuilder<unknown>) =>
  sql.join(
    Object.values(deliveryKinds).map(
      ({
        deliveries,
      }) => sql`(select tenant_id, event_id, wake_at, attempts, first_attempt_at, due_at
        from ${sql.table(deliveries)} where wake_at is not null and ${ofTenant(asked)} ${ordered})`,
    ),
    sql` union all `,
  );

export async function readDeliveries(asked: Asked): Promise<Operations['deliveries']> {
  const { db, now } = asked;
  const [counts, events] = await Promise.all([
    sql<DeliveryRow>`select count(*) as waiting, count(*) filter (where wake_at <= ${now}) as overdue,
        count(*) filter (where attempts > 0) as retrying, min(wake_at) as first_wake
      from (select wake_at, attempts from (${ofEachKind(asked, sql`order by wake_at limit ${mostCounted + 1}`)}) of_each
        order by wake_at limit ${mostCounted + 1}) first`.execute(db),
    sql<EventRow>`select d.tenant_id, t.name as tenant_name, d.event_id, d.wake_at,
        coalesce(d.first_attempt_at, d.due_at) - t.clock_offset_ms * interval '1 millisecond' as since
      from (${ofEachKind(asked, sql`order by wake_at desc limit ${latestLookedAt}`)}) d
      join tenants t on t.tenant_id = d.tenant_id
      where coalesce(d.first_attempt_at, d.due_at) is not null
      order by since, d.event_id limit 1`.execute(db),
  ]);
  const [row] = counts.rows;
  const [event] = events.rows;
  const waiting = row?.waiting ?? 0;
  return {
    waiting: Math.min(waiting, mostCounted),
    is_all: waiting <= mostCounted,
    overdue: row?.overdue ?? 0,
    retrying: row?.retrying ?? 0,
    late_seconds: secondsSince(asked, row?.first_wake),
    oldest_seconds: secondsSince(asked, event?.since),
    oldest: event
      ? {
          tenant_id: event.tenant_id,
          tenant_name: event.tenant_name,
          event_id: publicId('event', event.event_id),
          waiting_since: event.since,
          next_try_at: event.wake_at,
        }
      : null,
  };
}
