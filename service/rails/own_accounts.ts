import type { OwnBankRole } from '@tenant-payments/contract/resources/own_bank_accounts.ts';
import type { InstructionKind, OrderPurpose } from './bank.ts';

interface Ends {
  /** Null: the customer's bank account. */
  readonly from: OwnBankRole | null;
  readonly to: OwnBankRole | null;
}

const comesIn: Ends = { from: null, to: 'fbo' };
const goesOut: Ends = { from: 'fbo', to: null };

/** Between which accounts an order moves money, by its purpose (rules/bank-orders#3). */
const endsOf: Readonly<Record<OrderPurpose, Ends>> = {
  load: comesIn,
  payment_by_bank: comesIn,
  withdrawal: goesOut,
  refund: goesOut,
  dispute_credit: goesOut,
  closing: goesOut,
  suspense_return: goesOut,
  return_of_funds: goesOut,
  fee_sweep: { from: 'fbo', to: 'operating' },
  reserve_top_up: { from: 'operating', to: 'fbo' },
};

/**
 * The accounts of an order. Money that goes back and has no bank account to go to is paid to the operating account,
 * whose owner pays it on by other means.
 */
export function accountsOfOrder(kind: InstructionKind, purpose: OrderPurpose): Ends {
  const { from, to } = endsOf[purpose];
  return { from, to: kind === 'internal_transfer' ? (to ?? 'operating') : to };
}
