import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Page } from '@tenant-payments/engine/pages.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { type RawBuilder, sql } from 'kysely';
import { type AlarmName, textOf } from '../../contract/operate/alarm_texts.ts';
import {
  type Alarm,
  type listAlarms as contract,
  mostAlarms,
} from '../../contract/operate/alarms.ts';
import { nameOf } from '../../desk/notes.ts';
import { ownTenant } from '../../own_tenant.ts';
import { platform } from '../../people/scope.ts';

type Query = QueryOf<typeof contract>;

interface Row extends Pick<Alarm, 'id' | 'message' | 'facts' | 'process_id' | 'count' | 'note'> {
  readonly alarm: AlarmName;
  readonly scope: string;
  readonly record: string;
  readonly first_at: Instant;
  readonly last_at: Instant;
  readonly acknowledged_at: Instant | null;
  readonly acknowledged_by: string | null;
  readonly person_name: string | null;
  readonly tenant_name: string | null;
}

const later = 'a newer release raised it: read the log, and finish the upgrade';

function view(row: Row): Alarm {
  const { id, alarm, scope, record, message, facts, process_id, count, note } = row;
  const text = textOf(alarm, facts);
  return {
    id,
    object: 'alarm',
    alarm,
    message,
    tenant_id: scope === platform ? null : scope,
    tenant_name: row.tenant_name,
    record_id: record === '' ? null : record,
    means: text?.means ?? later,
    remedy: text?.remedy ?? later,
    facts,
    process_id,
    count,
    first_at: row.first_at,
    last_at: row.last_at,
    acknowledged_at: row.acknowledged_at,
    acknowledged_by:
      row.acknowledged_by === null ? null : nameOf(row.acknowledged_by, row.person_name),
    note,
  };
}

/** The condition that a program in a sandbox sees the alarms of its own Tenant alone. */
const within = (caller: ReadContext): RawBuilder<unknown> => {
  const own = ownTenant(caller);
  return own === null ? sql`true` : sql`a.scope = ${own}`;
};

const from = sql`control.alarms a
  left join control.served_tenants() t on t.tenant_id::text = a.scope
  left join control.people p on a.acknowledged_by = 'person ' || p.id`;

const columns = sql`a.id, a.alarm, a.scope, a.record, a.message, a.facts, a.process_id, a.count, a.note,
  a.first_at, a.last_at, a.acknowledged_at, a.acknowledged_by, t.name as tenant_name, p.name as person_name`;

const askedFor = ({ status, alarm, tenant_id, from: first, to }: Query) => sql`
  ${status === undefined ? sql`true` : status === 'open' ? sql`a.acknowledged_at is null` : sql`a.acknowledged_at is not null`}
  ${alarm === undefined ? sql`` : sql`and a.alarm = ${alarm}`}
  ${tenant_id === undefined ? sql`` : sql`and a.scope = ${tenant_id}`}
  ${first === undefined ? sql`` : sql`and a.first_at >= ${first}`}
  ${to === undefined ? sql`` : sql`and a.first_at < ${to}`}`;

/** GET /portal/api/alarms: newest first (rules/operations#70). */
export async function listAlarms(context: ReadContext, query: Query): Promise<Page<Alarm>> {
  const { limit = defaultLimit, cursor } = query;
  const behind = context.pages.after(cursor);
  const { rows } = await sql<Row>`select ${columns} from ${from}
    where ${within(context)} and ${askedFor(query)}
      ${behind ? sql`and (a.first_at, a.id) < (${behind.created_at}::timestamptz, ${behind.id}::uuid)` : sql``}
    order by a.first_at desc, a.id desc limit ${limit + 1}`.execute(context.db);
  return context.pages.page(
    rows.map((row) => ({ ...row, created_at: row.first_at })),
    limit,
    view,
  );
}

/** GET /portal/api/alarms/count */
export async function countAlarms(context: ReadContext) {
  const { rows } = await sql<{ open: number }>`select count(*) as open from (
    select from control.alarms a where ${within(context)} and a.acknowledged_at is null
    limit ${mostAlarms}) counted`.execute(context.db);
  return { object: 'alarm_count' as const, open: rows[0]?.open ?? 0 };
}

/** An alarm as it is listed. @throws ApiError not_found */
export async function readAlarm(context: ReadContext, id: string): Promise<Alarm> {
  const { rows } = await sql<Row>`select ${columns} from ${from}
    where a.id = ${id} and ${within(context)}`.execute(context.db);
  if (!rows[0]) throw fail('not_found', { param: 'id' });
  return view(rows[0]);
}
