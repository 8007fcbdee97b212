import type { Move } from '@tenant-payments/contract/core/lifecycle.ts';
import { disputeLifecycle } from '@tenant-payments/contract/resources/disputes.ts';
import { assert, fail } from '../../core/fail.ts';
import { balances } from '../../core/ledger.ts';
import type { Read } from '../../core/load/reader.ts';
import type { Work } from '../../core/work.ts';
import { accounts } from '../accounts/table.ts';
import { activeLink, linkedAccounts } from '../linked_accounts/table.ts';
import { payments } from '../payments/table.ts';
import { type DisputeRow, disputes } from './table.ts';

/** A dispute with all that its moves rest on and change. */
export async function loadCase(read: Read, id: string) {
  const dispute = await read.one(disputes, id);
  const [account, balance, payment, merchant, linked] = await Promise.all([
    read.maybe(accounts, dispute.account_id),
    read.maybe(balances, dispute.account_id),
    read.maybe(payments, dispute.counted_payment_id),
    read.maybe(accounts, dispute.merchant_account_id),
    read.set(disputes, 'linked_to', id),
  ]);
  // Only a closed account is paid at its bank.
  const isClosed = account?.status === 'closed';
  const links = isClosed ? await read.set(linkedAccounts, 'customer_id', dispute.customer_id) : [];
  // Nothing can be sent to one that was erased.
  const link = activeLink(links.filter(({ reference_sealed }) => reference_sealed !== null));
  return { dispute, account, balance, payment, merchant, linked, link };
}
export type Case = Awaited<ReturnType<typeof loadCase>>;

type MoveName = keyof typeof disputeLifecycle.moves;

/** A refusal of what the dispute's state or circumstances do not allow. */
export const refuse = ({ status }: DisputeRow, reason: string) =>
  fail('invalid_state', { details: { current_status: status, allowed: [], reason } });

/**
 * The move is one of the dispute's state, and of a notice that stands for itself.
 * @throws ApiError invalid_state; {reason: linked} for a second notice of the same movement
 */
export function assertMoveAllowed(dispute: DisputeRow, name: MoveName): void {
  const { from }: Move = disputeLifecycle.moves[name];
  if (from === 'new' || !from.includes(dispute.status))
    throw fail('invalid_state', { details: { current_status: dispute.status, allowed: from } });
  if (dispute.linked_to !== null) throw refuse(dispute, 'linked');
}

/** What is still disputed: D less what was refunded of the payment since; null: D is not known. */
export function remainingOf({ dispute, payment }: Pick<Case, 'dispute' | 'payment'>) {
  const { disputed_cents, refunded_before } = dispute;
  if (disputed_cents === null) return null;
  const refunded = payment ? payment.refunded_amount - refunded_before : 0;
  return Math.max(disputed_cents - refunded, 0);
}

/** The most that D can be: what of the payment is neither refunded nor credited; null: no bound. */
const ceilingOf = ({ payment }: Case): number | null =>
  payment && payment.amount - payment.refunded_amount - payment.disputed_cents;

const above = (maximum: number) =>
  fail('parameter_invalid', { param: 'amount', details: { reason: 'above_maximum', maximum } });

/**
 * The reviewer's amount becomes D where nobody knew it (decisions 1.5).
 * @throws ApiError invalid_state {reason: amount_unknown}; parameter_invalid beyond the payment
 */
export function setDisputedAmount(work: Work, rows: Case, given: number | null): number {
  const known = remainingOf(rows);
  if (known !== null) return known;
  const { dispute, payment } = rows;
  if (given === null) throw refuse(dispute, 'amount_unknown');
  const ceiling = ceilingOf(rows);
  if (ceiling !== null && given > ceiling) throw above(ceiling);
  work.change(dispute, {
    disputed_cents: given,
    refunded_before: payment?.refunded_amount ?? 0,
  });
  return given;
}

/** @throws ApiError parameter_invalid above `maximum` */
export function assertAtMost(amount: number, maximum: number): void {
  if (amount > maximum) throw above(maximum);
}

/** Cents more or less that stand credited of the payment, and that ended disputes awarded of it. */
export function count(
  work: Work,
  { payment }: Pick<Case, 'payment'>,
  { credited = 0, awarded = 0 }: { credited?: number; awarded?: number },
): void {
  if (!payment || (credited === 0 && awarded === 0)) return;
  const disputed_cents = payment.disputed_cents + credited;
  assert(disputed_cents >= 0, 'no more is taken back of a payment than was credited');
  work.change(payment, { disputed_cents, awarded_cents: payment.awarded_cents + awarded });
}
