import type { Work } from '../../core/work.ts';
import type { Applicant, Identity, IdentitySubject } from '../../rails/identity.ts';
import type { OwnerRow } from './owners/table.ts';
import type { CustomerRow } from './table.ts';

/** What a hosted page gathered of a person or a business; nothing of it is stored (decisions 1.12). */
export type IdentityData = Applicant['data'];

/**
 * Hands identity data on to the provider, before the command that submits. Its reference is all that
 * comes back, and all that is kept.
 * @param id the uuid under which the provider will be asked
 */
export const collectIdentity = (
  identity: Pick<Identity, 'collect'>,
  tenantId: string,
  { subject, id }: { readonly subject: IdentitySubject; readonly id: string },
  data: IdentityData,
): Promise<string> => identity.collect({ tenantId, subject, subjectId: id, data });

/** The identity provider's decision is waited for, and nothing more is asked of the customer. */
export const awaitsDecision = ({
  status,
  more_requested,
}: Pick<CustomerRow, 'status' | 'more_requested'>): boolean =>
  status === 'pending' && !more_requested;

/** Asks the provider about a customer, as soon as this command has committed. */
export const askAboutCustomer = (work: Work, { id }: CustomerRow): void =>
  work.scheduleJob('customer_check', id, work.now);

/** Asks the provider about an owner, as soon as this command has committed. */
export const askAboutOwner = (work: Work, { id }: OwnerRow): void =>
  work.scheduleJob('owner_check', id, work.now);
