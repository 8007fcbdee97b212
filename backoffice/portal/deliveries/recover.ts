import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { firstIdAt, lastIdAt } from '@tenant-payments/engine/new_id.ts';
import { realInstantOf } from '@tenant-payments/engine/time/clock.ts';
import { type Instant, later } from '@tenant-payments/engine/time/instant.ts';
import { instantIn } from '@tenant-payments/engine/time/query_times.ts';
import type { Database } from '@tenant-payments/service/database.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { oldestListed } from '@tenant-payments/service/webhooks/resend.ts';
import { type Kysely, sql } from 'kysely';
import { actOf } from '../../audit/acts.ts';
import { beside } from '../../audit/beside.ts';
import {
  recoverEvents as contract,
  maximumRecovered,
  type Recovery,
} from '../../contract/traffic/deliveries.ts';

type Body = BodyOf<typeof contract>;

/** No endpoint is enabled: what is sent again would only wait. @throws ApiError invalid_state */
export async function assertEndpoint(db: Kysely<Database>, tenantId: string): Promise<void> {
  const { rows } = await sql`select from webhook_endpoints
    where tenant_id = ${tenantId} and enabled`.execute(db);
  if (rows.length > 0) return;
  throw fail('invalid_state', {
    details: { reason: 'no_endpoint' },
    message: 'no webhook endpoint is enabled',
  });
}

interface Chosen {
  readonly id: string;
  readonly created_at: Instant;
}

async function chosenOf(
  db: Kysely<Database>,
  tenantId: string,
  { type }: Body,
  since: Instant,
  until: Instant | null,
): Promise<readonly Chosen[]> {
  const { rows } = await sql<Chosen>`
    select e.id, e.created_at from events e
      left join deliveries d on d.tenant_id = e.tenant_id and d.event_id = e.id
    where e.tenant_id = ${tenantId} and e.body <> ''
      and e.created_at >= ${since} and e.id >= ${firstIdAt(since)}
      ${until ? sql`and e.created_at < ${until} and e.id <= ${lastIdAt(until)}` : sql``}
      ${type === undefined ? sql`` : sql`and e.type = ${type}`}
      and (d.event_id is null or d.status = 'failed'
        or (d.status = 'pending' and d.wake_at is null))
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
  now: Instant,
): Promise<void> {
  const { clock_offset_ms, clock_at } = await db
    .selectFrom('tenants')
    .where('tenant_id', '=', tenantId)
    .select(['clock_offset_ms', 'clock_at'])
    .executeTakeFirstOrThrow();
  const wakeAt = realInstantOf({ clock_offset_ms, clock_at }, now);
  await sql`
    insert into deliveries as d (tenant_id, event_id, created_at, due_at, wake_at)
    select ${tenantId}, x.id, x.created_at, ${now}, ${wakeAt}
    from unnest(${chosen.map(({ id }) => id)}::uuid[],
      ${chosen.map(({ created_at }) => created_at)}::timestamptz[]) x(id, created_at)
    on conflict (tenant_id, event_id) do update set status = 'pending', first_attempt_at = null,
      next_attempt_at = null, extra = false, due_at = excluded.due_at, wake_at = excluded.wake_at,
      revision = d.revision + 1
    where d.status = 'failed' or (d.status = 'pending' and d.wake_at is null)`.execute(db);
}

/**
 * POST /portal/api/events/recover (rules/webhooks#32).
 * @param wake has the dispatcher look for what is due
 * @throws ApiError parameter_invalid: no instant; invalid_state: no endpoint is enabled
 */
export const recoverEvents =
  (service: Pick<Service, 'db' | 'log'>, wake: () => void) =>
  async ({ tenantId, actor, db, now }: ReadContext, body: Body): Promise<Recovery> => {
    const { dry_run = false, until, type } = body;
    const time = await now();
    const since = later(instantIn('since', body.since), oldestListed(time));
    const before = until === undefined ? null : instantIn('until', until);
    const found = (on: Kysely<Database>) => chosenOf(on, tenantId, body, since, before);
    const answer = (chosen: readonly Chosen[]): Recovery => ({
      dry_run,
      events: Math.min(chosen.length, maximumRecovered),
      has_more: chosen.length > maximumRecovered,
    });
    if (!dry_run) await assertEndpoint(db, tenantId);
    const by = { scope: tenantId, actor, act: actOf(contract), record: null };
    const after = (done: Recovery) => ({ ...done, since, until: before, type: type ?? null });
    const done = await beside<Recovery>(
      service,
      (done) => [{ ...by, after: after(done) }],
      async (tx) => {
        // Of two at once the second finds queued what the first has queued.
        await sql`select 1 from tenants where tenant_id = ${tenantId} for no key update`.execute(
          tx,
        );
        const chosen = await found(tx);
        if (!dry_run && chosen.length > 0)
          await queue(tx, tenantId, chosen.slice(0, maximumRecovered), time);
        return answer(chosen);
      },
    );
    if (!dry_run) wake();
    return done;
  };
