import type { Move } from '@tenant-payments/contract/core/lifecycle.ts';
import { disputeLifecycle } from '@tenant-payments/contract/resources/disputes.ts';
import { assert, fail, LoadAgain } from '@tenant-payments/engine/fail.ts';
import { balances } from '@tenant-payments/engine/ledger.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { pendingTransactions } from '../accounts/pending_transactions.ts';
import { accounts } from '../accounts/table.ts';
import { activeLink, type LinkedAccountRow, linkedAccounts } from '../linked_accounts/table.ts';
import { payments } from '../payments/table.ts';
import { cameBackOf, readReturning } from './came_back.ts';
import { type DisputeRow, disputes, isReasserted } from './table.ts';

/** The disputed withdrawal's Transaction, and what came back of the withdrawal or load, also since the notice. */
async function readReturned(read: Read, dispute: DisputeRow) {
  const { counted_payment_id, movement_id, disputed_load_id: loadId } = dispute;
  const isOther = loadId !== null || counted_payment_id !== null;
  const sent = isOther ? null : await read.maybe(pendingTransactions, movement_id);
  const withdrawal = sent && ({ type: 'withdrawal', id: sent.source_id } as const);
  const moved = loadId === null ? withdrawal : ({ type: 'load', id: loadId } as const);
  return { sent, returning: await readReturning(read, moved), loadId };
}

/** A dispute with every row that its moves read or change. */
export async function loadCase(read: Read, id: string) {
  const dispute = await read.one(disputes, id);
  const [returned, account, balance, payment, merchant, linked] = await Promise.all([
    readReturned(read, dispute),
    read.maybe(accounts, dispute.account_id),
    read.maybe(balances, dispute.account_id),
    read.maybe(payments, dispute.counted_payment_id),
    read.maybe(accounts, dispute.merchant_account_id),
    read.set(disputes, 'linked_to', id),
  ]);
  // Only the credit of a closed account goes to its bank.
  const isClosed = account?.status === 'closed';
  const links = isClosed
    ? await read.set(linkedAccounts, 'customer_id', dispute.customer_id)
    : null;
  return { dispute, ...returned, account, balance, payment, merchant, linked, links };
}
export type Case = Awaited<ReturnType<typeof loadCase>>;

/**
 * The active bank account of a customer whose account has closed; null: there is none.
 * @throws LoadAgain where it closed in this batch (rules/engine#15)
 */
export function linkNow({ links }: Case): LinkedAccountRow | null {
  if (links === null) throw new LoadAgain('the account closed meanwhile');
  // Nothing can be sent to an erased bank account (rules/retention#11).
  return activeLink(links.filter(({ reference_sealed }) => reference_sealed !== null));
}

export type MoveName = keyof typeof disputeLifecycle.moves;

/** 409 invalid_state with a reason. */
export const refuse = ({ status }: DisputeRow, reason: string) =>
  fail('invalid_state', { details: { current_status: status, allowed: [], reason } });

/** The moves that a notice answered before cannot make until it is opened again (rules/disputes#58). */
const ofOpened: readonly MoveName[] = [
  'investigate',
  'credit',
  'resolve_approved',
  'resolve_partial',
];

/**
 * The dispute's status allows the move, and it is neither a linked notice nor one that was answered before.
 * @throws ApiError invalid_state; {reason: linked} for a second notice of the same movement, {reason: reasserted}
 */
export function assertMoveAllowed(dispute: DisputeRow, name: MoveName): void {
  const { from }: Move = disputeLifecycle.moves[name];
  if (from === 'new' || !from.includes(dispute.status))
    throw fail('invalid_state', { details: { current_status: dispute.status, allowed: from } });
  if (dispute.linked_to !== null) throw refuse(dispute, 'linked');
  assertOpened(dispute, name);
}

/** @throws ApiError invalid_state {reason: reasserted} */
export function assertOpened(dispute: DisputeRow, name: MoveName): void {
  if (isReasserted(dispute) && ofOpened.includes(name)) throw refuse(dispute, 'reasserted');
}

/**
 * The amount that was refunded of the payment, or came back of the withdrawal or load.
 * @throws LoadAgain where a command before this one in the batch has named the load of a notice of 1.0
 */
function returnedOf({ dispute, payment, returning, loadId }: Disputed): number {
  if (payment) return payment.refunded_amount;
  if (dispute.disputed_load_id !== loadId) throw new LoadAgain('a load was named meanwhile');
  // A withdrawal that had failed before its notice is disputed for what a reviewer said, of which nothing came back.
  const { reversedAt, cents } = cameBackOf(returning);
  return reversedAt !== null && reversedAt < dispute.created_at ? 0 : cents;
}

type Disputed = Pick<Case, 'dispute' | 'payment' | 'returning' | 'loadId'>;

/** The amount still disputed: D less what came back since; null: D is not known (rules/disputes#9). */
export function remainingOf(rows: Disputed): number | null {
  const { disputed_cents, refunded_before, amount_by_staff, credited_cents } = rows.dispute;
  if (disputed_cents === null) return null;
  // A reviewer sets the amount of a withdrawal after it was reversed, and no more of it comes back.
  const isFinal = rows.payment === null && amount_by_staff;
  // A payment from suspense that is refused later makes it no more than was disputed.
  const since = isFinal ? 0 : Math.max(returnedOf(rows) - refunded_before, 0);
  const remains = Math.max(disputed_cents - since, 0);
  // Nor more than was credited: what was refused since is in suspense for its holder (rules/disputes#11).
  return credited_cents > 0 ? Math.min(remains, credited_cents) : remains;
}

/**
 * A withdrawal or load came back whole since the notice: D becomes 0, and a reviewer determines (rules/disputes#20).
 * @returns whether that is news
 */
export function endDisputed(work: Work, rows: Disputed): boolean {
  const { dispute, payment } = rows;
  if (payment || (dispute.disputed_cents ?? 0) === 0 || remainingOf(rows) !== 0) return false;
  work.change(dispute, { disputed_cents: 0, refunded_before: returnedOf(rows) });
  return true;
}

/** The largest D: what of the payment is neither refunded nor credited; null: no bound. */
const ceilingOf = ({ payment }: Case): number | null =>
  payment && Math.max(payment.amount - payment.refunded_amount - payment.disputed_cents, 0);

const above = (maximum: number) =>
  fail('parameter_invalid', { param: 'amount', details: { reason: 'above_maximum', maximum } });

/**
 * Returns what remains of D. Where D is not known, the reviewer's amount becomes D
 * (rules/disputes#8).
 * @throws ApiError invalid_state {reason: amount_unknown}; parameter_invalid {reason:
 *   above_maximum}
 */
export function setDisputedAmount(work: Work, rows: Case, given: number | null): number {
  const known = remainingOf(rows);
  if (known !== null) return known;
  const { dispute } = rows;
  if (given === null) throw refuse(dispute, 'amount_unknown');
  const ceiling = ceilingOf(rows);
  if (ceiling !== null && given > ceiling) throw above(ceiling);
  work.change(dispute, {
    disputed_cents: given,
    amount_by_staff: true,
    refunded_before: returnedOf(rows),
  });
  return given;
}

/** @throws ApiError parameter_invalid above `maximum` */
export function assertAtMost(amount: number, maximum: number): void {
  if (amount > maximum) throw above(maximum);
}

/** Adds cents to what is credited of the payment, and to what ended disputes awarded of it. */
export function addToPayment(
  work: Work,
  { payment }: Pick<Case, 'payment'>,
  { credited = 0, awarded = 0 }: { credited?: number; awarded?: number },
): void {
  if (!payment || (credited === 0 && awarded === 0)) return;
  const disputed_cents = payment.disputed_cents + credited;
  assert(disputed_cents >= 0, 'at most what was credited of a payment is taken back');
  work.change(payment, { disputed_cents, awarded_cents: payment.awarded_cents + awarded });
}

/** Once no award includes the payer's fees, they are in dispute no more (rules/disputes#7). */
export function endFees(work: Work, { payment }: Pick<Case, 'payment'>): void {
  if (payment && payment.disputed_fee_cents !== null && payment.awarded_cents === 0)
    work.change(payment, { disputed_fee_cents: null });
}
