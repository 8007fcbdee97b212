import type { disputeTypes } from '@tenant-payments/contract/core/dispute_types.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import { addDays, easternDay } from '../limits/days.ts';
import type { PaymentRow } from '../payments/table.ts';
import type { NoticeFacts } from './facts.ts';
import {
  type Deadlines,
  deadlinesOf,
  isOfNewAccount,
  isOfRegulationE,
  lateDaysOf,
  noticeDays,
} from './regulation_e.ts';
import { type DisputeRow, handledAs } from './table.ts';

export type DisputeKind = (typeof disputeTypes)[number];

/** The facts that decide how a notice is handled. */
export interface RuleFacts {
  readonly kind: DisputeKind;
  readonly receivedAt: Instant;
  readonly isIndividual: boolean;
  /** The payment that it names, directly or by a Transaction. */
  readonly payment: PaymentRow | null;
  readonly facts: NoticeFacts;
  /** Earlier notices of the customer and the movement. */
  readonly before: readonly DisputeRow[];
}

/** How a notice is handled by the law (rules/disputes#5, #41, #58). */
export interface Rule {
  readonly regulation_e: boolean;
  readonly notice_late_days: number;
  readonly reasserted_of: string | null;
  readonly deadlines: Deadlines;
}

const answers: readonly DisputeRow['outcome'][] = ['approved', 'partially_approved', 'denied'];

/** The latest notice of this kind that was answered in full; null: there is none (rules/disputes#58). */
const answeredOf = ({ before, kind }: RuleFacts): DisputeRow | null =>
  before
    .filter(
      (one) =>
        one.linked_to === null &&
        one.status === 'closed' &&
        answers.includes(one.outcome) &&
        handledAs(one) === kind,
    )
    .reduce<DisputeRow | null>(
      (last, one) => (last && last.created_at > one.created_at ? last : one),
      null,
    );

/** Within 60 days after the customer was given the documents [1005.11(b)(3), (e)] (rules/disputes#59). */
function isAfterPapers({ papers_given_at }: DisputeRow, { receivedAt }: RuleFacts): boolean {
  if (papers_given_at === null || receivedAt < papers_given_at) return false;
  return easternDay(receivedAt) <= addDays(easternDay(papers_given_at), noticeDays);
}

function movementOf({ payment, facts: { transaction, statementAt } }: RuleFacts) {
  if (payment) {
    const isPaymentByBank = payment.source === 'bank_account';
    return { postedAt: payment.completed_at, statementAt, isPaymentByBank };
  }
  return transaction && { postedAt: transaction.postedAt, statementAt, isPaymentByBank: false };
}

/** How a notice is handled, counted from day 0 whenever this is asked. */
export function ruleOf(asserted: RuleFacts): Rule {
  const { kind, receivedAt, isIndividual, facts } = asserted;
  const movement = movementOf(asserted);
  const notice = { type: kind, receivedAt, isIndividual, movement };
  const { areSaid, from } = facts.longerPeriods;
  const mayBeLonger = areSaid && (from === null || from <= receivedAt);
  const isNew = mayBeLonger && isOfNewAccount(movement?.postedAt ?? null, facts.firstDepositAt);
  const deadlines = deadlinesOf(receivedAt, isNew);
  const isCovered = isOfRegulationE(notice);
  const answered = isCovered ? answeredOf(asserted) : null;
  const isNews = answered !== null && isAfterPapers(answered, asserted);
  const notice_late_days = isNews ? 0 : lateDaysOf(notice);
  const reasserted_of = answered && !isNews ? answered.id : null;
  return {
    regulation_e: isCovered && notice_late_days === 0 && reasserted_of === null,
    notice_late_days,
    reasserted_of,
    deadlines,
  };
}
