import { fail } from '@tenant-payments/engine/fail.ts';
import type { CustomerRow } from '../customers/table.ts';
import { rowNow } from '../row_now.ts';
import type { AccountRow } from './table.ts';

export interface Holder {
  readonly customer: CustomerRow;
  readonly account: AccountRow;
}

/**
 * A known customer whose verification is approved, and so has an account.
 * @param loaded by the column of the customer
 * @throws ApiError customer_not_verified {verification_status?}
 */
export function assertVerified(customer: CustomerRow | null, loaded: AccountRow | null): Holder {
  const account = rowNow(customer?.account_id ?? null, loaded);
  if (customer?.status === 'approved' && account) return { customer, account };
  throw fail('customer_not_verified', {
    details: customer ? { verification_status: customer.status } : {},
  });
}

/**
 * The account is in one of the states that allow the operation (rules/accounts#2).
 * @throws ApiError account_restricted {reason}
 */
export function assertAccountStatus(
  account: AccountRow,
  allowed: readonly AccountRow['status'][],
): void {
  if (!allowed.includes(account.status))
    throw fail('account_restricted', { details: { reason: account.status } });
}
