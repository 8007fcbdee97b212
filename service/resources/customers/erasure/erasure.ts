import { idPrefixes } from '@tenant-payments/contract/core/ids.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { readColumns, shown } from '@tenant-payments/engine/table.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from '../../../database.ts';
import { type AccountRow, accounts } from '../../accounts/table.ts';
import { emptyVault } from '../../identity/erasure.ts';
import { noProvenContact } from '../../sessions/progress.ts';
import { ownersStatusOf } from '../owners/moves.ts';
import { owners } from '../owners/table.ts';
import { type CustomerRow, customers } from '../table.ts';
import { accountsOf, messagesOf, receivedOf, refusedOf, requestsOf } from './bank_words.ts';
import {
  personalRecords,
  type RetentionFacts,
  readLastEventAt,
  readRetentionFacts,
  retainedUntil,
} from './retention.ts';

const daySeconds = 24 * 3600;

/**
 * @throws ApiError invalid_state {reason, until?}: not closed, or kept by law, a court, a dispute or
 *   suspense
 */
function assertErasable(
  work: Work,
  { customer, account }: { customer: CustomerRow; account: AccountRow | null },
  kept: RetentionFacts,
): void {
  const refuse = (reason: string, until?: string) =>
    fail('invalid_state', {
      details: {
        current_status: account?.status ?? null,
        allowed: ['closed'],
        reason,
        ...(until === undefined ? {} : { until }),
      },
    });
  // An application that was withdrawn ended then, and for good.
  const withdrawnAt = customer.withdrawn_reason === null ? null : customer.verification_updated_at;
  const endedAt = account === null ? withdrawnAt : account.closed_at;
  if (endedAt === null) throw refuse('not_closed');
  if (account?.legal_hold) throw refuse('legal_hold');
  if (kept.in_dispute) throw refuse('dispute_open');
  if (kept.in_suspense) throw refuse('money_in_suspense');
  const until = retainedUntil(endedAt, kept);
  if (until > work.now) throw refuse('kept_by_law', until);
  // The texts of those events are redacted within a day.
  if (kept.last_event_at !== null) throw refuse('events_kept', addSeconds(work.now, daySeconds));
}

/** A customer's row after erasure; `present` shows `erased` where null is not allowed. */
const erasedCustomer = {
  email: null,
  mobile_sealed: null,
  mobile_last4: null,
  given_name: null,
  family_name: null,
  legal_name: null,
  trading_name: null,
  identity_reference: null,
  metadata: null,
} as const satisfies Partial<CustomerRow>;

/**
 * The reviewer's `erase`, at the earliest five years after the end (rules/retention#6). Can be
 * repeated for data that came later.
 * @throws ApiError invalid_state {reason, until?}
 */
export const eraseCustomer = ({ db }: { readonly db: Kysely<Database> }) =>
  command('erase_customer', {
    prepare: ({ id }: { readonly id: string }, { tenantId }) =>
      readRetentionFacts(db, tenantId, id),
    load: async (read, { id }) => {
      const customer = await read.one(customers, id);
      return { customer, account: await read.maybe(accounts, customer.account_id) };
    },
    decide: (work, { customer, account }, { id }, kept) => {
      assertErasable(work, { customer, account }, kept);
      work.change(customer, { erased_at: work.now });
      work.scheduleJob('erasure', id, work.now);
      // The reply is stored for replays, so it must not show the data.
      return { value: shown(customers, { ...customer, ...erasedCustomer }) };
    },
  });

/** The findings, as they were asked for; a note is of staff, and stays. */
const withoutFinding = { body: sql`(body::jsonb - 'finding')::text` };

/** Every table with data of a person, and the values that replace it. */
const erasures: readonly {
  readonly table: string;
  readonly set: Readonly<Record<string, string | RawBuilder<unknown> | null>>;
  readonly where: (customerId: string, tenantId: string) => RawBuilder<unknown>;
  /** Its rows never change otherwise, and have no revision. */
  readonly isUnrevised?: true;
}[] = [
  { table: 'customers', set: erasedCustomer, where: (id) => sql`id = ${id}` },
  { table: 'accounts', set: { holder_name: 'erased' }, where: ofCustomer },
  { table: 'customer_messages', set: { masked: null }, where: ofCustomer },
  {
    table: 'owners',
    set: { name: null, ownership_percent: null, contact_sealed: null, identity_reference: null },
    where: ofCustomer,
  },
  {
    table: 'linked_accounts',
    set: {
      institution_name: 'erased',
      account_mask: 'erased',
      reference_sealed: null,
      numbers_sealed: null,
      persistent_hash: null,
      institution_id: null,
      holder_match: null,
      metadata: null,
    },
    where: ofCustomer,
  },
  {
    table: 'disputes',
    set: { description: 'erased', finding: null, metadata: null },
    where: (id) => sql`${ofCustomer(id)} and status = 'closed'`,
  },
  {
    table: 'approvals',
    set: withoutFinding,
    where: (id) => sql`resource = 'disputes' and body::jsonb ? 'finding'
      and record_id in (select ${`${idPrefixes.dispute}_`} || replace(d.id::text, '-', '') from disputes d
        where d.tenant_id = approvals.tenant_id and d.customer_id = ${id} and d.status = 'closed')`,
  },
  {
    table: 'approvals',
    set: withoutFinding,
    where: (id, tenantId) => sql`resource = 'return-requests' and body::jsonb ? 'finding'
      and record_id in (select ${`${idPrefixes.return_request}_`} || replace(id::text, '-', '') from return_requests
        where tenant_id = ${tenantId} and ${requestsOf(id, tenantId)})`,
  },
  ...['loads', 'withdrawals'].map((table) => ({
    table,
    set: { metadata: null },
    where: (id: string) => sql`${ofCustomer(id)} and metadata is not null`,
  })),
  ...['payments', 'refunds'].map((table) => ({
    table,
    set: { metadata: null },
    where: (id: string) => sql`payer_customer_id = ${id} and metadata is not null`,
  })),
  {
    table: 'payment_requests',
    set: { metadata: null },
    where: (id) => sql`merchant_customer_id = ${id} and metadata is not null`,
  },
  {
    table: 'session_progress',
    set: noProvenContact,
    where: (id) => sql`session_id in (select s.id from sessions s
      where s.tenant_id = session_progress.tenant_id and s.customer_id = ${id})`,
  },
  {
    table: 'pending_transactions',
    set: { bank_name: 'erased' },
    where: (id, tenantId) => sql`account_id in ${accountsOf(id, tenantId)}`,
  },
  {
    table: 'received_money',
    set: { sender_name: null, sender_last4: null, remittance: null },
    where: receivedOf,
    isUnrevised: true,
  },
  { table: 'return_requests', set: { text: null, answer_text: null }, where: requestsOf },
  { table: 'instructions', set: { said_text: null }, where: refusedOf },
  { table: 'bank_messages', set: { said_text: null }, where: messagesOf },
];

function ofCustomer(id: string): RawBuilder<unknown> {
  return sql`customer_id = ${id}`;
}

/** Recomputes owners_status: percentages have been erased. */
async function updateErasedOwnersStatus(trx: Transaction<Database>, tenantId: string, id: string) {
  const people = await trx
    .selectFrom('owners')
    .select(readColumns(owners))
    .where('tenant_id', '=', tenantId)
    .where('customer_id', '=', id)
    .execute();
  await sql`update customers set owners_status = ${ownersStatusOf(people)}
    where tenant_id = ${tenantId} and id = ${id} and type = 'business'`.execute(trx);
}

/** Erases what providers remember of the person, and what their messages say (rules/retention#16). */
async function eraseRails(trx: Transaction<Database>, tenantId: string, id: string) {
  const theirs = sql`tenant_id = ${tenantId} and record in ${personalRecords(tenantId, id)}`;
  await sql`delete from rail_objects where ${theirs}`.execute(trx);
  await sql`update rail_messages set said_sealed = null, revision = revision + 1
    where ${theirs}`.execute(trx);
}

/** A balance carries its account's revision (rules/records#12). */
const reviseBalance = (trx: Transaction<Database>, tenantId: string, id: string) =>
  sql`update balances b set account_revision = a.revision from accounts a
    where a.tenant_id = ${tenantId} and a.customer_id = ${id}
      and b.tenant_id = a.tenant_id and b.account_id = a.id`.execute(trx);

async function isHeld(trx: Transaction<Database>, tenantId: string, id: string): Promise<boolean> {
  const { rows } = await sql<{ legal_hold: boolean }>`select legal_hold from accounts
    where tenant_id = ${tenantId} and customer_id = ${id}`.execute(trx);
  return rows[0]?.legal_hold ?? false;
}

/**
 * Replaces the values outside the engine, because an event would hold the old ones: no version and
 * no updated_at change, but each row's revision does (rules/retention#8).
 * @returns false where an event with its text was written, or a legal hold placed, meanwhile
 */
async function erase(db: Kysely<Database>, tenantId: string, id: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    for (const { table, where } of erasures)
      await sql`select from ${sql.table(table)} where tenant_id = ${tenantId} and ${where(id, tenantId)}
        for update`.execute(trx);
    if ((await readLastEventAt(trx, tenantId, id)) !== null) return false;
    if (await isHeld(trx, tenantId, id)) return false;
    for (const { table, set, where, isUnrevised } of erasures) {
      const values = Object.entries(set).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
      const revised = isUnrevised ? values : [...values, sql`revision = revision + 1`];
      await sql`update ${sql.table(table)} set ${sql.join(revised)}
        where tenant_id = ${tenantId} and ${where(id, tenantId)}`.execute(trx);
    }
    await updateErasedOwnersStatus(trx, tenantId, id);
    await eraseRails(trx, tenantId, id);
    await emptyVault(trx, tenantId, [id]);
    await reviseBalance(trx, tenantId, id);
    return true;
  });
}

/** Job `erasure`: tries again a day later while an event still has its text, or a court holds the account. */
export const erasureJob = ({ db }: { readonly db: Kysely<Database> }) =>
  command('erasure', {
    prepare: ({ ref }: { ref: string }, { tenantId }) => erase(db, tenantId, ref),
    load: async () => null,
    decide: (work, _loaded, { ref }, erased) => {
      if (erased) work.cancelJob('erasure', ref);
      else work.scheduleJob('erasure', ref, addSeconds(work.now, daySeconds));
      return { value: null };
    },
  });
