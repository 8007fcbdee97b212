import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { command } from '../../../core/command.ts';
import { fail } from '../../../core/fail.ts';
import { addSeconds } from '../../../core/instant.ts';
import { shown } from '../../../core/table.ts';
import type { Work } from '../../../core/work.ts';
import { type AccountRow, accounts } from '../../accounts/table.ts';
import type { Database } from '../../database.ts';
import { nothingProven } from '../../sessions/progress.ts';
import { ownersStatusOf } from '../owners/moves.ts';
import { type CustomerRow, customers } from '../table.ts';
import { type Kept, keptUntil, readKept, toldAt } from './retention.ts';

/** Job, at once: what the reviewer decided is done. */
export const erasureDue = 'erasure';

const daySeconds = 24 * 3600;

/** @throws ApiError invalid_state {reason, until?}: not closed, or kept by law or by a claim */
function assertErasable(work: Work, account: AccountRow | null, kept: Kept): void {
  const refuse = (reason: string, until?: string) =>
    fail('invalid_state', {
      details: {
        current_status: account?.status ?? null,
        allowed: ['closed'],
        reason,
        ...(until === undefined ? {} : { until }),
      },
    });
  const closedAt = account?.closed_at ?? null;
  if (closedAt === null) throw refuse('not_closed');
  if (kept.in_dispute) throw refuse('dispute_open');
  if (kept.in_suspense) throw refuse('money_in_suspense');
  const until = keptUntil(closedAt, kept);
  if (until > work.now) throw refuse('kept_by_law', until);
  // They go the day after.
  if (kept.told_at !== null) throw refuse('events_kept', addSeconds(work.now, daySeconds));
}

/** What a customer's row shows of a person afterwards: `present` says `erased` where it may not be null. */
const nothing = {
  email: null,
  mobile_sealed: null,
  mobile_last4: null,
  given_name: null,
  family_name: null,
  legal_name: null,
  trading_name: null,
  identity_reference: null,
} as const satisfies Partial<CustomerRow>;

/**
 * The reviewer's `erase` (decisions 1.12), at the earliest five years after closing. The number's
 * HMAC and the Tenant's reference stay reserved. May be made again, for what came since.
 * @throws ApiError invalid_state {reason, until?}
 */
export const eraseCustomer = ({ db }: { readonly db: Kysely<Database> }) =>
  command('erase_customer', {
    prepare: ({ id }: { readonly id: string }, { tenantId }) => readKept(db, tenantId, id),
    load: async (read, { id }) => {
      const customer = await read.one(customers, id);
      return { customer, account: await read.maybe(accounts, customer.account_id) };
    },
    decide: (work, { customer, account }, { id }, kept) => {
      assertErasable(work, account, kept);
      work.change(customer, { erased_at: work.now });
      work.scheduleJob(erasureDue, id, work.now);
      // A reply is kept for replays, so it shows nothing that is about to go.
      return { value: shown(customers, { ...customer, ...nothing }) };
    },
  });

/** Everything of a person that is stored under its customer, and what stands there afterwards. */
const erasures: readonly {
  readonly table: string;
  readonly set: Readonly<Record<string, string | null>>;
  readonly where: (customerId: string) => RawBuilder<unknown>;
}[] = [
  { table: 'customers', set: nothing, where: (id) => sql`id = ${id}` },
  { table: 'accounts', set: { holder_name: 'erased' }, where: ofCustomer },
  {
    table: 'owners',
    set: { name: null, ownership_percent: null, contact_sealed: null, identity_reference: null },
    where: ofCustomer,
  },
  {
    table: 'linked_accounts',
    set: { institution_name: 'erased', account_mask: 'erased', reference_sealed: null },
    where: ofCustomer,
  },
  {
    table: 'disputes',
    set: { description: 'erased' },
    where: (id) => sql`${ofCustomer(id)} and status = 'closed'`,
  },
  {
    table: 'session_progress',
    set: nothingProven,
    where: (id) => sql`session_id in (select s.id from sessions s
      where s.tenant_id = session_progress.tenant_id and s.customer_id = ${id})`,
  },
  {
    table: 'pending_transactions',
    set: { bank_name: 'erased' },
    where: (id) => sql`account_id in (select a.id from accounts a
      where a.tenant_id = pending_transactions.tenant_id and a.customer_id = ${id})`,
  },
];

function ofCustomer(id: string): RawBuilder<unknown> {
  return sql`customer_id = ${id}`;
}

/** Without the percentages it may be another; it is what the rows say (people.owners_status). */
async function settleOwners(trx: Transaction<Database>, tenantId: string, id: string) {
  const people = await trx
    .selectFrom('owners')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('customer_id', '=', id)
    .execute();
  await sql`update customers set owners_status = ${ownersStatusOf(people)}
    where tenant_id = ${tenantId} and id = ${id} and type = 'business'`.execute(trx);
}

/**
 * Replaces the values, outside the engine: an event of it would tell once more what is to be
 * forgotten, so neither version nor time of a record changes. Every row's revision does, and what
 * rested on one is decided again.
 * @returns false where an event with its text has come meanwhile
 */
async function erase(db: Kysely<Database>, tenantId: string, id: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    for (const { table, where } of erasures)
      await sql`select from ${sql.table(table)} where tenant_id = ${tenantId} and ${where(id)}
        for update`.execute(trx);
    if ((await toldAt(trx, tenantId, id)) !== null) return false;
    for (const { table, set, where } of erasures) {
      const values = Object.entries(set).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
      await sql`update ${sql.table(table)} set ${sql.join(values)}, revision = revision + 1
        where tenant_id = ${tenantId} and ${where(id)}`.execute(trx);
    }
    await settleOwners(trx, tenantId, id);
    return true;
  });
}

/** Job `erasure`: once more a day later, as long as something told of the person has its text. */
export const erasureJob = ({ db }: { readonly db: Kysely<Database> }) =>
  command(erasureDue, {
    prepare: ({ ref }: { ref: string }, { tenantId }) => erase(db, tenantId, ref),
    load: async () => null,
    decide: (work, _nothing, { ref }, erased) => {
      if (erased) work.cancelJob(erasureDue, ref);
      else work.scheduleJob(erasureDue, ref, addSeconds(work.now, daySeconds));
      return { value: null };
    },
  });
