import type { ContractCode } from '../core/errors.ts';

/** The parties that can remove the cause of a refusal. */
export const mends = {
  your_code: 'your code',
  your_customer: 'your customer',
  operator: 'the operator of the platform',
  nobody: 'nobody: it passes by itself',
} as const;

/** Whether the call may be sent again. Only successes are stored, so the key is free (rules/idempotency#10). */
export const retries = {
  never: 'Never unchanged: the same call is refused again.',
  changed_cause: 'Not unchanged. Once the cause is gone, the same call may pass.',
  later: 'Not before the time that `details` names. Then the same call may pass.',
  new_token: 'Yes, once, with a new access token and the same Idempotency-Key.',
  same_key: 'Yes: with the same Idempotency-Key, after the seconds that `Retry-After` names.',
} as const;

export interface ErrorPage {
  /** The meaning of the code, in one or two sentences. */
  readonly meaning: string;
  /** The usual cause. */
  readonly cause: string;
  readonly mends: readonly (keyof typeof mends)[];
  readonly retry: keyof typeof retries;
}

/** The texts of each code's page beside its meaning, details and remedy (rules/errors#43). */
export const errorPages: Readonly<Record<ContractCode, ErrorPage>> = {
  parameter_missing: {
    meaning: 'A field or query parameter is missing that this call needs. `param` names it.',
    cause:
      'The field is always required, or another field of the same call makes it so: a payment by a business needs an invoice_reference.',
    mends: ['your_code'],
    retry: 'never',
  },
  parameter_invalid: {
    meaning: 'A value cannot be taken. `param` names the field, `details.reason` the fault.',
    cause:
      'The value has the wrong type, form or size, the field is unknown, the body is no JSON, or the Idempotency-Key was used for another call.',
    mends: ['your_code'],
    retry: 'never',
  },
  idempotency_key_missing: {
    meaning: 'This operation changes something and is taken only with an Idempotency-Key.',
    cause: 'The header was not sent. The server SDK sends it by itself.',
    mends: ['your_code'],
    retry: 'changed_cause',
  },
  invalid_client: {
    meaning: 'Client id and client secret do not belong together here.',
    cause:
      'The secret is mistyped, retired, or of another environment. Every environment has credentials of its own.',
    mends: ['your_code'],
    retry: 'never',
  },
  authentication_required: {
    meaning: 'The call carries no access token, or one that is no use.',
    cause: 'A token lives for an hour, or until the tokens of its client are revoked.',
    mends: ['your_code'],
    retry: 'new_token',
  },
  flow_not_enabled: {
    meaning: 'The platform has not switched on this flow for you. `details.flow` names it.',
    cause: 'Each Tenant has the flows that it agreed on with the platform.',
    mends: ['operator'],
    retry: 'changed_cause',
  },
  sandbox_only: {
    meaning: 'The operation plays the outside world, and exists in the sandbox only.',
    cause: 'A test, or code that was meant for the sandbox, ran against production.',
    mends: ['your_code'],
    retry: 'never',
  },
  not_found: {
    meaning: 'You have no record with this id, or the service has no such path.',
    cause:
      "The id is mistyped or of another environment, or the report of that day is not made yet. Another Tenant's record looks the same as one that does not exist.",
    mends: ['your_code'],
    retry: 'changed_cause',
  },
  duplicate_external_ref: {
    meaning: 'You already have a customer with this external_ref.',
    cause:
      'Your system registered the customer before, perhaps in a call whose reply was lost. A closed customer keeps the reference.',
    mends: ['your_code'],
    retry: 'never',
  },
  duplicate_mobile_number: {
    meaning: 'You already have an open customer with this mobile number.',
    cause: 'The person is registered already, or two people gave the same number.',
    mends: ['your_code', 'your_customer'],
    retry: 'never',
  },
  linked_account_exists: {
    meaning: 'The customer already has a linked bank account. Each customer has one at a time.',
    cause: 'A link is pending, under review or verified. A removed or failed one does not count.',
    mends: ['your_code', 'your_customer'],
    retry: 'changed_cause',
  },
  invalid_state: {
    meaning:
      'The record is not in a state in which this is possible. `details.current_status` says where it is.',
    cause:
      'It moved on since you read it: the customer confirmed, a deadline passed, or the same was done before.',
    mends: ['your_code'],
    retry: 'never',
  },
  session_invalid: {
    meaning: 'No hosted session can be opened for what the call names.',
    cause:
      'The customer or the target is unknown, the target waits for nothing, or return_url is not among your registered addresses.',
    mends: ['your_code'],
    retry: 'never',
  },
  result_token_invalid: {
    meaning: 'This result token cannot be exchanged.',
    cause: 'It was exchanged before, is older than ten minutes, or was never given out.',
    mends: ['your_code'],
    retry: 'never',
  },
  customer_not_verified: {
    meaning: 'The customer is unknown, or has not been verified yet.',
    cause: 'The call came before `customer.approved`, or names a customer you do not have.',
    mends: ['your_code', 'your_customer'],
    retry: 'changed_cause',
  },
  account_restricted: {
    meaning: "The customer's account cannot be used now. `details.reason` says why.",
    cause:
      'The account is suspended, dormant, closing or closed, or the customer has not answered new terms for 30 days.',
    mends: ['your_customer', 'operator'],
    retry: 'changed_cause',
  },
  link_token_mismatch: {
    meaning: 'This public token cannot become a linked account of this customer.',
    cause:
      'It was made for another customer, is used up or too old, or names several bank accounts and the call does not choose one.',
    mends: ['your_code'],
    retry: 'never',
  },
  linked_account_required: {
    meaning: 'Money cannot come from or go to a bank: the customer has no bank account for it.',
    cause:
      'None is linked, the link is not verified yet, or the linked account cannot receive money.',
    mends: ['your_customer'],
    retry: 'changed_cause',
  },
  capability_unavailable: {
    meaning: "The customer's linked bank account cannot do this. `details.capability` names it.",
    cause:
      "The customer's bank takes no requests for payment, or a payment by bank has no verified link to come from.",
    mends: ['your_customer'],
    retry: 'never',
  },
  withdrawal_hold: {
    meaning: 'The customer linked another bank account, and withdrawals to it wait for a while.',
    cause:
      'Each link after the first is held, so that whoever takes over an account cannot empty it at once.',
    mends: ['nobody', 'operator'],
    retry: 'later',
  },
  payee_not_eligible: {
    meaning: 'The merchant cannot be paid. `details.reason` says why.',
    cause:
      'The payee is unknown, no business, not approved, without an open account, or the payer.',
    mends: ['your_code', 'your_customer'],
    retry: 'changed_cause',
  },
  payment_request_invalid: {
    meaning: 'The QR payload cannot be paid. `details.reason` says why.',
    cause:
      'It was not read whole, is not signed by this service, is of another Tenant or environment, was canceled, or is being paid.',
    mends: ['your_code', 'your_customer'],
    retry: 'changed_cause',
  },
  payment_request_expired: {
    meaning: 'The payment request is past its expires_at.',
    cause: 'The customer scanned a code that the merchant made too long ago.',
    mends: ['your_customer'],
    retry: 'never',
  },
  payment_request_paid: {
    meaning: 'The payment request has been paid already.',
    cause: 'Someone else paid it, or the same customer did so before.',
    mends: ['your_code'],
    retry: 'never',
  },
  amount_mismatch: {
    meaning: 'The call pays more than the payment request asks for.',
    cause: 'The amount of the call was not taken from the request.',
    mends: ['your_code'],
    retry: 'never',
  },
  refund_window_closed: {
    meaning: 'The payment is too old to be refunded. `details.closed_at` says since when.',
    cause: 'A payment can be refunded for 180 days, or as long as the platform has set for you.',
    mends: ['operator'],
    retry: 'never',
  },
  refund_exceeds_payment: {
    meaning: 'The refund is more than what is left of the payment.',
    cause: 'Earlier refunds, open ones and credits of a dispute count too.',
    mends: ['your_code'],
    retry: 'never',
  },
  limit_exceeded: {
    meaning: 'The amount would pass a limit. `details.limit` names it.',
    cause:
      'One amount is above the limit of its kind, or the amounts of a day or of 30 days are, taken together.',
    mends: ['your_customer', 'operator'],
    retry: 'changed_cause',
  },
  insufficient_funds: {
    meaning: 'The account does not hold the amount and the fees that the payer bears.',
    cause: 'Money that is held for other payments and withdrawals is not available.',
    mends: ['your_customer'],
    retry: 'changed_cause',
  },
  rate_limited: {
    meaning: 'You called more often than your limit allows.',
    cause:
      'A loop or a job sends its calls without a pause, or wrong client secrets were sent again and again.',
    mends: ['nobody', 'your_code'],
    retry: 'same_key',
  },
  internal_error: {
    meaning:
      'The service could not answer. With 503 it is briefly away, and nothing is known to have happened.',
    cause:
      'With 503: overload, a restart, or a database that is away. With 500: a fault of the service.',
    mends: ['nobody', 'operator'],
    retry: 'same_key',
  },
};
