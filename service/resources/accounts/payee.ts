import { fail } from '@tenant-payments/engine/fail.ts';
import type { CustomerRow } from '../customers/table.ts';
import { rowNow } from '../row_now.ts';
import type { Holder } from './holder.ts';
import type { AccountRow } from './table.ts';

/** New payments can credit an active or a dormant account (rules/accounts#2). */
export const takesCredits = (account: AccountRow): boolean =>
  account.status === 'active' || account.status === 'dormant';

/**
 * The merchant of a payment or request, if it can be paid (rules/payments#9).
 * @throws ApiError payee_not_eligible {reason}
 */
export function assertPayee(
  customer: CustomerRow | null,
  loaded: AccountRow | null,
  payerId: string | null = null,
): Holder {
  const refuse = (reason: string) => fail('payee_not_eligible', { details: { reason } });
  if (!customer) throw refuse('not_found');
  if (customer.type !== 'business') throw refuse('not_business');
  if (customer.id === payerId) throw refuse('same_customer');
  const account = rowNow(customer.account_id, loaded);
  if (customer.status !== 'approved' || !account) throw refuse('not_approved');
  if (!takesCredits(account)) throw refuse('account_not_active');
  return { customer, account };
}
