import { publicId } from '@tenant-payments/contract/core/ids.ts';
import type { DisputeCase } from '@tenant-payments/contract/resources/dispute_cases.ts';
import { shown } from '@tenant-payments/engine/table.ts';
import { needsFinding } from './findings.ts';
import { forwardedLateDays } from './regulation_e.ts';
import {
  type DisputeRow,
  disputes,
  handledAs,
  isLiabilityLimited,
  isReasserted,
  isUnresolved,
} from './table.ts';
import { suggestedFor } from './words.ts';

/** Whether customer and Tenant were in time (rules/disputes#41). */
function timelinessOf({ notice_late_days, notice_received_at, created_at }: DisputeRow) {
  const forwarded = forwardedLateDays(notice_received_at, created_at);
  return {
    late_notice: notice_late_days > 0,
    late_notice_days: notice_late_days,
    forwarded_late: forwarded > 0,
    forwarded_late_days: forwarded,
  };
}

/** The reviewer's handling of the notice, and what the law asks of a determination. */
const handlingOf = (row: DisputeRow) => ({
  suggested_type: suggestedFor(handledAs(row), row.description),
  liability_limited: isLiabilityLimited(row),
  extenuating: row.extenuating_at !== null,
  finding_required: needsFinding(row),
  reasserted_of: row.reasserted_of && publicId('dispute', row.reasserted_of),
  reopened_at: row.reopened_at,
  papers_given_at: row.papers_given_at,
  customer_bears_amount: row.customer_bears_cents,
  liability_tier: row.liability_tier,
});

/** A dispute as the portal shows it: the record and its internal case (rules/disputes#39). */
export const caseView = (row: DisputeRow): DisputeCase => ({
  ...shown(disputes, row),
  ...timelinessOf(row),
  ...handlingOf(row),
  disputed_amount: row.disputed_cents,
  award_amount: row.award_cents,
  taken_back_amount: row.taken_back_cents,
  earmarked_amount: row.held_cents,
  liability: row.liability,
  linked_dispute_id: row.linked_to && publicId('dispute', row.linked_to),
  deadlines: {
    provisional_credit: row.credit_due_at,
    result: row.result_due_at,
    credit_notice: row.credit_notice_due_at,
    correction: row.correction_due_at,
    result_notice: row.result_notice_due_at,
    reversal: row.reversal_due_at,
  },
});

const ofAnswered = ['reopen', 'resolve_denied', 'resolve_withdrawn', 'classify', 'extenuating'];

/**
 * Whether the review queue offers a move, besides the status: a linked notice takes `investigate`
 * only, one that was answered before must be opened first, and a merchant can bear only a dispute of a payment to it.
 */
export function allowsMove(row: DisputeRow, move: string): boolean {
  if (move === 'give_papers') return row.linked_to === null && !isUnresolved(row);
  if (row.linked_to !== null) return move === 'investigate' && !isReasserted(row);
  if (isReasserted(row)) return ofAnswered.includes(move);
  if (move === 'credit') return row.account_id !== null;
  if (move === 'extenuating') return isLiabilityLimited(row) && row.extenuating_at === null;
  if (move === 'reopen') return false;
  return move !== 'liability_merchant' || row.merchant_account_id !== null;
}
