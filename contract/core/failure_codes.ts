/**
 * Every `failure_code` and where it may appear (rules/failure-codes#1): one vocabulary, taken from
 * the reasons of the bank networks.
 */

/** What a bank may answer on every leg, each with the ISO 20022 or RTP reasons behind it. */
export const bankReasons = {
  account_closed: ['AC04', 'AC07'],
  account_blocked: ['AC06'],
  invalid_account_number: ['AC03'],
  invalid_account_type: ['AC14'],
  invalid_routing_number: ['RC04'],
  account_holder_deceased: ['MD07'],
  transaction_forbidden: ['AG01'],
  transaction_not_supported: ['AG03', 'NOAT'],
  amount_exceeds_bank_limit: ['AM14', 'AM02', 'AM13'],
  amount_mismatch: ['AM09'],
  order_rejected: ['DS04'],
  bank_timeout: ['DS24', 'AB05', 'AB06'],
  bank_unavailable: [],
  rejected_other: ['NARR', 'MS03'],
  processing_error: [],
} as const;

/** A Request for Payment (load, payment by bank) adds what the person asked to pay may answer. */
export const requestReasons = {
  insufficient_funds_at_bank: ['AM04'],
  customer_refused: ['CUST'],
  customer_opted_out: ['SL12'],
  request_expired: ['AEXR'],
} as const;

/** A credit transfer (withdrawal, refund to a bank) adds what its receiver's bank may answer. */
export const creditReasons = {
  unknown_customer: ['BE06'],
} as const;

const keysOf = <T extends object>(table: T) => Object.keys(table) as (keyof T & string)[];

const requestLeg = [...keysOf(bankReasons), ...keysOf(requestReasons)];
const creditLeg = [...keysOf(bankReasons), ...keysOf(creditReasons)];

/** By resource: the codes of its bank leg, and the service's own. */
export const failureCodes = {
  load: {
    bank: requestLeg,
    own: [
      'confirmation_expired',
      'confirmation_declined',
      'account_restricted',
      'linked_account_removed',
      'linked_account_failed',
    ],
  },
  payment: {
    bank: requestLeg,
    own: [
      'payee_not_eligible',
      'payment_request_paid',
      'linked_account_removed',
      'linked_account_failed',
      'confirmation_declined',
    ],
  },
  withdrawal: {
    bank: creditLeg,
    own: [
      'confirmation_expired',
      'confirmation_declined',
      'account_restricted',
      'linked_account_failed',
    ],
  },
  refund: {
    bank: creditLeg,
    own: [
      'confirmation_expired',
      'confirmation_declined',
      'account_restricted',
      'insufficient_funds',
      'dispute_credited',
      'payer_account_closed',
      'destination_unavailable',
    ],
  },
  linked_account: {
    bank: [
      'owner_mismatch',
      'ownership_unverified',
      'unsupported_account_type',
      'rtp_not_supported',
      'duplicate_account',
      'institution_error',
      'consent_revoked',
      'account_closed',
      'account_blocked',
    ],
    own: ['review_rejected'],
  },
} as const;

export type FailingResource = keyof typeof failureCodes;

/** The codes that a record of this resource may carry in `failure_code`. */
export type FailureCode<R extends FailingResource> =
  | (typeof failureCodes)[R]['bank'][number]
  | (typeof failureCodes)[R]['own'][number];

/** Every code of a resource, the bank's first. */
export function failureCodesOf<R extends FailingResource>(resource: R): FailureCode<R>[] {
  return [...failureCodes[resource].bank, ...failureCodes[resource].own];
}
