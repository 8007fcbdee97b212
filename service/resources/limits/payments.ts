import type { Read } from '../../core/reader.ts';
import type { Work } from '../../core/work.ts';
import {
  type Counters,
  daysFrom,
  holdToLimit,
  holdToNetwork,
  type LimitedCustomer,
  raise,
  readCounters,
  usedOf,
} from './counters.ts';
import { addDays, type Day, easternDay, startOfDay } from './days.ts';
import { type CounterRow, limitCounters } from './table.ts';

/** Loads what `countPayment` judges by: the payer's counter of today. */
export async function readPaymentLimits(read: Read, payerCustomerId: string): Promise<Counters> {
  const days = daysFrom(await read.now());
  return readCounters(
    read,
    payerCustomerId,
    days.map((period) => ({ kind: 'payment_daily', period })),
  );
}

/** The counter in which a payment was counted, so that `giveBack` can lower it. */
export const readPaymentCounter = (
  read: Read,
  payment: { readonly payer_customer_id: string; readonly counted_day: Day },
): Promise<CounterRow | null> =>
  read.maybe(limitCounters, {
    customer_id: payment.payer_customer_id,
    kind: 'payment_daily',
    period: payment.counted_day,
  });

/**
 * Holds a new payment to its payer's limits and counts it (decisions 1.8: both sources; fees do not
 * count). Refunds give nothing back.
 * @returns the Eastern Time day in which it is counted, the payment's `counted_day`
 * @throws ApiError limit_exceeded {limit, maximum, used, requested, resets_at?}
 */
export function countPayment(
  work: Work,
  counters: Counters,
  payment: {
    readonly payer: LimitedCustomer;
    readonly amount: number;
    readonly source: 'balance' | 'bank_account';
  },
): Day {
  const { payer, amount } = payment;
  const day = easternDay(work.now);
  const counter = { kind: 'payment_daily', period: day } as const;
  holdToLimit(work, payer, {
    limit: 'payment_per_transaction',
    usedCents: 0,
    requestedCents: amount,
    resetsAt: null,
  });
  holdToLimit(work, payer, {
    limit: 'payment_daily',
    usedCents: usedOf(counters, counter),
    requestedCents: amount,
    resetsAt: startOfDay(addDays(day, 1)),
  });
  if (payment.source === 'bank_account') holdToNetwork(amount);
  raise(work, counters, payer, counter, amount);
  return day;
}
