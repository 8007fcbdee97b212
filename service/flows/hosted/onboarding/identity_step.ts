import { fail } from '@tenant-payments/engine/fail.ts';
import { readColumns } from '@tenant-payments/engine/table.ts';
import type { Identity } from '../../../rails/identity.ts';
import { awaitsDecision } from '../../../resources/customers/identity.ts';
import { type CustomerRow, customers } from '../../../resources/customers/table.ts';
import type { Service } from '../../../service.ts';
import type { PageCaller } from '../caller.ts';
import { refusal } from '../session.ts';

/** Only an individual who has applied, and about whom the provider has not decided, has something to do there. */
export const isStepOpen = (customer: Pick<CustomerRow, 'type' | 'status' | 'more_requested'>) =>
  customer.type === 'individual' && awaitsDecision(customer);

/**
 * The provider's own step, for whoever has applied by this page or comes back to it.
 * @throws ApiError invalid_state {reason: flow, no_identity_step}; 503 where the provider does not answer
 */
export const openIdentityStep =
  ({ db }: Pick<Service, 'db'>, { session }: Pick<Identity, 'session'>) =>
  async ({ tenantId, sessionId, customerId, locale }: PageCaller) => {
    const [customer, opened] = await Promise.all([
      db
        .selectFrom('customers')
        .where('tenant_id', '=', tenantId)
        .where('id', '=', customerId)
        .select(readColumns(customers))
        .executeTakeFirst(),
      db
        .selectFrom('sessions')
        .where('tenant_id', '=', tenantId)
        .where('id', '=', sessionId)
        .select('flow')
        .executeTakeFirst(),
    ]);
    if (!customer) throw fail('not_found');
    if (opened?.flow !== 'onboarding') throw refusal('flow');
    if (!session || !isStepOpen(customer)) throw refusal('no_identity_step');
    const link_token = await session({
      tenantId,
      subject: 'customer',
      subjectId: customerId,
      since: customer.verification_updated_at,
      reference: customer.identity_reference,
      ...(locale && { locale }),
    });
    return { link_token };
  };
