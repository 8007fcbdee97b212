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
  endFees,
  loadCase,
  refuse,
  remainingOf,
  setDisputedAmount,
} from './case.ts';
import { afterCredit, creditOf } from './credit.ts';
import { clearJob, scheduleResultNotices, scheduleReversal } from './deadlines.ts';
import { assertFound, bornBy, type Found } from './findings.ts';
import { writeTo } from './letters.ts';
import type { ReviewerInput } from './moves.ts';
import { type DisputeRow, isReasserted, isUnresolved } from './table.ts';

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
  endFees(work, rows);
  clearJob(work, dispute, 'dispute_reversal');
  if (account) scheduleRefundsAndClosing(work, account);
}

/** The credit above the award; of a closed account nothing is taken back (rules/disputes#33). */
function excessOf({ dispute, account }: Case): number {
  const { credited_cents, award_cents } = dispute;
  return account?.status === 'closed' ? 0 : credited_cents - (award_cents ?? 0);
}

/** The facts that a determination keeps for the customer's letter. */
type Told = Pick<DisputeRow, 'finding' | 'customer_bears_cents' | 'liability_tier'>;
const nothingTold: Told = { finding: null, customer_bears_cents: null, liability_tier: null };

/**
 * Ends an investigation: credits the rest of the award, divides the earmark, and closes the dispute
 * at once where nothing has to be taken back.
 * @param award W in cents, at most what remains
 * @param told what the customer's letter says was found
 */
export function resolve(
  work: Work,
  rows: Case,
  move: Resolution,
  award: number,
  told: Told = nothingTold,
): void {
  const { dispute } = rows;
  const rest = award - dispute.credited_cents;
  const credit = rest > 0 ? creditOf(rows, rest) : null;
  const set = {
    ...credit?.set,
    outcome: outcomes[move],
    ...told,
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
  // A notice that was filed again and stays denied was answered at its receipt.
  if (!isReasserted(dispute) || dispute.outcome !== 'denied') writeTo(work, dispute, 'result');
  if (excessOf(rows) > 0) scheduleReversal(work, dispute);
  else close(work, rows, 0);
  endLinked(work, rows);
}

/** A determination that the reviewer makes, or the customer by withdrawing. */
type Determination = Exclude<Resolution, 'resolve_refunded'>;

const awards: readonly Determination[] = ['resolve_approved', 'resolve_partial'];

/**
 * A refund at a bank has its end before any determination, and the disputed movement itself before an award: if the bank
 * then refused it, the customer would have the money twice (rules/disputes#18).
 * @throws ApiError invalid_state {reason: refund_in_processing, payment_in_processing, withdrawal_in_processing}
 */
function assertEnded({ dispute, payment, sent }: Case, move: Determination): void {
  if (payment && payment.refunding_cents > 0) throw refuse(dispute, 'refund_in_processing');
  if (!awards.includes(move)) return;
  if (payment?.status === 'processing') throw refuse(dispute, 'payment_in_processing');
  if (sent?.status === 'pending') throw refuse(dispute, 'withdrawal_in_processing');
}

/** The award; D is set where it is not known. @throws ApiError as `determine` */
function awardOf(work: Work, rows: Case, move: Determination, given: number | null): number {
  if (move === 'resolve_denied' || move === 'resolve_withdrawn') return 0;
  const remaining = setDisputedAmount(work, rows, given);
  const award = move === 'resolve_partial' ? (given ?? remaining) : remaining;
  assertAtMost(award, remaining);
  return award;
}

/**
 * The reviewer's determination, or the customer's withdrawal.
 * @param given the award of a partial approval; D, where D is not known
 * @throws ApiError invalid_state, also {reason: linked, reasserted, amount_unknown, no_account} and as `assertEnded`;
 *   parameter_missing without findings; parameter_invalid for an amount above what remains
 */
export function determine(
  work: Work,
  rows: Case,
  move: Determination,
  given: number | null,
  found: Found = {},
): void {
  const { dispute } = rows;
  assertMoveAllowed(dispute, move);
  assertEnded(rows, move);
  const award = awardOf(work, rows, move, given);
  if (move === 'resolve_denied' || move === 'resolve_partial') assertFound(dispute, found);
  const remaining = remainingOf(rows);
  const born = bornBy(rows, found, remaining === null ? null : remaining - award);
  resolve(work, rows, move, award, { finding: found.finding ?? null, ...born });
}

const determination = (move: Exclude<Determination, 'resolve_partial'>) =>
  command(move, {
    load: (read, { id }: ReviewerInput) => loadCase(read, id),
    decide: (work, rows, { amount = null, ...found }) => {
      const isKnown = rows.dispute.disputed_cents !== null || move !== 'resolve_approved';
      if (amount !== null && isKnown)
        throw fail('parameter_invalid', { param: 'amount', details: { reason: 'amount_known' } });
      determine(work, rows, move, amount, found);
      return { record: rows.dispute };
    },
  });
export const resolveApproved = determination('resolve_approved');
export const resolveDenied = determination('resolve_denied');
export const resolveWithdrawn = determination('resolve_withdrawn');

/** @throws ApiError parameter_missing without an amount; as every determination */
export const resolvePartial = command('resolve_partial', {
  load: (read, { id }: ReviewerInput) => loadCase(read, id),
  decide: (work, rows, { amount = null, ...found }) => {
    if (amount === null) throw fail('parameter_missing', { param: 'amount' });
    determine(work, rows, 'resolve_partial', amount, found);
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
