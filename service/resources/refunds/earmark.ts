import type { BalanceRow } from '../../core/ledger.ts';
import type { Work } from '../../core/work.ts';
import { type DisputeRow, isUnresolved } from '../disputes/table.ts';
import type { PaymentRow } from '../payments/table.ts';
import type { RefundRow } from './table.ts';

/**
 * What funds a refund: the earmark of the payment's open dispute first, then the merchant's available
 * (decisions 1.1, Refund). Both stand in `earmarked` from then on.
 */
export interface Funding {
  /** Cents from the dispute's earmark: they stay where they are, so nothing is posted. */
  readonly fromDispute: number;
  /** Cents from available. */
  readonly held: number;
}

/** @param dispute the payment's latest; null: it never had one. @returns null: not funded */
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

/** Takes the earmark's part. @returns what the refund remembers of it */
export function takeEarmark(
  work: Work,
  dispute: DisputeRow | null,
  funding: Funding | null,
): Earmark {
  const fromDispute = funding?.fromDispute ?? 0;
  if (!dispute || fromDispute === 0) return { dispute_id: null, dispute_cents: 0 };
  work.change(dispute, { held_cents: dispute.held_cents - fromDispute });
  return { dispute_id: dispute.id, dispute_cents: fromDispute };
}

/** A refund failed: its dispute, if still open, has its part again. @returns how much that is */
export function giveEarmarkBack(
  work: Work,
  dispute: DisputeRow | null,
  { dispute_id, dispute_cents }: Earmark,
): number {
  if (!dispute || dispute.id !== dispute_id || !isUnresolved(dispute)) return 0;
  work.change(dispute, { held_cents: dispute.held_cents + dispute_cents });
  return dispute_cents;
}

/** Awards of ended disputes leave less of the payment than this refund (decisions 1.1, Refund). */
export const isCoveredByAwards = (payment: PaymentRow, { amount }: Pick<RefundRow, 'amount'>) =>
  payment.amount - payment.refunded_amount - payment.refunding_cents - payment.awarded_cents <
  amount;
