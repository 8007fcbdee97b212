import { command } from '@tenant-payments/engine/command.ts';
import { idAt } from '@tenant-payments/engine/new_id.ts';
import { type Clocks, tenantNowMs } from '@tenant-payments/engine/time/clock.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database.ts';
import { eventTextDays } from '../resources/customers/erasure/retention.ts';
import { nextDaily } from '../resources/limits/days.ts';

/** Job of a tenant, each day. */
export const redactionJobName = 'event_redaction';
/** In Eastern Time. */
export const redactedAt = '03:00';

/** The most events that one statement redacts, so that no statement takes long. */
const defaultEventsAtOnce = 5_000;
const textMs = eventTextDays * 24 * 3_600_000;

export interface Redaction {
  readonly db: Kysely<Database>;
  readonly clocks: Clocks;
  readonly eventsAtOnce?: number;
}

/**
 * Removes the oldest texts that are left, with the answers of receivers. Events that are still to be
 * sent keep theirs. The function of the database is the only way (rules/retention#12).
 * @returns how many texts were removed
 */
async function redactSome(
  { db, eventsAtOnce = defaultEventsAtOnce }: Redaction,
  tenantId: string,
  before: string,
): Promise<number> {
  const redacted = sql<{ count: number }>`
    select redact_events(${tenantId}, ${before}, ${eventsAtOnce}) as count`;
  const { rows } = await redacted.execute(db);
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
  const before = idAt(tenantNowMs(facts, clocks.realNow()) - textMs);
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
