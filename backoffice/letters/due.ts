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

/** The date of a letter, or why it cannot be written. */
export type Due =
  | { readonly day: Day; readonly reason: null }
  | { readonly day: null; readonly reason: LetterReason };

const never = (reason: LetterReason): Due => ({ day: null, reason });

/** Whether a letter can be written, and of which day it is (rules/disputes#46). */
export function dueOf({ dispute, isErased, creditedAt }: LetterFacts, kind: LetterKind): Due {
  const { linked_to, outcome, resolved_at, provisional_credit_amount } = dispute;
  if (linked_to !== null) return never('linked');
  if (isErased) return never('customer_erased');
  const received = { day: easternDay(dispute.created_at), reason: null };
  if (kind === 'late_notice')
    return isLiabilityLimited(dispute) && dispute.notice_late_days > 0
      ? received
      : never('in_time');
  if (kind === 'reasserted') return isReasserted(dispute) ? received : never('not_reasserted');
  if (kind === 'provisional_credit')
    return provisional_credit_amount === null || creditedAt === null
      ? never('not_credited')
      : { day: easternDay(creditedAt), reason: null };
  if (outcome === null || resolved_at === null) return never('unresolved');
  // The letter at its receipt has said it.
  if (isReasserted(dispute) && outcome === 'denied') return never('reasserted');
  return letterOf[outcome] === kind
    ? { day: easternDay(resolved_at), reason: null }
    : never('other_outcome');
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
