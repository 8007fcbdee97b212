import type { disputeOutcomes } from '@tenant-payments/contract/resources/disputes.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { assert, fail } from '@tenant-payments/engine/fail.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { scheduleRefundsAndClosing } from '../accounts/waiting_jobs.ts';
import {
  addToPayment,
  assertAtMost,
  assertMoveAllowed,
  type Case,
  loadCase,
  refuse,
  setDisputedAmount,
} from './case.ts';
import { afterCredit, creditOf } from './credit.ts';
import { clearJob, scheduleResultNotices, scheduleReversal } from './deadlines.ts';
import type { ReviewerInput } from './moves.ts';
import { type DisputeRow, isUnresolved } from './table.ts';

type Outcome = (typeof disputeOutcomes)[number];

/** How a notice that is not linked resolves, by its move. */
const outcomes = {
  resolve_approved: 'approved',
  resolve_partial: 'partially_approved',
  resolve_denied: 'denied',
  resolve_withdrawn: 'withdrawn',
  resolve_refunded: 'refunded_by_merchant',
} as const satisfies Record<string, Outcome>;
type Resolution = keyof typeof outcomes;

/** At an award that the merchant bears, the earmark goes to the reserve; the rest goes back. */
function splitEarmark({ held_cents, liability }: DisputeRow, award: number) {
  const recovered_cents = liability === 'merchant' ? Math.min(held_cents, award) : 0;
  return { recovered_cents, released_cents: held_cents - recovered_cents };
}

function postEarmark(work: Work, { dispute, merchant }: Case): void {
  if (!merchant) return;
  const source = { type: 'dispute', id: dispute.id };
  const parties = { merchant: merchant.id };
  const { recovered_cents, released_cents } = dispute;
  if (recovered_cents > 0)
    work.post(source, {
      recipe: 'dispute_recovered',
      parties,
      amounts: { amount: recovered_cents },
      counterparts: { merchant: null },
      description: null,
    });
  if (released_cents > 0)
    work.post(source, { recipe: 'dispute_released', parties, amounts: { held: released_cents } });
  scheduleRefundsAndClosing(work, merchant);
}

/** Linked notices end with the first. */
function endLinked(work: Work, rows: Case): void {
  for (const other of rows.linked) endLinkedDispute(work, other, rows.dispute);
}

/** A linked notice resolves and closes with the first (rules/disputes#36). */
export function endLinkedDispute(work: Work, linked: DisputeRow, first: DisputeRow): void {
  if (isUnresolved(linked) && !isUnresolved(first)) {
    work.move(linked, 'resolve_linked', {
      set: { outcome: first.outcome, resolved_at: work.now },
    });
    work.cancelJob('dispute_triage', linked.id);
  }
  if (linked.status === 'resolved' && first.status === 'closed') work.move(linked, 'close');
}

/**
 * Closes a dispute and takes back the excess credit, at most what is available (rules/disputes#30).
 */
function close(work: Work, rows: Case, excess: number): void {
  const { dispute, account, balance } = rows;
  const isOpen = account !== null && account.status !== 'closed';
  const taken = isOpen ? Math.min(excess, balance?.available ?? 0) : 0;
  const post =
    taken > 0 && account
      ? ({
          recipe: 'dispute_reversed',
          parties: { customer: account.id },
          amounts: { amount: taken },
          counterparts: { customer: null },
          description: null,
        } as const)
      : undefined;
  work.move(dispute, 'close', { set: { taken_back_cents: taken }, post });
  addToPayment(work, rows, { credited: -taken });
  clearJob(work, dispute, 'dispute_reversal');
  if (account) scheduleRefundsAndClosing(work, account);
}

/** The credit above the award; of a closed account nothing is taken back (rules/disputes#33). */
function excessOf({ dispute, account }: Case): number {
  const { credited_cents, award_cents } = dispute;
  return account?.status === 'closed' ? 0 : credited_cents - (award_cents ?? 0);
}

/**
 * Ends an investigation: credits the rest of the award, divides the earmark, and closes the dispute
 * at once where nothing has to be taken back.
 * @param award W in cents, at most what remains
 * @param finding what the customer's letter says was found
 */
export function resolve(
  work: Work,
  rows: Case,
  move: Resolution,
  award: number,
  finding: string | null = null,
): void {
  const { dispute } = rows;
  const rest = award - dispute.credited_cents;
  const credit = rest > 0 ? creditOf(rows, rest) : null;
  const set = {
    ...credit?.set,
    outcome: outcomes[move],
    finding,
    resolved_at: work.now,
    award_cents: award,
    held_cents: 0,
    ...splitEarmark(dispute, award),
  };
  if (move === 'resolve_approved' || move === 'resolve_partial')
    work.move(dispute, move, { set, post: credit?.post });
  else {
    assert(credit === null, 'only an approval credits');
    work.move(dispute, move, { set });
  }
  if (credit) afterCredit(work, rows);
  addToPayment(work, rows, { awarded: award });
  postEarmark(work, rows);
  scheduleResultNotices(work, dispute);
  if (excessOf(rows) > 0) scheduleReversal(work, dispute);
  else close(work, rows, 0);
  endLinked(work, rows);
}

/**
 * The reviewer's determination, or the customer's withdrawal.
 * @param given the award of a partial approval; D, where D is not known
 * @throws ApiError invalid_state, also {reason: linked, refund_in_processing, amount_unknown,
 *   no_account}; parameter_invalid for an amount above what remains
 */
export function determine(
  work: Work,
  rows: Case,
  move: Exclude<Resolution, 'resolve_refunded'>,
  given: number | null,
  finding: string | null = null,
): void {
  const { dispute, payment } = rows;
  assertMoveAllowed(dispute, move);
  if (payment && payment.refunding_cents > 0) throw refuse(dispute, 'refund_in_processing');
  if (move === 'resolve_denied' || move === 'resolve_withdrawn') {
    resolve(work, rows, move, 0, finding);
    return;
  }
  const remaining = setDisputedAmount(work, rows, given);
  const award = move === 'resolve_partial' ? (given ?? remaining) : remaining;
  assertAtMost(award, remaining);
  resolve(work, rows, move, award, finding);
}

const determination = (move: Exclude<Resolution, 'resolve_refunded' | 'resolve_partial'>) =>
  command(move, {
    load: (read, { id }: ReviewerInput) => loadCase(read, id),
    decide: (work, rows, { amount = null, finding = null }) => {
      const isKnown = rows.dispute.disputed_cents !== null || move !== 'resolve_approved';
      if (amount !== null && isKnown)
        throw fail('parameter_invalid', { param: 'amount', details: { reason: 'amount_known' } });
      determine(work, rows, move, amount, finding);
      return { record: rows.dispute };
    },
  });
export const resolveApproved = determination('resolve_approved');
export const resolveDenied = determination('resolve_denied');
export const resolveWithdrawn = determination('resolve_withdrawn');

/** @throws ApiError parameter_missing without an amount; as every determination */
export const resolvePartial = command('resolve_partial', {
  load: (read, { id }: ReviewerInput) => loadCase(read, id),
  decide: (work, rows, { amount = null, finding = null }) => {
    if (amount === null) throw fail('parameter_missing', { param: 'amount' });
    determine(work, rows, 'resolve_partial', amount, finding);
    return { record: rows.dispute };
  },
});

/** Takes back and closes, five business days after the notice of denial (rules/disputes#30). */
export const finishDispute = command('finish_dispute', {
  load: (read, { id }: ReviewerInput) => loadCase(read, id),
  decide: (work, rows) => {
    assertMoveAllowed(rows.dispute, 'close');
    close(work, rows, excessOf(rows));
    endLinked(work, rows);
    return { record: rows.dispute };
  },
});
