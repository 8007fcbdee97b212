import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import type { createCustomer as contract } from '@tenant-payments/contract/resources/customers.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Environment } from '@tenant-payments/engine/production.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { storedMetadata } from '../metadata.ts';
import { onceOf, openSession } from '../sessions/open.ts';
import { loadNeeded, notLive, samplesOf } from './documents/live.ts';
import { type StoredMobile, storeMobile } from './mobile_number.ts';
import { type CustomerRow, customers } from './table.ts';

type Input = BodyOf<typeof contract>;

const prefillKeys = {
  individual: ['first_name', 'last_name'],
  business: ['legal_name'],
} as const satisfies Record<Input['type'], readonly string[]>;

/** Refuses a key of the other customer type (rules/customers#5). */
function checkPrefill({ type, prefill }: Input): void {
  const allowed: readonly string[] = prefillKeys[type];
  for (const key of Object.keys(prefill ?? {})) {
    if (!allowed.includes(key))
      throw fail('parameter_invalid', {
        param: `prefill.${key}`,
        details: { reason: `not_for_${type}`, allowed },
      });
  }
}

/** Fields that a new customer does not have yet. */
const initialValues = {
  trading_name: null,
  industry: null,
  retry_available_at: null,
  rejections: 0,
  more_requested: false,
  identity_reference: null,
  withdrawn_reason: null,
  account_id: null,
  pin_set: false,
  pin_locked: false,
  pin_reset_session_id: null,
  contact_change_session_id: null,
  terms_session_id: null,
  terms_due_at: null,
  erased_at: null,
  paper_since: null,
} as const;

function register(work: Work, id: string, sessionId: string, input: Input, mobile: StoredMobile) {
  return work.create(
    customers,
    {
      id,
      type: input.type,
      external_ref: input.external_ref,
      email: input.email,
      ...mobile,
      given_name: input.prefill?.first_name ?? null,
      family_name: input.prefill?.last_name ?? null,
      legal_name: input.prefill?.legal_name ?? null,
      owners_status: input.type === 'business' ? 'not_started' : null,
      verification_updated_at: work.now,
      ...initialValues,
      onboarding_session_id: sessionId,
      metadata: storedMetadata(input.metadata),
      created_at: work.now,
    },
    'create',
  );
}

/**
 * @throws ApiError duplicate_external_ref {customer_id}; duplicate_mobile_number without details
 */
function checkUnique(
  byRef: CustomerRow | null,
  byMobile: CustomerRow | null,
  { mobile_hmac }: StoredMobile,
): void {
  if (byRef)
    throw fail('duplicate_external_ref', {
      param: 'external_ref',
      details: { customer_id: publicId('customer', byRef.id) },
    });
  // A command before this one in the batch may have freed it.
  if (byMobile?.mobile_hmac === mobile_hmac)
    throw fail('duplicate_mobile_number', { param: 'mobile_number' });
}

/**
 * POST /v1/customers: 201, created, with the session in which the customer goes through onboarding.
 * @param environment production refuses while the Tenant is not live (rules/documents#24)
 */
export const createCustomer = (vault: Vault, environment: Environment = 'sandbox') =>
  command('create_customer', {
    prepare: async (input: Input, { tenantId }) => {
      checkPrefill(input);
      return storeMobile(vault, tenantId, input.mobile_number);
    },
    load: async (read, { external_ref, type }, { mobile_hmac }) => {
      const [byRef, byMobile, needed] = await Promise.all([
        read.by(customers, 'external_ref', { external_ref }),
        read.by(customers, 'mobile_number', { mobile_hmac }),
        loadNeeded(read, environment, type),
      ]);
      return { byRef, byMobile, needed };
    },
    decide: (work, { byRef, byMobile, needed }, input, mobile) => {
      const flow = `customers_${input.type}` as const;
      if (!work.tenant.settings.flows[flow]) throw fail('flow_not_enabled', { details: { flow } });
      const samples = samplesOf(needed);
      const refusal = notLive(environment, work.tenant.settings, input.type, samples);
      if (refusal) throw refusal;
      checkUnique(byRef, byMobile, mobile);
      const id = work.newId();
      const opened = openSession(work, {
        flow: 'onboarding',
        customerId: id,
        target: null,
        returnUrl: null,
      });
      const record = register(work, id, opened.row.id, input, mobile);
      return { record, once: onceOf('onboarding_session', opened) };
    },
  });
