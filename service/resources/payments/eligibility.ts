import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Holder } from '../accounts/holder.ts';
import type { AccountRow } from '../accounts/table.ts';
import { assertTermsAccepted } from '../customers/documents/terms.ts';
import type { CustomerRow } from '../customers/table.ts';
import { activeLink, type LinkedAccountRow } from '../linked_accounts/table.ts';
import { rowNow } from '../row_now.ts';

/**
 * The payer, if the payer can pay (rules/payments#8).
 * @throws ApiError customer_not_verified, account_restricted {reason}
 */
export function assertPayer(
  customer: CustomerRow | null,
  loaded: AccountRow | null,
  now: Instant,
): Holder {
  const account = rowNow(customer?.account_id ?? null, loaded);
  if (customer?.status !== 'approved' || !account)
    throw fail('customer_not_verified', {
      details: customer ? { verification_status: customer.status } : {},
      ...(customer ? {} : { message: 'payer_customer_id names no customer of this Tenant' }),
    });
  if (account.status !== 'active')
    throw fail('account_restricted', { details: { reason: account.status } });
  assertTermsAccepted(customer, now);
  return { customer, account };
}

/**
 * The link that a payment by bank is requested from.
 * @throws ApiError capability_unavailable {capability, linked_account_id}
 */
export function assertPayByBank(links: readonly LinkedAccountRow[]): LinkedAccountRow {
  const link = activeLink(links);
  if (link?.can_pay_by_bank) return link;
  throw fail('capability_unavailable', {
    details: {
      capability: 'pay_by_bank',
      linked_account_id: link?.status === 'verified' ? publicId('linked_account', link.id) : null,
    },
  });
}
