import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import { epochMs, type Instant, instantOf, later } from '@tenant-payments/engine/time/instant.ts';
import { type Kysely, sql } from 'kysely';
import { Temporal } from 'temporal-polyfill';
import type { Database } from '../../../database.ts';

/** How long the texts of events are kept (rules/retention#12). */
export const eventTextDays = lifetimes.eventText / 86_400;
/** Years after closing that identity records are kept [31 CFR 1020.220(a)(3)]. */
export const identityYears = 5;
/** Years that records of error resolution are kept [12 CFR 1005.13(b)]. */
const disputeYears = 2;

/** Facts that can forbid the erasure of a person's data (rules/retention#6). */
export interface RetentionFacts {
  /** When the last dispute ended. */
  readonly dispute_ended_at: Instant | null;
  /** A dispute is open. */
  readonly in_dispute: boolean;
  /** Bank money of this person waits for a reviewer. */
  readonly in_suspense: boolean;
  /** The latest event that still has a text about the person. */
  readonly last_event_at: Instant | null;
}

const addYears = (instant: Instant, years: number): Instant =>
  instantOf(
    Temporal.Instant.from(instant).toZonedDateTimeISO('UTC').add({ years }).epochMilliseconds,
  );

/** The records whose events, and what providers say of them, hold personal data. */
export const personalRecords = (tenantId: string, customerId: string) => sql`(
  select id from customers where tenant_id = ${tenantId} and id = ${customerId}
  union all select id from owners where tenant_id = ${tenantId} and customer_id = ${customerId}
  union all select id from linked_accounts
    where tenant_id = ${tenantId} and customer_id = ${customerId}
  union all select id from disputes where tenant_id = ${tenantId} and customer_id = ${customerId})`;

/** When the latest event of those records that still has its text was written; null: none. */
export async function readLastEventAt(
  db: Kysely<Database>,
  tenantId: string,
  customerId: string,
): Promise<Instant | null> {
  const { rows } = await sql<{ last_event_at: Instant | null }>`
    select max(created_at) as last_event_at from events where tenant_id = ${tenantId} and not sample
      and id <> object_id and body <> '' and object_id in ${personalRecords(tenantId, customerId)}`.execute(
    db,
  );
  return rows[0]?.last_event_at ?? null;
}

export async function readRetentionFacts(
  db: Kysely<Database>,
  tenantId: string,
  customerId: string,
): Promise<RetentionFacts> {
  const { rows } = await sql<Omit<RetentionFacts, 'last_event_at'>>`
    select max(updated_at) filter (where status = 'closed') as dispute_ended_at,
      coalesce(bool_or(status <> 'closed' or coalesce(credit_route = 'sent', false)), false) as in_dispute,
      exists (select from suspense s join accounts a on a.tenant_id = s.tenant_id
          and a.id = s.account_id
        where s.tenant_id = ${tenantId} and s.status = 'held' and a.customer_id = ${customerId})
        as in_suspense
    from disputes where tenant_id = ${tenantId} and customer_id = ${customerId}`.execute(db);
  const [found] = rows;
  const none = { dispute_ended_at: null, in_dispute: false, in_suspense: false };
  return { ...(found ?? none), last_event_at: await readLastEventAt(db, tenantId, customerId) };
}

/** From when on the law allows the erasure. */
export function retainedUntil(
  closedAt: Instant,
  { dispute_ended_at, last_event_at }: Pick<RetentionFacts, 'dispute_ended_at' | 'last_event_at'>,
): Instant {
  const eventsUntil =
    last_event_at && instantOf(epochMs(last_event_at) + eventTextDays * 24 * 3_600_000);
  const disputesUntil = dispute_ended_at && addYears(dispute_ended_at, disputeYears);
  return [eventsUntil, disputesUntil].reduce<Instant>(
    (latest, at) => (at === null ? latest : later(latest, at)),
    addYears(closedAt, identityYears),
  );
}
