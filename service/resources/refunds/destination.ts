import { fail } from '@tenant-payments/engine/fail.ts';
import type { AccountRow } from '../accounts/table.ts';
import { activeLink, hasFailed, type LinkedAccountRow } from '../linked_accounts/table.ts';
import type { PaymentRow } from '../payments/table.ts';
import type { RefundFailure, RefundRow } from './table.ts';

/** Its bank takes transfers, and its number is not forgotten: no refund could end there (rules/retention#11). */
const canBePaid = ({ status, can_withdraw, reference_sealed }: LinkedAccountRow): boolean =>
  status === 'verified' && can_withdraw && reference_sealed !== null;

export type Destination = Pick<RefundRow, 'destination' | 'linked_account_id'>;

/**
 * Chooses the destination of a refund at its creation: back to the source of the payment, else to another destination
 * of the payer (rules/refunds#9).
 * @throws ApiError invalid_state {reason: no_destination}
 */
export function chooseDestination(
  payment: PaymentRow,
  payerAccount: AccountRow,
  links: readonly LinkedAccountRow[],
): Destination {
  const toBalance: Destination | null =
    payerAccount.status === 'closed' ? null : { destination: 'balance', linked_account_id: null };
  const used = links.find(({ id }) => id === payment.linked_account_id);
  const link = [used, activeLink(links)].find((one) => one && canBePaid(one));
  const toBank: Destination | null = link
    ? { destination: 'bank_account', linked_account_id: link.id }
    : null;
  const chosen = payment.source === 'balance' ? (toBalance ?? toBank) : (toBank ?? toBalance);
  if (chosen) return chosen;
  throw fail('invalid_state', {
    details: { current_status: payment.status, allowed: [], reason: 'no_destination' },
  });
}

/** Why the destination can no longer be paid; a removed link that had not failed still can (rules/refunds#11). */
export function destinationFailure(
  refund: RefundRow,
  payerAccount: AccountRow,
  link: LinkedAccountRow | null,
): RefundFailure | null {
  if (refund.destination === 'balance')
    return payerAccount.status === 'closed' ? 'payer_account_closed' : null;
  return link && hasFailed(link) ? 'destination_unavailable' : null;
}
