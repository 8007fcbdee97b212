import { assert } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import {
  addToCounter,
  assertWithinLimit,
  type CounterKey,
  type Counters,
  daysFrom,
  giveBack,
  type LimitedCustomer,
  loadCounters,
  usedOf,
} from './counters.ts';
import { addDays, type Day, easternDay, startOfDay } from './days.ts';
import { type CounterRow, limitCounters } from './table.ts';

/**
 * An amount that fits its customer's limits, and the Eastern Time day in which it will be counted.
 */
export interface CountedAmount {
  readonly day: Day;
  readonly customer: LimitedCustomer;
  readonly counters: Counters;
}

/**
 * Limits per transaction and per day; fees and refunds do not count. What fails or is canceled is
 * given back to the day in which it was counted (rules/limits#9).
 */
function dailyLimits(kind: 'payment' | 'withdrawal') {
  const daily = `${kind}_daily` as const;
  const keyOf = (period: Day): CounterKey => ({ kind: daily, period });

  return {
    /** The counters that `check` reads. */
    async load(read: Read, customerId: string): Promise<Counters> {
      const days = daysFrom(await read.now());
      return loadCounters(read, customerId, days.map(keyOf));
    },

    /** @throws ApiError limit_exceeded {limit, maximum, used, requested, resets_at?} */
    check(
      work: Work,
      counters: Counters | null,
      customer: LimitedCustomer,
      amountCents: number,
    ): CountedAmount {
      assert(counters !== null, "the customer's counters were loaded");
      const day = easternDay(work.now);
      assertWithinLimit(work, customer, {
        limit: `${kind}_per_transaction`,
        usedCents: 0,
        requestedCents: amountCents,
        resetsAt: null,
      });
      assertWithinLimit(work, customer, {
        limit: daily,
        usedCents: usedOf(counters, keyOf(day)),
        requestedCents: amountCents,
        resetsAt: startOfDay(addDays(day, 1)),
      });
      return { day, customer, counters };
    },

    count(work: Work, { counters, customer, day }: CountedAmount, amountCents: number): void {
      const atMost = work.tenant.settings.limits[daily][customer.type];
      addToCounter(work, counters, customer, keyOf(day), amountCents, atMost);
    },

    /** The counter in which an amount was counted. */
    loadCounted: (read: Read, customerId: string, day: Day): Promise<CounterRow | null> =>
      read.maybe(limitCounters, { customer_id: customerId, ...keyOf(day) }),

    /** The same counter as a path of references, from a row with its customer and day. */
    countedBy: (customer: string) => ({
      table: limitCounters,
      by: [
        {
          customer_id: { column: customer },
          kind: { is: daily },
          period: { column: 'counted_day' },
        },
      ],
    }),

    giveBack,
  };
}

/** Limits of a payer, for both sources. */
export const paymentLimits = dailyLimits('payment');
/** Limits of withdrawals that a customer requests; a payout at closing has none. */
export const withdrawalLimits = dailyLimits('withdrawal');
