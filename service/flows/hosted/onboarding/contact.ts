import type { ApplicantContact } from '../../../rails/identity.ts';
import { openMobile } from '../../../resources/customers/mobile_number.ts';
import type { Service } from '../../../service.ts';
import type { PageCaller } from '../caller.ts';

/** An applicant's contact: the mail address, and the number that this session has proven. */
export async function applicantContact(
  { db, vault }: Pick<Service, 'db' | 'vault'>,
  { tenantId, customerId, sessionId }: PageCaller,
): Promise<ApplicantContact> {
  const [customer, progress] = await Promise.all([
    db
      .selectFrom('customers')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', customerId)
      .select(['email', 'mobile_hmac', 'mobile_sealed'])
      .executeTakeFirst(),
    db
      .selectFrom('session_progress')
      .where('tenant_id', '=', tenantId)
      .where('session_id', '=', sessionId)
      .select(['proven_mobile_hmac', 'proven_mobile_sealed'])
      .executeTakeFirst(),
  ]);
  const proven = progress?.proven_mobile_hmac
    ? { mobile_hmac: progress.proven_mobile_hmac, mobile_sealed: progress.proven_mobile_sealed }
    : customer;
  return {
    ...(customer?.email && { email: customer.email }),
    ...(proven?.mobile_hmac && { mobileNumber: openMobile(vault, tenantId, proven) }),
  };
}
