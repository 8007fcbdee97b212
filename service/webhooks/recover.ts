import {
  type MissedReason,
  maximumRecovered,
  type Recovery,
  type RecoveryRequest,
} from '@tenant-payments/contract/resources/webhook_recoveries.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { ownTransaction } from '@tenant-payments/engine/join_transaction.ts';
import { firstIdAt, lastIdAt } from '@tenant-payments/engine/new_id.ts';
import { realInstantOf } from '@tenant-payments/engine/time/clock.ts';
import { type Instant, later } from '@tenant-payments/engine/time/instant.ts';
import { instantIn } from '@tenant-payments/engine/time/query_times.ts';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../database.ts';
import type { ReadContext } from '../read_context.ts';
import type { Service } from '../service.ts';
import { deliveryKinds } from './dispatch/kinds.ts';
import { endpointUuidOf } from './further_table.ts';
import { notEnabled, oldestListed } from './resend.ts';

/** No endpoint is enabled: what is sent again would only wait. @throws ApiError invalid_state */
export async function assertEndpoint(
  db: Kysely<Database>,
  tenantId: string,
  target: Target | null = null,
): Promise<void> {
  const { rows } = await sql`select from webhook_endpoints
    where tenant_id = ${tenantId} and enabled`.execute(db);
  if (target === null ? rows.length === 0 : !target.enabled) throw notEnabled();
}

/** A further endpoint to which events are sent again. */
interface Target {
  readonly id: string;
  readonly types: readonly string[] | null;
  readonly enabled: boolean;
}

/** A further endpoint. @throws ApiError not_found */
export async function targetOf(
  db: Kysely<Database>,
  tenantId: string,
  id: string,
): Promise<Target> {
  const { rows } = await sql<Target>`select id, types, enabled from further_endpoints
    where tenant_id = ${tenantId} and id = ${endpointUuidOf(id)} and deleted_at is null`.execute(
    db,
  );
  const [found] = rows;
  if (!found) throw fail('not_found', { param: 'endpoint_id' });
  return found;
}

/** Events of a time, on the Tenant's clock, that have not arrived. */
export interface MissedEvents {
  readonly reason: MissedReason;
  readonly since: Instant;
  readonly until: Instant | null;
  readonly type: string | null;
  /** At this further endpoint; null: at the first. */
  readonly target: Target | null;
  /** A further condition of `events e` and its delivery `d`; absent: none. */
  readonly only?: RawBuilder<unknown>;
}

/**
 * The events that a request asks for, at a time of the Tenant's clock. @throws ApiError parameter_invalid: no instant
 */
export const missedIn = (
  body: RecoveryRequest,
  now: Instant,
  target: Target | null = null,
): MissedEvents => ({
  target,
  reason: body.missed ?? 'failed',
  since: later(instantIn('since', body.since), oldestListed(now)),
  until: body.until === undefined ? null : instantIn('until', body.until),
  type: body.type ?? null,
});

/** Not delivered, not queued, and tried or not. What is retried waits for its schedule alone. */
export const missedOf: Readonly<Record<MissedReason, RawBuilder<unknown>>> = {
  failed: sql`(d.status = 'failed' or (d.status = 'retrying' and not d.extra)
    or (d.status = 'pending' and d.wake_at is null and d.attempts > 0))`,
  never_sent: sql`(d.event_id is null
    or (d.status = 'pending' and d.wake_at is null and d.attempts = 0))`,
};

const kindOf = (target: Target | null) =>
  target === null ? deliveryKinds.first : deliveryKinds.further;

interface Chosen {
  readonly id: string;
  readonly created_at: Instant;
}

async function chosenOf(
  db: Kysely<Database>,
  tenantId: string,
  { reason, since, until, type, target, only = sql`` }: MissedEvents,
): Promise<readonly Chosen[]> {
  const { rows } = await sql<Chosen>`
    select e.id, e.created_at from events e
      left join ${sql.table(kindOf(target).deliveries)} d on d.tenant_id = e.tenant_id
        and d.event_id = e.id ${target ? sql`and d.endpoint_id = ${target.id}` : sql``}
    where e.tenant_id = ${tenantId} and e.body <> ''
      and e.created_at >= ${since} and e.id >= ${firstIdAt(since)}
      ${until ? sql`and e.created_at < ${until} and e.id <= ${lastIdAt(until)}` : sql``}
      ${type === null ? sql`` : sql`and e.type = ${type}`}
      ${target?.types && reason === 'never_sent' ? sql`and e.type = any (${target.types}::text[]::event_type[])` : sql``}
      and ${missedOf[reason]} ${only}
    order by e.id limit ${maximumRecovered + 1}`.execute(db);
  return rows;
}

/**
 * A statement of its own, not a command: of 10,000 events a command took 0.4 to 0.9 s, the statement 0.2 s,
 * and commands of other Tenants waited as long for it (measured with the engine and 10,000 deliveries on a machine
 * with two processors).
 *
 * As a resend of each (rules/webhooks#1); one that was queued meanwhile stays as it is.
 */
async function queue(
  db: Kysely<Database>,
  tenantId: string,
  chosen: readonly Chosen[],
  { reason, target }: MissedEvents,
  now: Instant,
): Promise<void> {
  const { clock_offset_ms, clock_at } = await db
    .selectFrom('tenants')
    .where('tenant_id', '=', tenantId)
    .select(['clock_offset_ms', 'clock_at'])
    .executeTakeFirstOrThrow();
  const kind = kindOf(target);
  const wakeAt = realInstantOf({ clock_offset_ms, clock_at }, now);
  const kept = (column: string) =>
    sql.raw(`${column} = case when d.status = 'retrying' then d.${column} end`);
  await sql`
    insert into ${sql.table(kind.deliveries)} as d
      (tenant_id, event_id, ${target ? sql`endpoint_id,` : sql``} created_at, due_at, wake_at)
    select ${tenantId}, x.id, ${target ? sql`${target.id}::uuid,` : sql``} x.created_at, ${now}, ${wakeAt}
    from unnest(${chosen.map(({ id }) => id)}::uuid[],
      ${chosen.map(({ created_at }) => created_at)}::timestamptz[]) x(id, created_at)
    on conflict (${sql.raw(kind.keys.join(', '))}) do update set
      status = case when d.status = 'retrying' then d.status else 'pending' end,
      extra = d.status = 'retrying', ${kept('first_attempt_at')}, ${kept('next_attempt_at')},
      due_at = excluded.due_at, wake_at = excluded.wake_at, revision = d.revision + 1
    where ${missedOf[reason]}`.execute(db);
}

/** Counts what was missed and, unless it is a dry run, queues it, in the transaction of `tx` (rules/webhooks#32). */
export async function recoverMissed(
  tx: Kysely<Database>,
  tenantId: string,
  missed: MissedEvents,
  { now, dryRun }: { readonly now: Instant; readonly dryRun: boolean },
): Promise<Recovery> {
  // The second of two at once finds queued what the first has queued.
  await sql`select 1 from tenants where tenant_id = ${tenantId} for no key update`.execute(tx);
  const chosen = await chosenOf(tx, tenantId, missed);
  if (!dryRun && chosen.length > 0)
    await queue(tx, tenantId, chosen.slice(0, maximumRecovered), missed, now);
  return {
    dry_run: dryRun,
    events: Math.min(chosen.length, maximumRecovered),
    has_more: chosen.length > maximumRecovered,
  };
}

/**
 * POST /v1/webhook-events/recover (rules/webhooks#32).
 * @param wake has the dispatcher look for what is due
 * @throws ApiError parameter_invalid: no instant; invalid_state: no endpoint is enabled
 */
export const recoverWebhookEvents =
  ({ db }: Pick<Service, 'db'>, wake: () => void) =>
  async (context: ReadContext, body: RecoveryRequest): Promise<Recovery> => {
    const { tenantId } = context;
    const dryRun = body.dry_run ?? false;
    const now = await context.now();
    const missed = missedIn(body, now);
    if (!dryRun) await assertEndpoint(db, tenantId);
    const done = await ownTransaction(db, (tx) =>
      recoverMissed(tx, tenantId, missed, { now, dryRun }),
    );
    if (!dryRun) wake();
    return done;
  };
