import type { Work } from '../../core/work.ts';
import type { AccountRow } from '../accounts/table.ts';
import type { StoredMobile } from './mobile_number.ts';
import { displayName } from './names.ts';
import type { CustomerRow } from './table.ts';

/** What the contact_change flow changes; the number is verified by then. */
export interface ContactChange {
  readonly email?: string;
  readonly mobile?: StoredMobile;
}

/**
 * Another address, or another number (decisions 1.1: customer.updated). A number that another
 * customer of the Tenant has is refused by its constraint, duplicate_mobile_number.
 */
export function changeContact(
  work: Work,
  customer: CustomerRow,
  { email, mobile }: ContactChange,
): void {
  work.change(customer, { ...(email === undefined ? {} : { email }), ...mobile });
}

/** What a business tells of itself. */
export type Profile = Partial<Pick<CustomerRow, 'legal_name' | 'trading_name' | 'industry'>>;

/** Business fields that change without a move (decisions 1.1: customer.updated). */
export function changeProfile(
  work: Work,
  customer: CustomerRow,
  account: AccountRow | null,
  profile: Profile,
): void {
  work.change(customer, profile);
  renameHolder(work, customer, account);
}

/** The name that others see follows the customer's (decisions 1.6). */
export function renameHolder(work: Work, customer: CustomerRow, account: AccountRow | null): void {
  if (account) work.change(account, { holder_name: displayName(customer) });
}
