import { assert } from '../../core/fail.ts';
import type { Read } from '../../core/reader.ts';
import type { Work } from '../../core/work.ts';
import {
  type CounterKey,
  type Counters,
  daysFrom,
  giveBack,
  holdToLimit,
  type LimitedCustomer,
  raise,
  readCounters,
  usedOf,
} from './counters.ts';
import { addDays, type Day, easternDay, startOfDay } from './days.ts';
import { type CounterRow, limitCounters } from './table.ts';

const dailyOf = (day: Day): CounterKey => ({ kind: 'payment_daily', period: day });

/** A payment that fits its payer's limits, and the Eastern Time day in which it will be counted. */
export interface CountedPayment {
  readonly day: Day;
  readonly payer: LimitedCustomer;
  readonly counters: Counters;
}

/**
 * A payer's limits: per payment and per day, for both sources; fees and refunds do not count
 * (decisions 1.8). A payment that fails or is canceled is given back to the day it was counted in.
 */
export const payerLimits = {
  /** What `check` judges by. */
  async load(read: Read, payerCustomerId: string): Promise<Counters> {
    const days = daysFrom(await read.now());
    return readCounters(read, payerCustomerId, days.map(dailyOf));
  },

  /** @throws ApiError limit_exceeded {limit, maximum, used, requested, resets_at?} */
  check(
    work: Work,
    counters: Counters | null,
    payer: LimitedCustomer,
    amountCents: number,
  ): CountedPayment {
    assert(counters !== null, "the payer's counters were loaded");
    const day = easternDay(work.now);
    holdToLimit(work, payer, {
      limit: 'payment_per_transaction',
      usedCents: 0,
      requestedCents: amountCents,
      resetsAt: null,
    });
    holdToLimit(work, payer, {
      limit: 'payment_daily',
      usedCents: usedOf(counters, dailyOf(day)),
      requestedCents: amountCents,
      resetsAt: startOfDay(addDays(day, 1)),
    });
    return { day, payer, counters };
  },

  count(work: Work, { counters, payer, day }: CountedPayment, amountCents: number): void {
    raise(work, counters, payer, dailyOf(day), amountCents);
  },

  /** The counter in which a payment was counted. */
  loadCounted: (read: Read, payerCustomerId: string, day: Day): Promise<CounterRow | null> =>
    read.maybe(limitCounters, { customer_id: payerCustomerId, ...dailyOf(day) }),

  giveBack,
};
