import type { Work } from '@tenant-payments/engine/work.ts';
import type { AccountRow } from '../accounts/table.ts';
import { maskedEmail } from './masks.ts';
import { contactOf, tellCustomer } from './messages/tell.ts';
import type { StoredMobile } from './mobile_number.ts';
import { displayName } from './names.ts';
import type { CustomerRow } from './table.ts';

/** The values that the flow contact_change changes. A new number has been verified. */
export interface ContactChange {
  readonly email?: string;
  readonly mobile?: StoredMobile;
}

/**
 * Sets another email or mobile number (rules/customers#23), and tells the old contact and the new
 * one. A number that another customer of the Tenant has violates a constraint:
 * duplicate_mobile_number.
 */
export function changeContact(
  work: Work,
  customer: CustomerRow,
  { email, mobile }: ContactChange,
): void {
  const before = contactOf(customer);
  work.change(customer, { ...(email === undefined ? {} : { email }), ...mobile });
  if (email !== undefined && email !== before.email)
    tellCustomer(work, customer, 'email_changed', { email: maskedEmail(email) }, before);
  if (mobile && mobile.mobile_hmac !== before.mobile_hmac)
    tellCustomer(work, customer, 'mobile_changed', { last4: mobile.mobile_last4 }, before);
}

/** The fields that a business can change of itself. */
export type Profile = Partial<Pick<CustomerRow, 'legal_name' | 'trading_name' | 'industry'>>;

/** Business fields that change without a move: customer.updated (rules/customers#8). */
export function changeProfile(
  work: Work,
  customer: CustomerRow,
  account: AccountRow | null,
  profile: Profile,
): void {
  work.change(customer, profile);
  renameHolder(work, customer, account);
}

/** The holder name of the account follows the customer's names (rules/customers#19). */
export function renameHolder(work: Work, customer: CustomerRow, account: AccountRow | null): void {
  if (account) work.change(account, { holder_name: displayName(customer) });
}
