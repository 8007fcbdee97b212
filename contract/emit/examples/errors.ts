import { type ErrorCode, errorStatus } from '../../core/errors.ts';
import { allCodes, errorMessage } from '../../resources/errors.ts';
import type { Json } from '../openapi/schemas.ts';
import { ids } from './story.ts';

interface Sample {
  readonly param?: string;
  readonly details?: Json;
}

/** An example of `param` and `details` for each code (rules/errors#27). */
const samples: Readonly<Record<ErrorCode, Sample>> = {
  parameter_missing: { param: 'amount' },
  parameter_invalid: { param: 'amount', details: { reason: 'below_minimum', minimum: 100 } },
  idempotency_key_missing: { param: 'Idempotency-Key' },
  invalid_client: {},
  authentication_required: {},
  flow_not_enabled: { details: { flow: 'payments_bank' } },
  sandbox_only: {},
  not_found: {},
  duplicate_external_ref: { param: 'external_ref', details: { customer_id: ids.ana } },
  duplicate_mobile_number: { param: 'mobile_number' },
  linked_account_exists: { details: { linked_account_id: ids.linkedAccount } },
  invalid_state: {
    details: { current_status: 'completed', allowed: ['requires_confirmation'] },
  },
  session_invalid: { details: { reason: 'customer_not_found' } },
  result_token_invalid: { param: 'result_token', details: { reason: 'used' } },
  customer_not_verified: { details: { verification_status: 'pending' } },
  account_restricted: { details: { reason: 'suspended' } },
  link_token_mismatch: { param: 'public_token', details: { reason: 'unknown_token' } },
  linked_account_required: { details: { linked_account_status: 'pending' } },
  capability_unavailable: {
    details: { capability: 'load', linked_account_id: ids.linkedAccount },
  },
  withdrawal_hold: { details: { withdrawal_hold_until: '2026-03-05T15:04:05.000Z' } },
  payee_not_eligible: {
    param: 'payee_customer_id',
    details: { reason: 'account_not_active' },
  },
  payment_request_invalid: { param: 'qr_payload', details: { reason: 'signature' } },
  payment_request_expired: {
    param: 'qr_payload',
    details: { expires_at: '2026-03-02T15:15:00.000Z' },
  },
  payment_request_paid: { param: 'qr_payload', details: { paid_payment_id: ids.payment } },
  amount_mismatch: { param: 'amount', details: { requested_amount: 1250, amount: 1300 } },
  refund_window_closed: { details: { closed_at: '2026-08-29T15:05:00.000Z' } },
  refund_exceeds_payment: { param: 'amount', details: { refundable_amount: 850 } },
  limit_exceeded: {
    param: 'amount',
    details: {
      limit: 'payment_daily',
      maximum: 1000000,
      used: 990000,
      requested: 12500,
      resets_at: '2026-03-03T05:00:00.000Z',
    },
  },
  insufficient_funds: { param: 'amount', details: { available: 1000, required: 1250 } },
  rate_limited: { details: { retry_after: 12 } },
  internal_error: {},
  forbidden: {},
  step_up_required: {},
};

/** An error envelope with this code. */
const envelope = (code: ErrorCode): Json => ({
  error: {
    code,
    message: errorMessage(code, samples[code]),
    param: samples[code].param ?? null,
    request_id: ids.request,
    details: samples[code].details ?? null,
  },
});

/** `components.examples`: one refusal for each code, under the code's name. */
export const errorExamples: Json = Object.fromEntries(
  allCodes.map((code) => [
    code,
    { summary: `${errorStatus[code]} ${code}`, value: envelope(code) },
  ]),
);

/** The examples of a reply that may be any of these refusals. */
export const errorExampleRefs = (codes: readonly ErrorCode[]): Json =>
  Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
