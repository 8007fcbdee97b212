import { type Kysely, sql } from 'kysely';
import { Temporal } from 'temporal-polyfill';
import { epochMs, type Instant, instantOf, later } from '../../../core/instant.ts';
import type { Database } from '../../database.ts';

/** How long the texts of events are kept (decisions 1.12). */
export const eventTextDays = 400;
/** What was asked of somebody to know them, after their account closed [31 CFR 1020.220(a)(3)]. */
const identityYears = 5;
/** Papers of error resolution [12 CFR 1005.13(b)]. */
const disputeYears = 2;

/** What keeps a person's data from being erased. */
export interface Kept {
  /** Of the last dispute that has ended. */
  readonly dispute_ended_at: Instant | null;
  /** A dispute is open. */
  readonly in_dispute: boolean;
  /** Bank money that is this person's waits for a reviewer. */
  readonly in_suspense: boolean;
  /** The latest event that shows of the person what it showed then. */
  readonly told_at: Instant | null;
}

const addYears = (instant: Instant, years: number): Instant =>
  instantOf(
    Temporal.Instant.from(instant).toZonedDateTimeISO('UTC').add({ years }).epochMilliseconds,
  );

/** The records that show something of a person: their events hold it as well. */
const records = (tenantId: string, customerId: string) => sql`(
  select id from customers where tenant_id = ${tenantId} and id = ${customerId}
  union all select id from owners where tenant_id = ${tenantId} and customer_id = ${customerId}
  union all select id from linked_accounts
    where tenant_id = ${tenantId} and customer_id = ${customerId}
  union all select id from disputes where tenant_id = ${tenantId} and customer_id = ${customerId})`;

/** The latest event of those records that still has its text; null: none has. */
export async function toldAt(
  db: Kysely<Database>,
  tenantId: string,
  customerId: string,
): Promise<Instant | null> {
  const { rows } = await sql<{ told_at: Instant | null }>`
    select max(created_at) as told_at from events where tenant_id = ${tenantId} and not sample
      and body <> '' and object_id in ${records(tenantId, customerId)}`.execute(db);
  return rows[0]?.told_at ?? null;
}

export async function readKept(
  db: Kysely<Database>,
  tenantId: string,
  customerId: string,
): Promise<Kept> {
  const { rows } = await sql<Omit<Kept, 'told_at'>>`
    select max(updated_at) filter (where status = 'closed') as dispute_ended_at,
      coalesce(bool_or(status <> 'closed' or coalesce(credit_route = 'sent', false)), false) as in_dispute,
      exists (select from suspense s join accounts a on a.tenant_id = s.tenant_id
          and a.id = s.account_id
        where s.tenant_id = ${tenantId} and s.status = 'held' and a.customer_id = ${customerId})
        as in_suspense
    from disputes where tenant_id = ${tenantId} and customer_id = ${customerId}`.execute(db);
  const [found] = rows;
  const none = { dispute_ended_at: null, in_dispute: false, in_suspense: false };
  return { ...(found ?? none), told_at: await toldAt(db, tenantId, customerId) };
}

/** From when on a person can be erased, as far as time alone keeps them. */
export function keptUntil(
  closedAt: Instant,
  { dispute_ended_at, told_at }: Pick<Kept, 'dispute_ended_at' | 'told_at'>,
): Instant {
  const told = told_at && instantOf(epochMs(told_at) + eventTextDays * 24 * 3_600_000);
  const disputed = dispute_ended_at && addYears(dispute_ended_at, disputeYears);
  return [told, disputed].reduce<Instant>(
    (latest, at) => (at === null ? latest : later(latest, at)),
    addYears(closedAt, identityYears),
  );
}
