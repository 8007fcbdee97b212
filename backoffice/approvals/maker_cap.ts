import { type Actor, actorName } from '@tenant-payments/engine/actor.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { column, type RowOf, table } from '@tenant-payments/engine/table.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type Day, easternDay } from '@tenant-payments/service/resources/limits/days.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { approvalCap } from '../contract/operate/approvals.ts';
import { count, loadSums, passesCap, type Sums } from './cap.ts';

/** Cents that one person has moved alone on a day, over all Tenants (rules/approvals#9). */
export const makerSums = table({
  name: 'control.maker_sums',
  of: 'platform',
  key: ['maker', 'day'],
  columns: { maker: column.text, day: column.date, moved: column.cents },
});

/** The key of a sum: a person, and a day of real time, since the clocks of Tenants differ in a sandbox. */
export interface MakerDay {
  readonly maker: string;
  readonly day: Day;
}

/** The API keys of a person count to the person; one that no person stands behind counts by itself. */
export const makerDayOf = (
  { clocks }: Pick<Service, 'clocks'>,
  { kind, id, personId }: Actor,
): MakerDay => ({
  maker: actorName(personId === null ? { kind, id } : { kind: 'person', id: personId }),
  day: easternDay(instantOf(clocks.realNow())),
});

/** The sums of the day, of the Tenant and of the maker, that count against one person alone. */
export interface AloneSums {
  readonly ofTenant: Sums;
  readonly ofMaker: RowOf<typeof makerSums> | null;
}

export async function loadAloneSums(read: Read, { maker, day }: MakerDay): Promise<AloneSums> {
  const [ofTenant, ofMaker] = await Promise.all([
    loadSums(read),
    read.maybe(makerSums, { maker, day }),
  ]);
  return { ofTenant, ofMaker };
}

/** Whether the amount passes the Tenant's cap of the day, or that of its maker. */
export const passesAlone = (
  work: Work,
  { ofTenant, ofMaker }: AloneSums,
  amount: number,
): boolean => passesCap(work, ofTenant, amount) || (ofMaker?.moved ?? 0) + amount > approvalCap;

/** Counts what its maker moves alone, to both. */
export function countAlone(
  work: Work,
  { ofTenant, ofMaker }: AloneSums,
  { maker, day }: MakerDay,
  amount: number,
): void {
  count(work, ofTenant, amount);
  if (ofMaker) work.change<typeof makerSums>(ofMaker, { moved: ofMaker.moved + amount });
  else work.create(makerSums, { maker, day, moved: amount });
}
