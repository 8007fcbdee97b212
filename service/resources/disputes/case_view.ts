import { publicId } from '@tenant-payments/contract/core/ids.ts';
import type { DisputeCase } from '@tenant-payments/contract/resources/dispute_cases.ts';
import { shown } from '@tenant-payments/engine/table.ts';
import { forwardedLateDays } from './regulation_e.ts';
import { type DisputeRow, disputes } from './table.ts';

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

/** A dispute as the portal shows it: the record and its internal case (rules/disputes#39). */
export const caseView = (row: DisputeRow): DisputeCase => ({
  ...shown(disputes, row),
  ...timelinessOf(row),
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

/**
 * Whether the review queue offers a move, besides the status: a linked notice takes `investigate`
 * only, and a merchant can bear only a dispute of a payment to it.
 */
export function allowsMove(row: DisputeRow, move: string): boolean {
  if (row.linked_to !== null) return move === 'investigate';
  if (move === 'credit') return row.account_id !== null;
  return move !== 'liability_merchant' || row.merchant_account_id !== null;
}
