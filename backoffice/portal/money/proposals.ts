import { type IdKind, publicId } from '@tenant-payments/contract/core/ids.ts';
import type { MoneySource } from '@tenant-payments/contract/resources/bank_messages.ts';
import { firstIdAt, lastIdAt } from '@tenant-payments/engine/new_id.ts';
import type { ClockFacts } from '@tenant-payments/engine/time/clock.ts';
import { addSeconds, epochMs, type Instant } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { SuspenseRow } from '@tenant-payments/service/resources/suspense/table.ts';
import { sql } from 'kysely';
import {
  type MatchProposal,
  type ProposalReason,
  proposalReasons,
} from '../../contract/money/suspense.ts';

/** Unmatched money with its Tenant and what the bank calls it. */
export type UnmatchedRow = SuspenseRow &
  ClockFacts & {
    readonly tenant_id: string;
    readonly tenant_name: string;
    readonly references: string[];
    /** Null: an order of its own brought it. */
    readonly provider_id: string | null;
    readonly sender_name: string | null;
    readonly sender_last4: string | null;
    readonly remittance: string | null;
    /** The record of the order that it names, or whose transfer left it unsent. */
    readonly named_type: MoneySource | null;
    readonly named_id: string | null;
  };

type Reader = Pick<ReadContext, 'tenantId' | 'db'>;

/** A record that points to an account. */
interface Clue {
  readonly account_id: string;
  readonly kind: IdKind;
  readonly record_id: string;
  readonly record_status: string | null;
  readonly amount: number | null;
  readonly reference: string | null;
  readonly at: Instant | null;
  readonly reason: ProposalReason;
}

const daySeconds = 86_400;
/** Records of the same amount are looked for within so many days of the money. */
const withinDays = 30;
const nearDays = 3;
const maximumProposals = 10;
/** Records of one amount that are looked at in each table: a common amount proves little. */
const maximumAlike = 20;
/** Shorter parts of a reference name too much. */
const shortestPart = 4;

/** How much a reason says: one says more than all that come after it. */
const weightOf = (reason: ProposalReason): number =>
  2 ** (proposalReasons.length - proposalReasons.indexOf(reason));

const clues = async (
  { db }: Reader,
  reason: ProposalReason,
  query: ReturnType<typeof sql<Omit<Clue, 'reason'>>>,
): Promise<Clue[]> => (await query.execute(db)).rows.map((row) => ({ ...row, reason }));

/** The account of the record that the bank named (rules/money-desk#3). */
function namedByBank({ account_id, named_id, named_type, ...row }: UnmatchedRow): Clue[] {
  if (account_id === null) return [];
  return [
    {
      account_id,
      kind: named_type ?? row.source_type,
      record_id: named_id ?? row.source_id,
      record_status: null,
      amount: null,
      reference: null,
      at: null,
      reason: 'named_by_bank',
    },
  ];
}

/** The clues from customers who have linked the bank account that it came from. */
const sameBankAccount = (reader: Reader, { linked_account_id }: UnmatchedRow) =>
  clues(
    reader,
    'same_bank_account',
    sql`select a.id as account_id, 'linked_account' as kind, l.id as record_id,
        l.status as record_status, null::bigint as amount, null as reference, null as at
      from linked_accounts l join accounts a on a.tenant_id = l.tenant_id
        and a.customer_id = l.customer_id
      where l.tenant_id = ${reader.tenantId} and l.id = ${linked_account_id}::uuid`,
  );

/** Loads, withdrawals and requests of the same amount that still miss their money. */
function sameAmount(reader: Reader, { amount, created_at, source_id }: UnmatchedRow) {
  const first = firstIdAt(addSeconds(created_at, -withinDays * daySeconds));
  const last = lastIdAt(addSeconds(created_at, withinDays * daySeconds));
  const of = (
    table: string,
    kind: IdKind,
    { account = 'account_id', statuses }: { account?: string; statuses: string },
  ) => sql`(select ${sql.ref(account)} as account_id, ${kind} as kind, id as record_id,
      status as record_status, amount, null as reference, created_at as at
    from ${sql.table(table)} where tenant_id = ${reader.tenantId} and amount = ${amount}
      and id >= ${first} and id < ${last} and id <> ${source_id} and status in (${sql.raw(statuses)})
    order by id desc limit ${maximumAlike})`;
  return clues(
    reader,
    'same_amount',
    sql`${of('loads', 'load', { statuses: "'requires_confirmation', 'processing', 'failed'" })}
      union all ${of('withdrawals', 'withdrawal', { statuses: "'processing', 'failed', 'settled'" })}
      union all ${of('payment_requests', 'payment_request', {
        account: 'merchant_account_id',
        statuses: "'open', 'expired'",
      })}`,
  );
}

/** The whole references of the bank, and their parts. */
const partsOf = (references: readonly string[]): string[] => [
  ...new Set(
    references
      .flatMap((text) => [text.trim(), ...text.split(/[^\p{L}\p{N}_-]+/u)])
      .filter(({ length }) => length >= shortestPart),
  ),
];

/** Requests and payments whose reference is one of the bank's, or stands in it. */
function sameReference(reader: Reader, { references, remittance }: UnmatchedRow) {
  const parts = partsOf(remittance === null ? references : [...references, remittance]);
  if (parts.length === 0) return [];
  const of = (table: string, kind: IdKind, account: string, column: string) => sql`(
    select ${sql.ref(account)} as account_id, ${kind} as kind, id as record_id,
      status as record_status, amount, ${sql.ref(column)} as reference, created_at as at
    from ${sql.table(table)} where tenant_id = ${reader.tenantId}
      and ${sql.ref(column)} = any(${parts}::text[]) order by id desc limit ${maximumAlike})`;
  const request = ['payment_requests', 'payment_request', 'merchant_account_id'] as const;
  const payment = ['payments', 'payment', 'payee_account_id'] as const;
  return clues(
    reader,
    'same_reference',
    sql`${of(...request, 'order_reference')} union all ${of(...request, 'collection_reference')}
      union all ${of(...payment, 'order_reference')} union all ${of(...payment, 'invoice_reference')}`,
  );
}

const daysApart = (one: Instant, other: Instant): number =>
  Math.floor(Math.abs(epochMs(one) - epochMs(other)) / (daySeconds * 1_000));

/** A record of the same amount that is close in time says so too. */
const withDates = (found: readonly Clue[], { created_at }: UnmatchedRow): Clue[] =>
  found.flatMap((clue) => {
    const isNear =
      clue.reason === 'same_amount' &&
      clue.at !== null &&
      daysApart(clue.at, created_at) <= nearDays;
    return isNear ? [clue, { ...clue, reason: 'near_date' as const }] : [clue];
  });

type Reason = MatchProposal['reasons'][number];

const shownReason = (clue: Clue, created_at: Instant): Reason => ({
  reason: clue.reason,
  record_id: publicId(clue.kind, clue.record_id),
  record_status: clue.record_status,
  amount: clue.amount,
  reference: clue.reference,
  days_apart: clue.at === null ? null : daysApart(clue.at, created_at),
});

/** One record for each reason, the closest in time: ten loads of one amount prove no more than one. */
function reasonsOf(found: readonly Clue[], { created_at }: UnmatchedRow): Reason[] {
  return proposalReasons.flatMap((reason) => {
    const [closest] = found
      .filter((clue) => clue.reason === reason)
      .map((clue) => shownReason(clue, created_at))
      .sort((a, b) => (a.days_apart ?? 0) - (b.days_apart ?? 0));
    return closest ? [closest] : [];
  });
}

interface Holder {
  readonly account_id: string;
  readonly account_status: string;
  readonly customer_id: string;
  readonly customer: string | null;
}

async function readHolders({ db, tenantId }: Reader, ids: readonly string[]): Promise<Holder[]> {
  const { rows } = await sql<Holder>`
    select a.id as account_id, a.status as account_status, a.customer_id,
      nullif(coalesce(c.trading_name, c.legal_name, concat_ws(' ', c.given_name, c.family_name)), '')
        as customer
    from accounts a join customers c on c.tenant_id = a.tenant_id and c.id = a.customer_id
    where a.tenant_id = ${tenantId} and a.id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

/** The accounts that the money may belong to, the likeliest first (rules/money-desk#3). */
export async function proposalsFor(reader: Reader, row: UnmatchedRow): Promise<MatchProposal[]> {
  const all = await Promise.all([
    namedByBank(row),
    sameReference(reader, row),
    sameBankAccount(reader, row),
    sameAmount(reader, row),
  ]);
  const found = withDates(all.flat(), row);
  const ids = [...new Set(found.map(({ account_id }) => account_id))];
  const holders = await readHolders(reader, ids);
  const ranked = holders.map((holder) => {
    const own = found.filter(({ account_id }) => account_id === holder.account_id);
    const reasons = reasonsOf(own, row);
    const weight = reasons.reduce((sum, { reason }) => sum + weightOf(reason), 0);
    return { holder, reasons, weight };
  });
  return ranked
    .sort((a, b) => b.weight - a.weight || (a.holder.account_id < b.holder.account_id ? -1 : 1))
    .slice(0, maximumProposals)
    .map(({ holder, reasons }) => ({
      account_id: publicId('account', holder.account_id),
      account_status: holder.account_status,
      customer_id: publicId('customer', holder.customer_id),
      customer: holder.customer,
      reasons,
    }));
}
