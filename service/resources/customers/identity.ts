import type { Work } from '../../core/work.ts';
import type { OwnerRow } from './owners_table.ts';
import type { CustomerRow } from './table.ts';

/** The identity provider's decision is waited for, and nothing more is asked of the customer. */
export const awaitsDecision = ({
  status,
  more_requested,
}: Pick<CustomerRow, 'status' | 'more_requested'>): boolean =>
  status === 'pending' && !more_requested;

/** Asks the provider about a customer, as soon as this command has committed. */
export const askAboutCustomer = (work: Work, { id }: CustomerRow): void =>
  work.due('customer_check', id, work.now);

/** Asks the provider about an owner, as soon as this command has committed. */
export const askAboutOwner = (work: Work, { id }: OwnerRow): void =>
  work.due('owner_check', id, work.now);
