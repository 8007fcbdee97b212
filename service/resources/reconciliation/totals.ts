import {
  type RecipeName,
  recipeOf,
  type TransactionType,
} from '@tenant-payments/contract/recipes.ts';
import { assert } from '../../core/fail.ts';
import type { Day } from '../limits/days.ts';
import type { Ask } from './closed_period.ts';
import { spanOf } from './day.ts';

/** What a day's postings add up to, in cents; `adjustments` and `change` are signed. */
export interface Totals {
  loads: number;
  payments_balance: number;
  payments_bank: number;
  withdrawals: number;
  refunds_balance: number;
  refunds_bank: number;
  fees: number;
  adjustments: number;
  fee_clearing_swept: number;
  postings_count: number;
  /** Of all customers' balances. */
  change: number;
}

/** What a report and its file count: financial entries, and those of the fee clearing position. */
export const isPosting =
  "(transaction_type is not null or pocket in ('fees_platform', 'fees_tenant'))";
/** When it was posted; its index is `entries_day`. */
export const postedAt = 'coalesce(posted_at, created_at)';

/** Postings of one recipe and type. `type` is null for the fee clearing position. */
export interface Sum {
  readonly step: RecipeName;
  readonly type: TransactionType | null;
  readonly count: number;
  readonly amount: number;
  readonly delta: number;
}

type Bucket = 'loads' | 'payments' | 'withdrawals' | 'refunds' | 'adjustments';

/** Where a Transaction is counted. What has two sides is counted by the one that every kind has. */
const buckets: Readonly<Record<TransactionType, Bucket | null>> = {
  load: 'loads',
  payment_sent: null,
  payment_received: 'payments',
  withdrawal: 'withdrawals',
  refund_sent: 'refunds',
  refund_received: null,
  dispute_credit: 'adjustments',
  dispute_reversal: 'adjustments',
  adjustment: 'adjustments',
};

const isByBank = (step: RecipeName): boolean =>
  recipeOf(step).transfers.some((transfer) => transfer.slice(0, 2).includes('tenant.cash'));

const none: Totals = {
  loads: 0,
  payments_balance: 0,
  payments_bank: 0,
  withdrawals: 0,
  refunds_balance: 0,
  refunds_bank: 0,
  fees: 0,
  adjustments: 0,
  fee_clearing_swept: 0,
  postings_count: 0,
  change: 0,
};

/** Adds sums up to a day's totals. */
export function totalsOf(sums: readonly Sum[]): Totals {
  const totals = { ...none };
  for (const { step, type, count, amount, delta } of sums) {
    totals.postings_count += count;
    if (type === null) {
      if (step === 'fees_swept') totals.fee_clearing_swept -= delta;
      else totals.fees += delta;
      continue;
    }
    totals.change += delta;
    const bucket = buckets[type];
    if (bucket === 'adjustments') totals.adjustments += delta;
    else if (bucket === 'payments' || bucket === 'refunds')
      totals[`${bucket}_${isByBank(step) ? 'bank' : 'balance'}`] += amount;
    else if (bucket !== null) totals[bucket] += amount;
  }
  return totals;
}

/** Adding up a million postings takes a third of a second of one processor: so many may have two. */
const many = 20_000;
/** The planner cannot know: it expects few of any day, and helpers to cost more than they bring. */
const share = `select set_config(name, setting, true) from (values ('parallel_setup_cost', '0'),
  ('max_parallel_workers_per_gather', '1'), ('min_parallel_table_scan_size', '0'),
  ('min_parallel_index_scan_size', '0')) settings(name, setting)`;

/** All of a day's postings, added up by the database in the transaction that `ask` reads in. */
export async function readTotals(ask: Ask, tenantId: string, day: Day): Promise<Totals> {
  const { from, to } = spanOf(day);
  const postings = `entries where tenant_id = $1 and ${postedAt} >= $2 and ${postedAt} < $3
    and ${isPosting}`;
  const values = [tenantId, from, to];
  const beyond = await ask(`select from ${postings} offset ${many} limit 1`, values);
  if (beyond.length > 0) await ask(share, []);
  const sums = await ask<Sum>(
    `select step, transaction_type as type, count(*) as count, sum(delta)::bigint as delta,
        coalesce(sum(amount), 0)::bigint as amount
      from ${postings} group by step, transaction_type`,
    values,
  );
  return totalsOf(sums);
}

/**
 * The balance of all customers at the end of a day that began with `opening`.
 * @throws when the totals do not lead there: 2.3, number 15
 */
export function closingOf(opening: number, totals: Totals): number {
  const { loads, payments_bank, withdrawals, refunds_bank, fees, adjustments, change } = totals;
  const closing = opening + loads + payments_bank - withdrawals - refunds_bank - fees + adjustments;
  assert(closing === opening + change, 'the totals of a day lead from its opening to its closing');
  return closing;
}
