import type { Work } from '@tenant-payments/engine/work.ts';
import type { RailsCall } from '../../rails/call.ts';
import type { Applicant, Identity, IdentitySubject } from '../../rails/identity.ts';
import type { OwnerRow } from './owners/table.ts';
import type { CustomerRow } from './table.ts';

/** Identity data of a person or a business from a hosted page: it goes to the provider (rules/retention#2). */
export type IdentityData = Applicant['data'];

/**
 * Passes identity data to the provider, once the checks of a submission have passed. Only the
 * provider's reference comes back and is stored with the record (rules/customers#21).
 * @param of the uuids that identify the customer or owner to the provider
 * @param more how to reach them, and since when they agree, where the page knows it
 */
export const collectIdentity = (
  identity: Pick<Identity, 'collect'>,
  tenantId: string,
  of: { readonly subject: IdentitySubject; readonly id: string; readonly customerId: string },
  data: IdentityData,
  { call, ...more }: Pick<Applicant, 'contact' | 'consentAt'> & { readonly call?: RailsCall } = {},
): Promise<string> => {
  const { subject, id: subjectId, customerId } = of;
  return identity.collect({ tenantId, subject, subjectId, customerId, data, ...more }, call);
};

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
