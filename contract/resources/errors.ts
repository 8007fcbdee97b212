import Type, { type Static } from 'typebox';
import type { EndpointDefinition } from '../core/endpoint.ts';
import {
  type ContractCode,
  type ErrorCode,
  errorStatus,
  generalErrors,
  portalCodes,
} from '../core/errors.ts';
import { Closed, Id, Nullable, OneOf } from '../core/schema.ts';
import { type RefusalFacts, refusalWords } from './refusal_words.ts';

export const allCodes = Object.keys(errorStatus) as ErrorCode[];
const ofPortal: readonly ErrorCode[] = portalCodes;

/** The contract's codes. */
export const errorCodes = allCodes.filter((code): code is ContractCode => !ofPortal.includes(code));

const envelopeOf = (codes: readonly ErrorCode[]) =>
  Closed({
    error: Closed({
      code: OneOf(codes, 'Stable; programs act on this'),
      message: Type.String({
        description: 'May change; not for display to customers and not to be parsed',
      }),
      param: Nullable(Type.String({ description: 'Request field the error relates to' })),
      request_id: Id('Also in the Service-Request-Id header'),
      details: Nullable(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'Extra structured information for some errors',
        }),
      ),
    }),
  });

/** The body of every reply that is not a success (rules/errors#1). */
export const ErrorEnvelope = envelopeOf(errorCodes);
export type ErrorEnvelope = Static<typeof ErrorEnvelope>;

/** The same, of the portal's JSON. */
export const PortalErrorEnvelope = envelopeOf(allCodes);

/**
 * Every code that an operation may answer: its own, the general ones, and the missing key where one
 * is required. The token endpoint takes no access token, so it never answers that one is missing.
 */
export function replyCodes(endpoint: EndpointDefinition): ErrorCode[] {
  const general = generalErrors.filter(
    (code) => endpoint.authenticated !== false || code !== 'authentication_required',
  );
  const key: ErrorCode[] = endpoint.idempotent === 'required' ? ['idempotency_key_missing'] : [];
  return allCodes.filter((code) => [...general, ...key, ...endpoint.errors].includes(code));
}

interface Meaning {
  readonly when: string;
  readonly details: string;
}

/** When each code applies, and what its `details` hold (rules/errors#27). `?`: may be absent. */
export const errorMeanings: Readonly<Record<ErrorCode, Meaning>> = {
  parameter_missing: { when: 'a required field, or one that others require', details: 'reason?' },
  parameter_invalid: {
    when: 'a value that the field cannot take, an unknown field, a body that is no JSON; an Idempotency-Key of bad form or used for another request',
    details: 'reason, allowed?, expected?, minimum?, maximum?',
  },
  idempotency_key_missing: { when: 'the operation requires the header', details: '' },
  invalid_client: { when: 'wrong client credentials', details: '' },
  authentication_required: { when: 'no access token, or an unusable one', details: '' },
  flow_not_enabled: { when: 'the Tenant has this flow switched off', details: 'flow' },
  sandbox_only: { when: 'simulate in production', details: '' },
  not_found: {
    when: "no such record of this Tenant's, or no such path",
    details: 'reason?, available_at?',
  },
  duplicate_external_ref: {
    when: 'another customer of the Tenant, closed ones too, has it',
    details: 'customer_id',
  },
  duplicate_mobile_number: {
    when: 'a customer of the Tenant who has neither closed nor withdrawn has it',
    details: '',
  },
  linked_account_exists: { when: 'the customer has an active link', details: 'linked_account_id' },
  invalid_state: {
    when: "the record's state does not allow the operation",
    details: 'current_status, allowed, reason?',
  },
  session_invalid: {
    when: 'a session cannot be opened for this customer, target or return address',
    details: 'reason',
  },
  result_token_invalid: { when: 'used, expired or unknown', details: 'reason' },
  customer_not_verified: {
    when: 'unknown customer, or verification not approved',
    details: 'verification_status?',
  },
  account_restricted: {
    when: 'the account is suspended, dormant, closing or closed, or new terms wait too long',
    details: 'reason',
  },
  link_token_mismatch: {
    when: "the public token is not this customer's, unknown or dead, or names no one account",
    details: 'reason',
  },
  linked_account_required: { when: 'no verified link', details: 'linked_account_status' },
  capability_unavailable: {
    when: 'the linked bank account cannot do this',
    details: 'capability, linked_account_id',
  },
  withdrawal_hold: { when: 'the linked account is too new', details: 'withdrawal_hold_until' },
  payee_not_eligible: { when: 'the merchant cannot be paid', details: 'reason' },
  payment_request_invalid: { when: 'the QR payload cannot be paid', details: 'reason' },
  payment_request_expired: { when: 'past its expiry', details: 'expires_at' },
  payment_request_paid: { when: 'paid by another payment', details: 'paid_payment_id' },
  amount_mismatch: { when: 'above the requested amount', details: 'requested_amount, amount' },
  refund_window_closed: { when: 'the payment is too old', details: 'closed_at' },
  refund_exceeds_payment: { when: 'more than is left of it', details: 'refundable_amount' },
  limit_exceeded: {
    when: 'an amount limit',
    details: 'limit, maximum, used, requested, resets_at?',
  },
  insufficient_funds: {
    when: 'available is below amount and payer fees',
    details: 'available, required',
  },
  rate_limited: { when: 'too many requests', details: 'retry_after' },
  internal_error: { when: 'a fault of the service, or (503) briefly away', details: 'reason' },
  forbidden: { when: 'no role of the caller allows the operation', details: 'reason?, roles?' },
  step_up_required: {
    when: 'the operation needs a passkey or a sign-in of the last five minutes',
    details: '',
  },
};

/** A refusal in words: what is wrong and what to do; else the code, when it applies, and the parameter. */
export function errorMessage(code: ErrorCode, given: RefusalFacts = {}): string {
  const words = refusalWords(code, given);
  // A sentence whose fact is not there says less than the general one.
  if (words !== null && !/\bundefined\b/.test(words)) return words;
  const { param, details } = given;
  const facts = [param, details?.reason].filter((fact) => typeof fact === 'string');
  const about = facts.length > 0 ? ` (${facts.join(': ')})` : '';
  return `${code.replaceAll('_', ' ')}: ${errorMeanings[code].when}${about}`;
}
