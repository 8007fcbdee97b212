import type { Work } from '@tenant-payments/engine/work.ts';
import type { Applicant, Identity, IdentitySubject } from '../../rails/identity.ts';
import type { OwnerRow } from './owners/table.ts';
import type { CustomerRow } from './table.ts';

/** Identity data of a person or a business from a hosted page; never stored (rules/retention#2). */
export type IdentityData = Applicant['data'];

/**
 * Passes identity data to the provider, before the command that submits. Only the provider's
 * reference comes back and is stored (rules/customers#21).
 * @param id the uuid that identifies the customer or owner to the provider
 */
export const collectIdentity = (
  identity: Pick<Identity, 'collect'>,
  tenantId: string,
  { subject, id }: { readonly subject: IdentitySubject; readonly id: string },
  data: IdentityData,
): Promise<string> => identity.collect({ tenantId, subject, subjectId: id, data });

/** The customer waits for the identity provider's decision; no more data was requested. */
export const awaitsDecision = ({
  status,
  more_requested,
}: Pick<CustomerRow, 'status' | 'more_requested'>): boolean =>
  status === 'pending' && !more_requested;

/** Requests the provider's check of a customer, by a job after the commit. */
export const requestCustomerCheck = (work: Work, { id }: CustomerRow): void =>
  work.scheduleJob('customer_check', id, work.now);

/** Requests the provider's check of an owner, by a job after the commit. */
export const requestOwnerCheck = (work: Work, { id }: OwnerRow): void =>
  work.scheduleJob('owner_check', id, work.now);
