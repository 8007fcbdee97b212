import { creditReasons, requestReasons } from './network_reasons.ts';

/**
 * Every `failure_code` and where it may appear (rules/failure-codes#1): one vocabulary, taken from
 * the reasons of the bank networks.
 */

const keysOf = <T extends object>(table: T) => Object.keys(table) as (keyof T & string)[];

/** A Request for Payment (load, payment by bank) is answered by the person asked to pay, and their bank. */
const requestLeg = keysOf(requestReasons);
/** A credit transfer (withdrawal, refund to a bank) is answered by its receiver's bank. */
const creditLeg = keysOf(creditReasons);

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
