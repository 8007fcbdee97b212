import { type Kysely, sql } from 'kysely';
import { command } from '../core/command.ts';
import { type Clocks, tenantNowMs } from '../core/time/clock.ts';
import { eventTextDays } from '../resources/customers/erasure/retention.ts';
import type { Database } from '../resources/database.ts';
import { nextDaily } from '../resources/limits/days.ts';

/** Job of a tenant, each day. */
export const redactionJobName = 'event_redaction';
/** In Eastern Time. */
export const redactedAt = '03:00';

/** At most so many events go at once, so that no statement is long. */
const defaultEventsAtOnce = 5_000;
const textMs = eventTextDays * 24 * 3_600_000;
const nil = '00000000-0000-0000-0000-000000000000';

export interface Redaction {
  readonly db: Kysely<Database>;
  readonly clocks: Clocks;
  readonly eventsAtOnce?: number;
}

/** The smallest UUIDv7 of a moment: events are numbered by the clock of their tenant. */
function firstIdAt(ms: number): string {
  const time = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/**
 * Removes the oldest texts that are left, with the answers of receivers. Events that are still to be
 * sent keep theirs. @returns how many texts were removed
 */
async function redactSome(
  { db, eventsAtOnce = defaultEventsAtOnce }: Redaction,
  tenantId: string,
  before: string,
): Promise<number> {
  const redacted = sql<{ count: number }>`
    with reached as (select coalesce((select redacted_until from event_retention
        where tenant_id = ${tenantId}), ${nil}::uuid) as id),
      unsent as (select event_id as id from deliveries where tenant_id = ${tenantId}
        and wake_at is not null and event_id > (select id from reached) and event_id < ${before}
        order by event_id limit 1),
      old as (select id from events where tenant_id = ${tenantId}
        and id > (select id from reached)
        and id < coalesce((select id from unsent), ${before}::uuid)
        order by id limit ${eventsAtOnce}),
      texts as (update events e set body = '' from old
        where e.tenant_id = ${tenantId} and e.id = old.id),
      answers as (update attempts a
        set request_headers = '{}', response_headers = null, response_body = null from old
        where a.tenant_id = ${tenantId} and a.event_id = old.id),
      position as (insert into event_retention (tenant_id, redacted_until)
        select ${tenantId}, id from (select id from old order by id desc limit 1) last
        on conflict (tenant_id) do update
          set redacted_until = greatest(event_retention.redacted_until, excluded.redacted_until))
    select count(*)::integer as count from old`;
  // Only this changes an event's row, and only as the owner of the tables (rules/retention#12).
  const { rows } = await db.transaction().execute(async (asOwner) => {
    await sql`set local role none`.execute(asOwner);
    return redacted.execute(asOwner);
  });
  return rows[0]?.count ?? 0;
}

/** @returns whether there are more */
async function redact(redaction: Redaction, tenantId: string): Promise<boolean> {
  const { db, clocks, eventsAtOnce = defaultEventsAtOnce } = redaction;
  const facts = await db
    .selectFrom('tenants')
    .where('tenant_id', '=', tenantId)
    .select(['clock_offset_ms', 'clock_at'])
    .executeTakeFirstOrThrow();
  const before = firstIdAt(tenantNowMs(facts, clocks.realNow()) - textMs);
  return (await redactSome(redaction, tenantId, before)) === eventsAtOnce;
}

/**
 * Job `event_redaction`: removes the texts of events, and the answers of receivers, after 400 days.
 * The rows stay, so that versions remain numbered (rules/retention#12).
 */
export const redactionJob = (redaction: Redaction) =>
  command(redactionJobName, {
    prepare: (_input: { ref: string }, { tenantId }) => redact(redaction, tenantId),
    load: async () => null,
    decide: (work, _nothing, { ref }, more) => {
      work.scheduleJob(redactionJobName, ref, more ? work.now : nextDaily(redactedAt, work.now));
      return { value: null };
    },
  });
