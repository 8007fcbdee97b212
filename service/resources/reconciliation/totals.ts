import { sweepSteps } from '@tenant-payments/contract/own_recipes.ts';
import {
  type RecipeName,
  recipeOf,
  type TransactionType,
} from '@tenant-payments/contract/recipes.ts';
import { assert } from '@tenant-payments/engine/fail.ts';
import type { Day } from '../limits/days.ts';
import type { Query } from './closed_period.ts';
import { spanOf } from './day.ts';

/** The sums of a day's postings in cents; `adjustments` and `change` are signed. */
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
  /** The change of all customers' balances. */
  change: number;
}

/** The entries that report and file count: financial entries and those of the fee clearing position. */
export const isPosting =
  "(transaction_type is not null or pocket in ('fees_platform', 'fees_tenant'))";
/** When an entry was posted; indexed by `entries_day`. */
export const postedAt = 'coalesce(posted_at, created_at)';

/** The sum of the postings of one recipe and type; `type` null: the fee clearing position. */
export interface Sum {
  readonly step: RecipeName;
  readonly type: TransactionType | null;
  readonly count: number;
  readonly amount: number;
  readonly delta: number;
}

type Bucket = 'loads' | 'payments' | 'withdrawals' | 'refunds' | 'adjustments';

/** The bucket of a Transaction. Of two sides only one is counted (rules/reports#8). */
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

const isSweep = (step: RecipeName): boolean => (sweepSteps as readonly RecipeName[]).includes(step);
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

/** Adds up a day's totals. */
export function totalsOf(sums: readonly Sum[]): Totals {
  const totals = { ...none };
  for (const { step, type, count, amount, delta } of sums) {
    totals.postings_count += count;
    if (type === null) {
      if (isSweep(step)) totals.fee_clearing_swept -= delta;
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

/** From this many postings on, two processors: a million take 0.3 s of one. */
const parallelFrom = 20_000;
/** Lets the planner use a second processor: it expects too few rows of a day. */
const parallelSettings = `select set_config(name, setting, true) from (values ('parallel_setup_cost', '0'),
  ('max_parallel_workers_per_gather', '1'), ('min_parallel_table_scan_size', '0'),
  ('min_parallel_index_scan_size', '0')) settings(name, setting)`;

/** A day's totals, added up by the database in the transaction of `query`. */
export async function readTotals(query: Query, tenantId: string, day: Day): Promise<Totals> {
  const { from, to } = spanOf(day);
  const postings = `entries where tenant_id = $1 and ${postedAt} >= $2 and ${postedAt} < $3
    and ${isPosting}`;
  const values = [tenantId, from, to];
  const beyond = await query(`select from ${postings} offset ${parallelFrom} limit 1`, values);
  if (beyond.length > 0) await query(parallelSettings, []);
  const sums = await query<Sum>(
    `select step, transaction_type as type, count(*) as count, sum(delta)::bigint as delta,
        coalesce(sum(amount), 0)::bigint as amount
      from ${postings} group by step, transaction_type`,
    values,
  );
  return totalsOf(sums);
}

/**
 * The balance of all customers at the end of a day that opened with `opening`, in cents.
 * @throws when the totals do not add up (rules/reports#7)
 */
export function closingOf(opening: number, totals: Totals): number {
  const { loads, payments_bank, withdrawals, refunds_bank, fees, adjustments, change } = totals;
  const closing = opening + loads + payments_bank - withdrawals - refunds_bank - fees + adjustments;
  assert(closing === opening + change, 'the totals of a day add up from opening to closing');
  return closing;
}
