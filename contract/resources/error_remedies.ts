import type { ErrorCode } from '../core/errors.ts';

/** The remedy of a developer for each code, in a sentence or two. */
export const errorRemedies: Readonly<Record<ErrorCode, string>> = {
  parameter_missing: 'Send the field that `param` names.',
  parameter_invalid:
    'Correct the field that `param` names; `details.allowed` lists what it takes. Give a changed request a new Idempotency-Key.',
  idempotency_key_missing:
    'Send the header Idempotency-Key with a new random value, and the same value when you try again.',
  invalid_client:
    'Check client id and secret, and that they belong to this environment. A retired secret no longer works.',
  authentication_required:
    'Fetch a token and send it as `Authorization: Bearer`. Fetch another when it has expired.',
  flow_not_enabled: 'Ask the platform to switch on the flow that `details.flow` names.',
  sandbox_only:
    'Call it in the sandbox. In production the bank, the customer and the reviewer act.',
  not_found:
    'Check the id, and that the token is of the Tenant and environment that made the record.',
  duplicate_external_ref:
    'Use the customer in `details.customer_id`, or choose another external_ref.',
  duplicate_mobile_number:
    'Find the customer with this number, or let the customer give another one.',
  linked_account_exists: 'Use the link in `details.linked_account_id`, or remove it first.',
  invalid_state:
    'Read the record anew and act on its present state; `details.allowed` says from which states this is possible.',
  session_invalid:
    'Look at `details.reason`: the record may have moved on, or the return address is not registered.',
  result_token_invalid:
    'Exchange each result token once and at once. For the outcome, read the record itself.',
  customer_not_verified:
    'Wait for `customer.approved`. `details.verification_status` says how far the customer is.',
  account_restricted:
    'Look at `details.reason`. A dormant account opens with its next sign-in, others need the platform.',
  link_token_mismatch:
    'Make a link token for this customer, and send the public token that the widget returned for it, once.',
  linked_account_required:
    'Let the customer link a bank account, and wait for `linked_account.verified`.',
  capability_unavailable:
    'Offer another way to pay, or let the customer link another account; `details.capability` names what is missing.',
  withdrawal_hold: 'Try again after `details.withdrawal_hold_until`.',
  payee_not_eligible:
    'Look at `details.reason`: the merchant must be approved and its account open.',
  payment_request_invalid:
    'Have the merchant show a new code. Send the QR payload exactly as it was read.',
  payment_request_expired: 'Have the merchant create a new payment request.',
  payment_request_paid: 'Show the customer the payment in `details.paid_payment_id`.',
  amount_mismatch: 'Pay at most `details.requested_amount`.',
  refund_window_closed: 'Give the money back by a payment of its own.',
  refund_exceeds_payment: 'Refund at most `details.refundable_amount`.',
  limit_exceeded:
    'Try a smaller amount, or again after `details.resets_at`. The platform can raise the limit that `details.limit` names.',
  insufficient_funds: 'Let the customer load the account, or pay by bank.',
  rate_limited: 'Wait as long as Retry-After says. Spread calls, and read lists by larger pages.',
  internal_error:
    'Try again with the same Idempotency-Key after Retry-After. If it stays, report the request id.',
  forbidden: 'Ask an owner for one of the roles in `details.roles`.',
  step_up_required: 'Prove a passkey, or sign in anew, and repeat the call.',
};
