import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import { businessDaysAfter, easternTime, endOfDay } from '../calendar/business_days.ts';
import { addDays, type Day, daysBetween, easternDay } from '../limits/days.ts';

/**
 * The deadlines of error resolution under Regulation E, 12 CFR 1005.11 (rules/disputes#23). Day 0
 * is the Eastern Time day of the notice and never counts.
 */

/** [1005.11(b)(1)(i)]: calendar days after the statement that first shows the movement. */
export const noticeDays = 60;
/**
 * [1005.11(c)(1), (c)(3)(i)]: business days to the determination or else the provisional credit.
 */
const creditBusinessDays = 10;
const newAccountBusinessDays = 20;
/** [1005.11(c)(3)(i)]: calendar days after the first deposit in which an account is new. */
const newAccountDays = 30;
/** [1005.11(c)(2)]: calendar days to the result; 45 in every case. */
const resultDays = 45;
/** Eastern Time at which the service itself acts on a day (rules/disputes#25). */
const actsAt = '09:00';

/** The facts of the disputed movement that the rules need. */
export interface Movement {
  /** Null: it was not posted. */
  readonly postedAt: Instant | null;
  /** When the first statement that shows it became available; null: there is none yet. */
  readonly statementAt: Instant | null;
  readonly isPaymentByBank: boolean;
}

export interface Notice {
  readonly type: 'error' | 'unauthorized_transfer' | 'purchase_dispute';
  readonly receivedAt: Instant;
  readonly isIndividual: boolean;
  /** Null: the customer named none, which [1005.11(b)(1)] allows. */
  readonly movement: Movement | null;
}

/** The last Eastern Time day on which a notice is in time, by that statement. */
export const lastNoticeDay = (statementAt: Instant): Day =>
  addDays(easternDay(statementAt), noticeDays);

/**
 * Whether a notice is under Regulation E (rules/disputes#5); never one of a business [1005.2(b)(1),
 * (e)].
 */
export const isUnderRegulationE = (notice: Notice): boolean =>
  isOfRegulationE(notice) && lateDaysOf(notice) === 0;

/** Whether Regulation E covers such a notice, when it comes in time. */
export function isOfRegulationE({ type, isIndividual, movement }: Notice): boolean {
  if (type === 'purchase_dispute' || !isIndividual) return false;
  // The customer's own bank holds the account of such a payment.
  return !movement?.isPaymentByBank;
}

/**
 * How many days too late the customer gave notice; 0: in time, or of a kind that Regulation E does
 * not cover (rules/disputes#41).
 */
export function lateDaysOf(notice: Notice): number {
  const statementAt = notice.movement?.statementAt ?? null;
  if (statementAt === null || !isOfRegulationE(notice)) return 0;
  return Math.max(0, daysBetween(lastNoticeDay(statementAt), easternDay(notice.receivedAt)));
}

/** Within how many business days a Tenant forwards a notice. */
const forwardingBusinessDays = 1;

/** How many days too late the Tenant forwarded a notice; 0: in time (rules/disputes#42). */
export const forwardedLateDays = (receivedAt: Instant, forwardedAt: Instant): number => {
  const last = businessDaysAfter(easternDay(receivedAt), forwardingBusinessDays);
  return Math.max(0, daysBetween(last, easternDay(forwardedAt)));
};

/** Whether a movement came within 30 days of the first deposit. */
export function isOfNewAccount(postedAt: Instant | null, firstDepositAt: Instant | null): boolean {
  if (postedAt === null || firstDepositAt === null) return false;
  return easternDay(postedAt) <= addDays(easternDay(firstDepositAt), newAccountDays);
}

export interface Deadlines {
  /** 09:00 Eastern Time of the day by which a determination or a provisional credit is due. */
  readonly credit: Instant;
  /** The end of the day by which the result is due. */
  readonly result: Instant;
}

export function deadlinesOf(receivedAt: Instant, isNewAccount: boolean): Deadlines {
  const day = easternDay(receivedAt);
  const count = isNewAccount ? newAccountBusinessDays : creditBusinessDays;
  return {
    credit: easternTime(businessDaysAfter(day, count), actsAt),
    result: endOfDay(resultDayOf(receivedAt)),
  };
}

/** The last day on which the result of a notice is in time. */
export const resultDayOf = (receivedAt: Instant): Day =>
  addDays(easternDay(receivedAt), resultDays);

/** 09:00 Eastern Time of the next business day. */
export const nextMorning = (now: Instant): Instant =>
  easternTime(businessDaysAfter(easternDay(now), 1), actsAt);

/** The end of the `count`th business day after an instant. */
export const endOfBusinessDays = (now: Instant, count: number): Instant =>
  endOfDay(businessDaysAfter(easternDay(now), count));

/** Business days between cause and deadline [1005.11(c)(1), (c)(2), (d)]. */
export const noticeBusinessDays = {
  credit: 2,
  correction: 1,
  result: 3,
  /** How long items are honored after the notice of denial. */
  reversal: 5,
} as const;
