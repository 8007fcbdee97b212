import type { Instant } from '../../core/instant.ts';
import { businessDaysAfter, easternTime, endOfDay } from '../calendar/business_days.ts';
import { addDays, type Day, easternDay } from '../limits/days.ts';

/**
 * Error resolution under Regulation E, 12 CFR 1005.11, as dates (decisions 1.5). Day 0 is the Eastern
 * Time day of the notice, and never counts.
 */

/** [1005.11(b)(1)(i)]: after the statement that first shows the movement. */
const noticeDays = 60;
/** [1005.11(c)(1), (c)(3)(i)]: business days to the determination or else the provisional credit. */
const creditBusinessDays = 10;
const newAccountBusinessDays = 20;
/** [1005.11(c)(3)(i)]: calendar days after the first deposit in which an account is new. */
const newAccountDays = 30;
/** [1005.11(c)(2)]: calendar days to the result; 45 is kept for every case. */
const resultDays = 45;
/** When a bank's day begins: of credits that fall due, and of what is done on the next business day. */
const opens = '09:00';

/** What is disputed, as far as the rules ask. */
export interface Movement {
  /** When it was posted; null: it has not been. */
  readonly postedAt: Instant | null;
  /** When the statement was there that first shows it; null: none does yet. */
  readonly statementAt: Instant | null;
  readonly isPaymentByBank: boolean;
}

export interface Notice {
  readonly type: 'error' | 'unauthorized_transfer' | 'purchase_dispute';
  readonly receivedAt: Instant;
  readonly isIndividual: boolean;
  /** Null: the customer named none; identity and belief suffice [1005.11(b)(1)]. */
  readonly movement: Movement | null;
}

/** The last Eastern Time day on which notice is in time of what a statement was the first to show. */
export const lastNoticeDay = (statementAt: Instant): Day =>
  addDays(easternDay(statementAt), noticeDays);

/** Whether a notice is handled under Regulation E. Businesses never are [1005.2(b)(1), (e)]. */
export function isUnderRegulationE(notice: Notice): boolean {
  const { type, isIndividual, movement, receivedAt } = notice;
  if (type === 'purchase_dispute' || !isIndividual) return false;
  // The customer's own bank holds the account that such a payment was made from.
  if (movement?.isPaymentByBank) return false;
  const statementAt = movement?.statementAt ?? null;
  return statementAt === null || easternDay(receivedAt) <= lastNoticeDay(statementAt);
}

/** A movement within 30 days of the first deposit is one of a new account. */
export function isOfNewAccount(postedAt: Instant | null, firstDepositAt: Instant | null): boolean {
  if (postedAt === null || firstDepositAt === null) return false;
  return easternDay(postedAt) <= addDays(easternDay(firstDepositAt), newAccountDays);
}

export interface Deadlines {
  /** 09:00 Eastern Time of the day by which there is a determination or a provisional credit. */
  readonly credit: Instant;
  /** The end of the day by which there is a result. */
  readonly result: Instant;
}

export function deadlinesOf(receivedAt: Instant, isNewAccount: boolean): Deadlines {
  const day = easternDay(receivedAt);
  const count = isNewAccount ? newAccountBusinessDays : creditBusinessDays;
  return {
    credit: easternTime(businessDaysAfter(day, count), opens),
    result: endOfDay(addDays(day, resultDays)),
  };
}

/** 09:00 Eastern Time of the next business day. */
export const nextMorning = (now: Instant): Instant =>
  easternTime(businessDaysAfter(easternDay(now), 1), opens);

/** The end of the `count`th business day after an instant. */
export const endOfBusinessDays = (now: Instant, count: number): Instant =>
  endOfDay(businessDaysAfter(easternDay(now), count));

/** Business days after their cause [1005.11(c)(1), (c)(2), (d)]. */
export const noticeBusinessDays = {
  credit: 2,
  correction: 1,
  result: 3,
  /** Items are honored so long after the notice of denial. */
  reversal: 5,
} as const;
