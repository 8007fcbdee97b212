import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import {
  addToCounter,
  assertNetworkMaximum,
  assertWithinLimit,
  type CounterKey,
  type Counters,
  daysFrom,
  giveBack,
  type LimitedCustomer,
  loadCounters,
  usedOf,
} from './counters.ts';
import { addDays, blockStart, type Day, easternDay, startOfDay } from './days.ts';
import { type CounterRow, limitCounters } from './table.ts';

const blockDays = 30;

/** Open loads have no period: the epoch's first day stands for none (rules/limits#8). */
const openLoads: CounterKey = { kind: 'open_loads', period: '1970-01-01' };

/** The first day of the 30-day block, counted from the account's opening date, that holds `day`. */
const blockOf = (openedAt: Instant, day: Day): Day =>
  blockStart(easternDay(openedAt), day, blockDays);

/** The counters of a load: its `counted_day` and `counted_block`. */
export interface CountedIn {
  readonly counted_day: Day;
  readonly counted_block: Day;
}

/** The counters that `countLoad` reads. */
export async function loadLimitsOfNewLoad(
  read: Read,
  account: { readonly customer_id: string; readonly opened_at: Instant },
): Promise<Counters> {
  const days = daysFrom(await read.now());
  const blocks = new Set(days.map((day) => blockOf(account.opened_at, day)));
  return loadCounters(read, account.customer_id, [
    ...days.map((period): CounterKey => ({ kind: 'load_daily', period })),
    ...[...blocks].map((period): CounterKey => ({ kind: 'load_30_day', period })),
    openLoads,
  ]);
}

export interface NewLoad {
  readonly customer: LimitedCustomer;
  readonly openedAt: Instant;
  /** The account's balance now, all pockets, in cents. */
  readonly ledgerCents: number;
  readonly amount: number;
}

/**
 * Checks a new load against the customer's limits, in the order of rules/limits#6, and counts it.
 * @throws ApiError limit_exceeded {limit, maximum, used, requested, resets_at?}
 */
export function countLoad(work: Work, counters: Counters, load: NewLoad): CountedIn {
  const { customer, amount } = load;
  const day = easternDay(work.now);
  const block = blockOf(load.openedAt, day);
  const daily: CounterKey = { kind: 'load_daily', period: day };
  const monthly: CounterKey = { kind: 'load_30_day', period: block };
  const checkLimit = (
    limit: Parameters<typeof assertWithinLimit>[2]['limit'],
    usedCents: number,
    resetsAt: Instant | null,
  ) => assertWithinLimit(work, customer, { limit, usedCents, requestedCents: amount, resetsAt });
  checkLimit('load_per_transaction', 0, null);
  checkLimit('load_daily', usedOf(counters, daily), startOfDay(addDays(day, 1)));
  checkLimit('load_30_day', usedOf(counters, monthly), startOfDay(addDays(block, blockDays)));
  checkLimit('balance_maximum', load.ledgerCents + usedOf(counters, openLoads), null);
  assertNetworkMaximum(amount);
  const most = (limit: 'load_daily' | 'load_30_day' | 'balance_maximum') =>
    work.tenant.settings.limits[limit][customer.type];
  const mostAtOnce = most('balance_maximum');
  const count = (key: CounterKey, atMost: number | null) =>
    addToCounter(work, counters, customer, key, amount, atMost);
  count(daily, most('load_daily'));
  count(monthly, most('load_30_day'));
  count(openLoads, mostAtOnce === null ? null : mostAtOnce - load.ledgerCents);
  return { counted_day: day, counted_block: block };
}

/** The three counters in which a load was counted. */
export interface LoadCounters {
  readonly day: CounterRow | null;
  readonly block: CounterRow | null;
  readonly open: CounterRow | null;
}

export async function loadLimitsOfLoad(
  read: Read,
  load: CountedIn & { readonly customer_id: string },
): Promise<LoadCounters> {
  const counter = (key: CounterKey) =>
    read.maybe(limitCounters, { customer_id: load.customer_id, ...key });
  const [day, block, open] = await Promise.all([
    counter({ kind: 'load_daily', period: load.counted_day }),
    counter({ kind: 'load_30_day', period: load.counted_block }),
    counter(openLoads),
  ]);
  return { day, block, open };
}

/** A load that ends is no longer open; one that fails is not counted at all (rules/limits#9). */
export function uncountLoad(
  work: Work,
  counters: LoadCounters,
  amountCents: number,
  outcome: 'settled' | 'failed',
): void {
  giveBack(work, counters.open, amountCents);
  if (outcome === 'settled') return;
  giveBack(work, counters.day, amountCents);
  giveBack(work, counters.block, amountCents);
}
