import type { BalanceRow } from '@tenant-payments/engine/ledger.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type DisputeRow, isUnresolved } from '../disputes/table.ts';
import type { PaymentRow } from '../payments/table.ts';
import type { RefundRow } from './table.ts';

/**
 * The funding of a refund: first the earmark of the payment's open dispute, then the merchant's `available`
 * (rules/refunds#15). Both are in `earmarked` from then on.
 */
export interface Funding {
  /** Cents from the dispute's earmark: already in `earmarked`, so nothing is posted. */
  readonly fromDispute: number;
  /** Cents from `available`. */
  readonly held: number;
}

/** @param dispute the payment's latest, or null. @returns null: not funded */
export function fundingOf(
  dispute: DisputeRow | null,
  balance: BalanceRow,
  amount: number,
): Funding | null {
  const earmark = dispute && isUnresolved(dispute) ? dispute.held_cents : 0;
  const fromDispute = Math.min(earmark, amount);
  const held = amount - fromDispute;
  return balance.available >= held ? { fromDispute, held } : null;
}

export type Earmark = Pick<RefundRow, 'dispute_id' | 'dispute_cents'>;

/** Takes the dispute's part. @returns the columns of the refund that record it */
export function takeEarmark(
  work: Work,
  dispute: DisputeRow | null,
  { fromDispute }: Funding,
): Earmark {
  if (!dispute || fromDispute === 0) return { dispute_id: null, dispute_cents: 0 };
  work.change(dispute, { held_cents: dispute.held_cents - fromDispute });
  return { dispute_id: dispute.id, dispute_cents: fromDispute };
}

/** After a failed refund: an open dispute gets its part back. @returns the part in cents */
export function giveEarmarkBack(
  work: Work,
  dispute: DisputeRow | null,
  { dispute_id, dispute_cents }: Earmark,
): number {
  if (!dispute || dispute.id !== dispute_id || !isUnresolved(dispute)) return 0;
  work.change(dispute, { held_cents: dispute.held_cents + dispute_cents });
  return dispute_cents;
}

/**
 * The amount that refunds may still give back of a payment, in cents: its amount, and of what the payer was debited no
 * more than disputes leave (rules/refunds#6).
 * @param refunding refunds that are under way
 * @param credited what disputes give
 */
export function leftOf(payment: PaymentRow, refunding: number, credited: number): number {
  const left = payment.amount - payment.refunded_amount - refunding;
  const debited = left + (payment.disputed_fee_cents ?? 0) - credited;
  return Math.max(Math.min(left, debited), 0);
}

/** Awards of ended disputes leave less of the payment than this refund (rules/refunds#13). */
export const isCoveredByAwards = (payment: PaymentRow, { amount }: Pick<RefundRow, 'amount'>) =>
  leftOf(payment, payment.refunding_cents, payment.awarded_cents) < amount;
