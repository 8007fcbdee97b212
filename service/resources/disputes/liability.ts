import type { LiabilityTier } from '@tenant-payments/contract/resources/dispute_cases.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import { businessDaysAfter } from '../calendar/business_days.ts';
import { addDays, type Day, easternDay } from '../limits/days.ts';
import { noticeDays } from './regulation_e.ts';

/** The part that a consumer bears of an unauthorized transfer at most, 12 CFR 1005.6(b) (rules/disputes#55). */

/** [1005.6(b)(1)]: business days after learning of the loss or theft. */
const learningBusinessDays = 2;
const fifty = 50_00;
const fiveHundred = 500_00;

/** The facts that a reviewer has found out about an unauthorized transfer. */
export interface LiabilityFacts {
  /** When the customer learned that the phone or another means of access was lost or stolen; null: none was. */
  readonly learnedOn: Day | null;
  /** When a statement was sent that showed an earlier unauthorized transfer; null: none did. */
  readonly shownOn: Day | null;
  /** The delay is accepted, which extends both times [1005.6(b)(4)]. */
  readonly isExtenuating: boolean;
}

export interface LiabilityLimit {
  readonly tier: LiabilityTier;
  /** Cents. */
  readonly maximum: number;
}

/**
 * The tier of one transfer.
 * @param moved when it was posted
 * @param noticeAt when the customer gave notice
 * @param amount of the transfer, in cents
 */
export function liabilityLimit(
  { learnedOn, shownOn, isExtenuating }: LiabilityFacts,
  { moved, noticeAt, amount }: { moved: Instant; noticeAt: Instant; amount: number },
): LiabilityLimit {
  const limit = (tier: LiabilityTier, maximum: number) => ({
    tier,
    maximum: Math.min(maximum, amount),
  });
  // [1005.6(b)(3)]: only what came after the 60 days, and a notice in time would have prevented.
  const isAfterStatement = shownOn !== null && easternDay(moved) > addDays(shownOn, noticeDays);
  if (isAfterStatement && !isExtenuating) return limit('unlimited', amount);
  if (learnedOn === null) return limit('none', 0);
  const last = businessDaysAfter(learnedOn, learningBusinessDays);
  const isInTime = isExtenuating || easternDay(noticeAt) <= last;
  // [1005.6(b)(2)]: of what came within the two business days it is $50 all the same.
  return isInTime || easternDay(moved) <= last
    ? limit('fifty', fifty)
    : limit('five_hundred', fiveHundred);
}
