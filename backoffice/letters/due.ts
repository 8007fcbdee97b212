import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import { businessDaysAfter } from '@tenant-payments/service/resources/calendar/business_days.ts';
import { noticeBusinessDays } from '@tenant-payments/service/resources/disputes/regulation_e.ts';
import {
  isLiabilityLimited,
  isReasserted,
} from '@tenant-payments/service/resources/disputes/table.ts';
import { addDays, type Day, easternDay } from '@tenant-payments/service/resources/limits/days.ts';
import type { LetterKind, LetterReason } from '../contract/operate/dispute_letters.ts';
import type { LetterFacts } from './facts.ts';

/** The letter that each outcome is told by (rules/disputes#46). */
const letterOf = {
  approved: 'correction',
  partially_approved: 'result',
  refunded_by_merchant: 'result',
  withdrawn: 'result',
  denied: 'denial',
} as const;

/**
 * How a letter got its day: `fixed` by what it is about; of one that names a debit `given`, since it was given on it, or
 * `today`, since it still must be (rules/disputes#68).
 */
type Dating = 'fixed' | 'given' | 'today';

/** The date of a letter, or why it cannot be written. */
export type Due =
  | { readonly day: Day; readonly reason: null; readonly dating: Dating }
  | { readonly day: null; readonly reason: LetterReason };

const never = (reason: LetterReason): Due => ({ day: null, reason });
const dated = (at: Instant, dating: Dating = 'fixed'): Due => ({
  day: easternDay(at),
  reason: null,
  dating,
});

/** The five business days before a debit run from when its letter is given, and not from the determination [1005.11(d)(2)]. */
function datedResult({ dispute, resultGivenAt, now }: LetterFacts, resolvedAt: Instant): Due {
  if (debitOf({ dispute }, easternDay(resolvedAt)) === null) return dated(resolvedAt);
  return resultGivenAt === null ? dated(now, 'today') : dated(resultGivenAt, 'given');
}

/** Whether a letter can be written, and of which day it is (rules/disputes#46, #68). */
export function dueOf(facts: LetterFacts, kind: LetterKind): Due {
  const { dispute, isErased, creditedAt } = facts;
  const { linked_to, outcome, resolved_at, provisional_credit_amount } = dispute;
  if (linked_to !== null) return never('linked');
  if (isErased) return never('customer_erased');
  const received = dated(dispute.created_at);
  if (kind === 'late_notice')
    return isLiabilityLimited(dispute) && dispute.notice_late_days > 0
      ? received
      : never('in_time');
  if (kind === 'reasserted') return isReasserted(dispute) ? received : never('not_reasserted');
  if (kind === 'provisional_credit')
    return provisional_credit_amount === null || creditedAt === null
      ? never('not_credited')
      : dated(creditedAt);
  if (outcome === null || resolved_at === null) return never('unresolved');
  // The letter at its receipt has said it.
  if (isReasserted(dispute) && outcome === 'denied') return never('reasserted');
  return letterOf[outcome] === kind ? datedResult(facts, resolved_at) : never('other_outcome');
}

/** How a credit above the award is taken back (rules/disputes#30). */
export interface Debit {
  /** Cents. */
  readonly amount: number;
  /** The fifth business day after the letter; the debit is on the day after it. */
  readonly honoredThrough: Day;
  readonly day: Day;
}

/** Null: nothing is to be taken back, or the account is closed (rules/disputes#33). */
export function debitOf({ dispute }: Pick<LetterFacts, 'dispute'>, day: Day): Debit | null {
  const { credited_cents, award_cents, credit_route } = dispute;
  const amount = credited_cents - (award_cents ?? 0);
  if (amount <= 0 || credit_route !== 'account') return null;
  const honoredThrough = businessDaysAfter(day, noticeBusinessDays.reversal);
  return { amount, honoredThrough, day: addDays(honoredThrough, 1) };
}
