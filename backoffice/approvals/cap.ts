import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { RowOf } from '@tenant-payments/engine/table.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { daysFrom } from '@tenant-payments/service/resources/limits/counters.ts';
import { type Day, easternDay } from '@tenant-payments/service/resources/limits/days.ts';
import { approvalCap } from '../contract/operate/approvals.ts';
import { approvalSums } from './table.ts';

/** The sums approved so far on the days on which the command can be decided; null: none yet. */
export type Sums = ReadonlyMap<Day, RowOf<typeof approvalSums> | null>;

export async function loadSums(read: Read): Promise<Sums> {
  const days = daysFrom(await read.now());
  const rows = await Promise.all(days.map((day) => read.maybe(approvalSums, day)));
  return new Map(days.map((day, index) => [day, rows[index] ?? null]));
}

/** Whether the amount passes the cap of the day (rules/approvals#9). */
export const passesCap = ({ now }: Work, sums: Sums, amount: number): boolean =>
  (sums.get(easternDay(now))?.approved ?? 0) + amount > approvalCap;

/** Counts what is approved. */
export function count({ now, change, create }: Work, sums: Sums, amount: number): void {
  const day = easternDay(now);
  const row = sums.get(day);
  if (row) change<typeof approvalSums>(row, { approved: row.approved + amount });
  else create(approvalSums, { day, approved: amount });
}
