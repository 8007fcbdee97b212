import type { liabilities } from '@tenant-payments/contract/portal/disputes.ts';
import { command } from '../../core/command.ts';
import { fail } from '../../core/fail.ts';
import type { Read } from '../../core/load/reader.ts';
import type { Work } from '../../core/work.ts';
import { assertMoveAllowed, type Case, loadCase, refuse, setDisputedAmount } from './case.ts';
import { afterCredit, creditedAccount, creditOf } from './credit.ts';
import { credited, triageDue } from './deadlines.ts';
import { type DisputeRow, disputes, isUnresolved } from './table.ts';

/** What the reviewer's door and `simulate` hand on. */
export interface ReviewerInput {
  readonly id: string;
  /** Cents, where the move takes an amount. */
  readonly amount?: number | null;
}

/** Triage: an investigation begins. A second notice of a movement is looked at like any other. */
export function investigate(work: Work, dispute: DisputeRow): void {
  work.move(dispute, 'investigate');
  work.cancelJob(triageDue, dispute.id);
}

/** The reviewer takes a notice up. @throws ApiError invalid_state unless it is new */
export const investigateDispute = command('investigate_dispute', {
  load: (read, { id }: ReviewerInput) => read.one(disputes, id),
  decide: (work, dispute) => {
    investigate(work, dispute);
    return { record: dispute };
  },
});

/**
 * Credits what remains of the disputed amount, for full use and never earmarked.
 * @param given the reviewer's amount, which becomes D where nobody knew it
 * @throws ApiError invalid_state; parameter_invalid for an amount where D is known
 */
export function giveCredit(work: Work, rows: Case, given: number | null): void {
  const { dispute } = rows;
  assertMoveAllowed(dispute, 'credit');
  creditedAccount(rows);
  if (given !== null && dispute.disputed_cents !== null)
    throw fail('parameter_invalid', { param: 'amount', details: { reason: 'amount_known' } });
  const amount = setDisputedAmount(work, rows, given);
  if (amount === 0) throw refuse(dispute, 'nothing_remains');
  const { post, set } = creditOf(rows, amount);
  work.move(dispute, 'credit', { set: { ...set, provisional_credit_amount: amount }, post });
  afterCredit(work, rows);
  credited(work, dispute);
}

/** The reviewer credits before the deadline, or where there is none. */
export const creditDispute = command('credit_dispute', {
  load: (read: Read, { id }: ReviewerInput) => loadCase(read, id),
  decide: (work, rows, { amount = null }) => {
    giveCredit(work, rows, amount);
    return { record: rows.dispute };
  },
});

/**
 * The reviewer says who bears an award. Nothing is earmarked later than at receipt, so a merchant
 * bears no more than that.
 * @throws ApiError invalid_state once it has resolved; {reason: linked, no_merchant}
 */
const setLiability = (liability: (typeof liabilities)[number]) =>
  command(`liability_${liability}`, {
    load: (read, { id }: ReviewerInput) => read.one(disputes, id),
    decide: (work, dispute) => {
      if (!isUnresolved(dispute)) throw refuse(dispute, 'resolved');
      if (dispute.linked_to !== null) throw refuse(dispute, 'linked');
      if (liability === 'merchant' && dispute.merchant_account_id === null)
        throw refuse(dispute, 'no_merchant');
      work.change(dispute, { liability });
      return { record: dispute };
    },
  });
export const liabilityMerchant = setLiability('merchant');
export const liabilityPlatform = setLiability('platform');
