import { randomUUID } from 'node:crypto';
import { PlaidRefusal } from './refusal.ts';
import type { PlaidState, PlaidVerification } from './state.ts';

/** Identity Verification, as the counterpart of Plaid keeps it. */

type Body = Readonly<Record<string, unknown>>;

const firstSteps = {
  accept_tos: 'success',
  verify_sms: 'not_applicable',
  kyc_check: 'active',
  documentary_verification: 'waiting_for_prerequisite',
  selfie_check: 'not_applicable',
  watchlist_screening: 'waiting_for_prerequisite',
  risk_check: 'waiting_for_prerequisite',
};

/** All that a template wants is passed. */
export const allPassed = {
  status: 'success',
  steps: {
    ...firstSteps,
    kyc_check: 'success',
    documentary_verification: 'success',
    watchlist_screening: 'success',
    risk_check: 'success',
  },
} as const;

/** The name does not agree, and the document had ended. */
export const documentFailed = {
  status: 'failed',
  steps: { ...allPassed.steps, kyc_check: 'failed', documentary_verification: 'failed' },
  kyc: { name: 'no_match', address: 'partial_match' },
  document: { expiration_date: 'expired' },
} as const;

const kycOf = ({ kyc, steps }: PlaidVerification) => {
  const { name = 'match', address = 'match' } = kyc ?? {};
  return {
    status: steps.kyc_check,
    address: { summary: address, po_box: 'no', type: 'residential' },
    name: { summary: name },
    date_of_birth: { summary: 'match' },
    id_number: { summary: 'match' },
    phone_number: { summary: 'no_data', area_code: 'no_data' },
  };
};

const documentOf = ({ document, steps, user }: PlaidVerification) =>
  document && {
    status: steps.documentary_verification,
    documents: [
      {
        status: 'failed',
        attempt: 1,
        images: {
          original_front: 'https://example.plaid.com/front.jpeg',
          original_back: null,
          cropped_front: null,
          cropped_back: null,
          face: null,
        },
        extracted_data: {
          id_number: 'AB123456',
          category: 'passport',
          expiration_date: '2019-05-29',
          issue_date: null,
          issuing_country: 'US',
          issuing_region: null,
          date_of_birth: user?.date_of_birth ?? null,
          address: null,
          name: null,
        },
        analysis: {
          authenticity: 'match',
          image_quality: 'high',
          extracted_data: {
            name: 'match',
            date_of_birth: 'match',
            expiration_date: 'not_expired',
            issuing_country: 'match',
            ...document,
          },
          fraud_analysis_details: null,
          image_quality_details: null,
          aamva_verification: null,
        },
        redacted_at: null,
      },
    ],
  };

const shown = (one: PlaidVerification) => ({
  id: one.id,
  client_user_id: one.client_user_id,
  created_at: one.created_at,
  completed_at: one.status === 'active' ? null : one.created_at,
  previous_attempt_id: one.previous,
  shareable_url: null,
  template: { id: one.template, version: 1 },
  user: {
    phone_number: null,
    date_of_birth: null,
    ip_address: null,
    email_address: null,
    name: null,
    address: null,
    id_number: null,
    ...one.user,
    ...(one.user?.address ? { address: { street2: null, ...(one.user.address as object) } } : {}),
  },
  status: one.status,
  steps: one.steps,
  documentary_verification: documentOf(one),
  selfie_check: null,
  kyc_check: one.steps.kyc_check === 'active' ? null : kycOf(one),
  risk_check: null,
  verify_sms: null,
  watchlist_screening_id: null,
  beacon_user_id: null,
  user_id: null,
  redacted_at: null,
});

/** The counterpart's answers to the operations of Identity Verification. */
export function verifying(state: PlaidState): Record<string, (body: Body) => object> {
  const all = () => [...state.verifications.values()];
  const ofUser = ({ client_user_id, template_id }: Body) =>
    all().filter((one) => one.client_user_id === client_user_id && one.template === template_id);

  function assertTemplate({ template_id }: Body): void {
    if (template_id !== state.template) throw new PlaidRefusal('INVALID_FIELD', 'INVALID_REQUEST');
  }
  function begin({ client_user_id, template_id, user }: Body, previous: string | null) {
    const one: PlaidVerification = {
      id: `idv_${randomUUID().replaceAll('-', '').slice(0, 14)}`,
      client_user_id: String(client_user_id),
      template: String(template_id),
      user: (user ?? null) as PlaidVerification['user'],
      previous,
      created_at: new Date(Date.now() + state.verifications.size).toISOString(),
      status: 'active',
      steps: { ...firstSteps },
      kyc: null,
      document: null,
    };
    state.verifications.set(one.id, one);
    return one;
  }
  return {
    identityVerificationCreate(body) {
      assertTemplate(body);
      const before = ofUser(body).at(-1);
      if (before && body.is_idempotent === true) return shown(before);
      if (before) throw new PlaidRefusal('ALREADY_EXISTS', 'INVALID_REQUEST');
      return shown(begin(body, null));
    },
    identityVerificationRetry(body) {
      assertTemplate(body);
      const before = ofUser(body).at(-1);
      if (!before) throw new PlaidRefusal('NOT_FOUND', 'INVALID_REQUEST');
      if (before.status === 'active') before.status = 'canceled';
      return shown(begin(body, before.id));
    },
    identityVerificationGet({ identity_verification_id: id }) {
      const found = state.verifications.get(String(id));
      if (!found) throw new PlaidRefusal('NOT_FOUND', 'INVALID_REQUEST');
      return shown(found);
    },
    identityVerificationList(body) {
      assertTemplate(body);
      return { identity_verifications: ofUser(body).reverse().map(shown), next_cursor: null };
    },
  };
}
