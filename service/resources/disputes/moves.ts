import type { liabilities } from '@tenant-payments/contract/resources/dispute_cases.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import {
  assertMoveAllowed,
  assertOpened,
  type Case,
  loadCase,
  refuse,
  setDisputedAmount,
} from './case.ts';
import { afterCredit, creditedAccount, creditOf } from './credit.ts';
import { scheduleCreditNotice } from './deadlines.ts';
import type { Found } from './findings.ts';
import { writeTo } from './letters.ts';
import { type DisputeRow, disputes, isUnresolved } from './table.ts';

/** Input from the review moves of the portal and from simulate. */
export interface ReviewerInput extends Found {
  readonly id: string;
  /** Cents, where the move takes an amount. */
  readonly amount?: number | null;
}

/** An investigation begins, also of a second notice. */
export function investigate(work: Work, dispute: DisputeRow): void {
  work.move(dispute, 'investigate');
  work.cancelJob('dispute_triage', dispute.id);
}

/**
 * The reviewer begins the investigation.
 * @throws ApiError invalid_state unless received, {reason: reasserted} of one that was answered before
 */
export const investigateDispute = command('investigate_dispute', {
  load: (read, { id }: ReviewerInput) => read.one(disputes, id),
  decide: (work, dispute) => {
    if (dispute.status === 'received') assertOpened(dispute, 'investigate');
    investigate(work, dispute);
    return { record: dispute };
  },
});

/**
 * Credits what remains of the disputed amount, for full use and never earmarked.
 * @param given the reviewer's amount, which becomes D where D is not known
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
  scheduleCreditNotice(work, dispute);
  writeTo(work, dispute, 'credit');
}

/** The reviewer credits, before a deadline or without one. */
export const creditDispute = command('credit_dispute', {
  load: (read: Read, { id }: ReviewerInput) => loadCase(read, id),
  decide: (work, rows, { amount = null }) => {
    giveCredit(work, rows, amount);
    return { record: rows.dispute };
  },
});

/**
 * The reviewer sets who bears an award. Nothing is earmarked after receipt, so a merchant bears at
 * most that earmark (rules/disputes#14).
 * @throws ApiError invalid_state {reason: resolved, linked, no_merchant}
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
