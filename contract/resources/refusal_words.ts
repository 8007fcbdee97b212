import type { ErrorCode } from '../core/errors.ts';

/** The facts of a refusal beside its code. */
export interface RefusalFacts {
  readonly param?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

type Details = Readonly<Record<string, unknown>>;
type Sentence = (details: Details, param: string) => string;

const listed = (value: unknown): string => (Array.isArray(value) ? value.join(' or ') : '');

/** A state, and what it must be, where something can be done about it. */
const ofState: Sentence = ({ current_status: now, allowed }) => {
  const wanted = listed(allowed);
  const state = now === undefined ? 'the state does not allow this' : `the record is ${now}`;
  return wanted === ''
    ? `${state}, and this is not possible any more: read the record anew`
    : `${state}, and this is possible only while it is ${wanted}: read the record anew`;
};

/** The one thing that is wrong and what to do, of a code that has no reasons. */
const sentences: { readonly [C in ErrorCode]?: Sentence } = {
  parameter_missing: (_, param) =>
    `${param} is missing: this call needs it; send it, or see the operation in the reference`,
  flow_not_enabled: ({ flow }) =>
    `${flow} is switched off for this Tenant: it is switched on in the setting flows`,
  sandbox_only: () => 'this works in a sandbox alone, and this is production: leave it out here',
  not_found: (_, param) =>
    param === ''
      ? 'no such record of this Tenant: compare the id, its prefix and the environment'
      : `${param} names no record of this Tenant: compare the id, its prefix and the environment`,
  duplicate_external_ref: ({ customer_id }) =>
    `another customer has this external_ref${customer_id ? `: use ${customer_id}` : ': find it with GET /v1/customers?external_ref='}, or send another`,
  duplicate_mobile_number: () =>
    'another open customer has this mobile_number: each customer needs one of their own',
  linked_account_exists: ({ linked_account_id: id }) =>
    `the customer has an active linked account${id ? `, ${id}` : ''}: remove it before you link another`,
  invalid_state: ofState,
  customer_not_verified: ({ verification_status: status }) =>
    status === undefined
      ? 'there is no such customer: compare customer_id'
      : `the customer is ${status} and not approved: wait for customer.approved`,
  linked_account_required: ({ linked_account_status: status }) =>
    status
      ? `the linked account is ${status} and not verified for this: wait for linked_account.verified, or link another`
      : 'the customer has no linked account: link one, and wait for linked_account.verified',
  capability_unavailable: ({ capability, linked_account_id: id }) =>
    id
      ? `the bank account ${id} cannot ${capability}: link another one`
      : `no verified linked account can ${capability}: link one, and wait for linked_account.verified`,
  withdrawal_hold: ({ withdrawal_hold_until: until }) =>
    `the linked account is new: withdraw after ${until}`,
  payment_request_expired: ({ expires_at }) =>
    `the payment request ended ${expires_at ?? 'already'}: ask the merchant for a new one`,
  payment_request_paid: ({ paid_payment_id: id }) =>
    `the payment request was paid${id ? ` by ${id}` : ' by another payment'}: nothing is due`,
  amount_mismatch: ({ requested_amount, amount }) =>
    `amount is ${amount}, and only ${requested_amount} was requested: send that or less`,
  refund_window_closed: ({ closed_at }) =>
    `the time for refunds of this payment ended ${closed_at}: pay the customer another way`,
  refund_exceeds_payment: ({ refundable_amount }) =>
    refundable_amount === 0
      ? 'nothing is left to refund of this payment'
      : `only ${refundable_amount} of the payment is left to refund: send that or less`,
  limit_exceeded: ({ limit, maximum, used, requested, resets_at }) =>
    `${limit} allows ${maximum}, ${used} is used and ${requested} was asked for: send less${resets_at ? `, or wait until ${resets_at}` : ''}`,
  insufficient_funds: ({ available, required }) =>
    `${available} is available and ${required} is needed, fees included: load money or send less`,
};

const account = (what: string) => `the account is ${what}`;
const token = 'start a new session, and open its token once';

/** The same of the reasons that a code has. */
const ofReasons: { readonly [C in ErrorCode]?: Readonly<Record<string, string | Sentence>> } = {
  account_restricted: {
    suspended: account('suspended: it works again once the operator reactivates it'),
    dormant: account('dormant: it works again after its owner has used it'),
    closing: account('closing: nothing new can be begun'),
    closed: account('closed for good: the customer needs a new one'),
    terms_pending: 'new terms have waited 30 days: start a session of terms_acceptance',
  },
  session_invalid: {
    customer_not_found: 'customer_id names no customer of this Tenant',
    target_not_found: 'target.id names no record of this kind',
    target_of_other_customer: 'target belongs to another customer than customer_id',
    target_not_allowed: 'this flow has no target: leave it out, or take payment_confirm',
    return_url_not_registered: 'return_url is not among return_urls of the settings: add it there',
    unknown: `the token is not known here: ${token}`,
    used: `the token was opened already: ${token}`,
    ended: `the session has ended: ${token}`,
    expired: `the token has expired: ${token}`,
  },
  result_token_invalid: {
    used: 'result_token was exchanged already: read the record instead',
    expired: 'result_token has expired: read the record instead',
    unknown: 'result_token is not known here: send the one of onSuccess, unchanged',
  },
  payee_not_eligible: {
    not_found: 'payee_customer_id names no customer of this Tenant',
    not_business: 'the payee is an individual: only a business can be paid',
    not_approved: 'the payee is not approved: wait for its customer.approved',
    account_not_active: "the payee's account takes no money now: read its status",
    same_customer: 'payer and payee are the same customer: name another',
  },
  payment_request_invalid: {
    malformed: 'qr_payload is no code of ours: send the scanned text unchanged',
    signature: 'the signature of qr_payload is wrong: scan the code again',
    key_revoked: 'the key of this code was revoked: the merchant prints a new code',
    environment: 'the code is of another environment: a sandbox pays its own codes alone',
    tenant: 'the code is of another Tenant: it cannot be paid here',
    canceled: 'the merchant canceled the payment request: ask for a new one',
    payment_in_progress: 'another payment of this request is under way: wait how it ends',
  },
  invalid_state: {
    no_pin: 'the customer has no PIN yet: it is set in onboarding',
    withdrawn: 'the customer has withdrawn: create another customer',
    individual: 'the customer is an individual and has no owners: only a business has',
    payment_in_progress: 'a payment of it is under way: wait how it ends',
    no_destination: 'there is no account to refund to: pay the customer another way',
    no_passkey: 'the customer has no passkey',
    pin_locked: 'the PIN is locked: start a session of pin_reset',
    link_expired: 'the link has expired: invite the owner again',
    documents_changed: 'the documents have changed: show the present ones',
    sample_not_opened: 'the sample statement was not opened: open its address first',
    no_hold: 'there is no hold on the linked account',
    not_opted_out: 'the customer takes requests, or the bank does not',
    nothing_to_book: 'the message says nothing that the bank has moved and that is not booked',
    booked_before: 'what the bank moved by this order is booked',
    account_closed: 'the account is closed',
    never_processing: 'the bank has no order of this record',
    verification: 'the customer is not verified',
    expired: 'the session has expired: start a new one',
    advance_at_work: 'the clock is being advanced: wait for its end',
    rtp_not_supported: 'the bank takes no requests for payment: it stays verified without them',
    reset_open: 'a reset of the PIN is open already',
    no_identity_data: 'nothing is kept of this record: its identity provider has the data',
    identity_documents_missing: 'give each document that is wanted first',
    too_many_documents: 'no more documents are taken of this customer',
    no_documents: 'the identity provider takes no documents here',
    no_identity_step: 'the identity provider waits for nothing of this customer',
    flow: 'this is not possible in this flow',
    refund_in_processing: 'a bank is executing a refund of the payment: wait how it ends',
    payment_in_processing: 'the bank is executing the disputed payment: wait how it ends',
    withdrawal_in_processing: 'the bank is executing the disputed withdrawal: wait how it ends',
  },
  link_token_mismatch: {
    unknown_token: 'public_token is not known: send the one of onSuccess, once and unchanged',
    other_customer: 'public_token was made for another customer: use a link token of this one',
    account_required: 'the bank has several accounts: send account_id of the chosen one',
    account_unknown: 'account_id is none of the accounts behind public_token',
  },
  parameter_invalid: {
    below_minimum: ({ minimum }, param) => `${param} must be at least ${minimum} cents`,
    above_maximum: ({ maximum }, param) => `${param} must be at most ${maximum} cents`,
    give_one_of: ({ allowed }) => `give exactly one of ${listed(allowed)}`,
    not_registered: (_, param) =>
      `${param} is not registered for this Tenant: add it in the settings, or send one of details.allowed`,
    not_a_us_number: (_, param) => `${param} is no number of the United States: +12125550147`,
    not_a_mobile_number: (_, param) => `${param} takes no messages: send a mobile number`,
    not_an_instant: (_, param) => `${param} is no moment: send 2026-03-02T15:04:05Z`,
    format: (_, param) => `${param} is no moment: send 2026-03-02T15:04:05Z`,
    not_for_static: (_, param) => `${param} goes with a dynamic request alone: leave it out`,
    not_for_dynamic: (_, param) => `${param} goes with a static request alone: leave it out`,
    not_for_individual: (_, param) => `${param} goes with a business alone: leave it out`,
    not_for_business: (_, param) => `${param} goes with an individual alone: leave it out`,
    of_another_movement: (_, param) => `${param} is of another movement than the payment: send one`,
    unknown: (_, param) => `${param} is none of those that are known: see details.allowed`,
    past: (_, param) => `${param} is past: send a time to come`,
    not_of_this_dispute: (_, param) =>
      `${param} is for an unauthorized transfer of an individual: leave it out`,
    already_so: (_, param) => `${param} is what the dispute is handled as already: leave it so`,
    not_of_this_event: (_, param) => `${param} does not go with this event: see details.allowed`,
    not_of_this_flow: (_, param) => `${param} does not go with this flow: leave it out`,
    not_of_this_type: ({ expected }, param) => `${param} must be the id of a ${expected}`,
    malformed: (_, param) => `${param} is no whole address: send https://shop.example/webhooks`,
    credentials: (_, param) => `${param} holds a name or password: leave them out`,
    scheme: (_, param) => `${param} must begin with https://`,
    address: (_, param) => `${param} is a private or special address, which nothing is sent to`,
    port: (_, param) => `${param} must be on port 443, or on one above 1023`,
  },
};

/** The sentence of a refusal; null: it has none, or none of this reason. */
export function refusalWords(
  code: ErrorCode,
  { param = '', details = {} }: RefusalFacts,
): string | null {
  const { reason } = details;
  const own = typeof reason === 'string' ? ofReasons[code]?.[reason] : undefined;
  if (own !== undefined) return typeof own === 'string' ? own : own(details, param);
  if (typeof reason === 'string' && code !== 'parameter_missing') return null;
  return sentences[code]?.(details, param) ?? null;
}
