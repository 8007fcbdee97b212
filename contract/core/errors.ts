/**
 * Every stable error code and its HTTP status (rules/errors#2). Code that throws an error names the
 * code only; its status comes from here.
 */
export const errorStatus = {
  parameter_missing: 400,
  parameter_invalid: 400,
  idempotency_key_missing: 400,
  invalid_client: 401,
  authentication_required: 401,
  flow_not_enabled: 403,
  sandbox_only: 403,
  not_found: 404,
  duplicate_external_ref: 409,
  duplicate_mobile_number: 409,
  linked_account_exists: 409,
  invalid_state: 409,
  session_invalid: 422,
  result_token_invalid: 422,
  customer_not_verified: 422,
  account_restricted: 422,
  link_token_mismatch: 422,
  linked_account_required: 422,
  capability_unavailable: 422,
  withdrawal_hold: 422,
  payee_not_eligible: 422,
  payment_request_invalid: 422,
  payment_request_expired: 422,
  payment_request_paid: 422,
  amount_mismatch: 422,
  refund_window_closed: 422,
  refund_exceeds_payment: 422,
  limit_exceeded: 422,
  insufficient_funds: 422,
  rate_limited: 429,
  internal_error: 500,
  // Codes of the portal's JSON alone.
  forbidden: 403,
  step_up_required: 403,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** Codes that the portal's JSON adds to the contract's (rules/people#5). */
export const portalCodes = [
  'forbidden',
  'step_up_required',
] as const satisfies readonly ErrorCode[];

/** The codes of the Tenant API. */
export type ContractCode = Exclude<ErrorCode, (typeof portalCodes)[number]>;

/** Codes that any authenticated operation may answer without listing them (rules/errors#7). */
export const generalErrors = [
  'parameter_missing',
  'parameter_invalid',
  'authentication_required',
  'rate_limited',
  'internal_error',
] as const satisfies readonly ErrorCode[];
