import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { AccountRow } from '../accounts/table.ts';
import { assertTermsAccepted } from '../customers/documents/terms.ts';
import type { CustomerRow } from '../customers/table.ts';
import { activeLink, type LinkedAccountRow } from '../linked_accounts/table.ts';
import { rowNow } from '../row_now.ts';

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
): { customer: CustomerRow; account: AccountRow } {
  const refuse = (reason: string) => fail('payee_not_eligible', { details: { reason } });
  if (!customer) throw refuse('not_found');
  if (customer.type !== 'business') throw refuse('not_business');
  if (customer.id === payerId) throw refuse('same_customer');
  const account = rowNow(customer.account_id, loaded);
  if (customer.status !== 'approved' || !account) throw refuse('not_approved');
  if (!takesCredits(account)) throw refuse('account_not_active');
  return { customer, account };
}

/**
 * The payer, if the payer can pay (rules/payments#8).
 * @throws ApiError customer_not_verified, account_restricted {reason}
 */
export function assertPayer(
  customer: CustomerRow | null,
  loaded: AccountRow | null,
  now: Instant,
): { customer: CustomerRow; account: AccountRow } {
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
