import { assert } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { column, orNull, type RowOf, table } from '@tenant-payments/engine/table.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { daysFrom, limitExceeded } from './counters.ts';
import { addDays, type Day, easternDay, startOfDay } from './days.ts';

/**
 * The withdrawals of all customers on a day, where the Tenant has a maximum of them (rules/limits#25). A command that
 * counts adds to a sum, up to the maximum (rules/records#18).
 */
export const payoutSums = table({
  name: 'payout_sums',
  key: ['day'],
  columns: {
    day: column.date,
    used: column.cents,
    /** The maximum when it last rose. */
    at_most_cents: orNull(column.cents),
  },
  proof: 'none',
  sum: 'used',
  most: 'at_most_cents',
});
type PayoutSum = RowOf<typeof payoutSums>;

/** The sums of the days in which a command may be decided; null where nothing was counted yet. */
type PayoutSums = ReadonlyMap<Day, PayoutSum | null>;

export async function loadPayoutSums(read: Read): Promise<PayoutSums> {
  const days = daysFrom(await read.now());
  const rows = await Promise.all(days.map((day) => read.maybe(payoutSums, day)));
  return new Map(days.map((day, index) => [day, rows[index] ?? null]));
}

function find(sums: PayoutSums, day: Day): PayoutSum | null {
  const sum = sums.get(day);
  assert(sum !== undefined, `the payouts of ${day} were loaded`);
  return sum;
}

/** @throws ApiError limit_exceeded {limit: payout_daily_maximum} */
export function assertPayoutFits(work: Work, sums: PayoutSums, amountCents: number): void {
  const maximum = work.tenant.settings.payout_daily_maximum;
  if (maximum === null) return;
  const day = easternDay(work.now);
  const usedCents = find(sums, day)?.used ?? 0;
  if (usedCents + amountCents > maximum)
    throw limitExceeded({
      limit: 'payout_daily_maximum',
      maximum,
      usedCents,
      requestedCents: amountCents,
      resetsAt: startOfDay(addDays(day, 1)),
    });
}

/** Counts a withdrawal where the Tenant has a maximum. @returns whether it is counted */
export function countPayout(work: Work, sums: PayoutSums, amountCents: number): boolean {
  const maximum = work.tenant.settings.payout_daily_maximum;
  if (maximum === null) return false;
  const day = easternDay(work.now);
  const sum = find(sums, day);
  if (sum) work.add(sum, amountCents, maximum);
  else work.create(payoutSums, { day, used: amountCents, at_most_cents: maximum });
  return true;
}

/** Takes a failed withdrawal from the sum in which it was counted, whatever day it is now. */
export function givePayoutBack(work: Work, sum: PayoutSum | null, amountCents: number): void {
  assert(sum !== null && sum.used >= amountCents, 'what is given back was counted');
  work.add(sum, -amountCents, null);
}
