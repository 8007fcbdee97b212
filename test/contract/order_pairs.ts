import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import { type ErrorCode, errorStatus } from '@tenant-payments/contract/core/errors.ts';
import { errorCodes } from '@tenant-payments/contract/resources/errors.ts';
import {
  applying,
  asking,
  byCode,
  confirming,
  disputing,
  flow,
  linking,
  linkToken,
  moneyOf,
  nobody,
  noLoad,
  noPayment,
  paying,
  refunding,
  simulating,
  tooMuch,
  toShop,
} from './code_bodies.ts';
import type { CodeCase } from './code_cases.ts';
import { operations } from './run.ts';

/**
 * Which of two refusals of one operation is told (decisions 1.0, Check order): each pair of
 * neighbours in its list of codes, provoked at once, or why no request provokes both.
 */
export type Together = CodeCase | string;

/** `session_invalid` stands before the 409 of POST /v1/sessions; all else goes by the list of codes. */
const rankOf = (code: ErrorCode): number =>
  code === 'session_invalid' ? errorCodes.indexOf('not_found') + 0.5 : errorCodes.indexOf(code);

/** The codes of an operation that ask for its flow, its records or their amounts, in order. */
export const specificOf = ({ errors }: EndpointDefinition): ErrorCode[] =>
  [...errors]
    .filter((code) => errorStatus[code] >= 403 && errorStatus[code] <= 422)
    .sort((a, b) => rankOf(a) - rankOf(b));

/** `createLoad: customer_not_verified before account_restricted`, for all operations. */
export const neighbours: readonly string[] = operations.flatMap((endpoint) => {
  const codes = specificOf(endpoint);
  return codes.slice(1).map((code, index) => `${endpoint.id}: ${codes[index]} before ${code}`);
});

const nothingThere = 'what is not there stands in no state and is nobody’s';
const withBank = { source: 'bank_account' };
const aboveDaily = 10_000_01;
const unregistered = 'https://unknown.example';

/** Flows are switched off for every case of the operations that have one: no pair needs a row here. */
export const pairTable: Readonly<Record<string, Together>> = {
  'createCustomer: duplicate_external_ref before duplicate_mobile_number': {
    make: (c) => applying(c, c.taken),
    param: 'external_ref',
  },
  'listOwners: not_found before invalid_state': nothingThere,
  'closeCustomer: not_found before invalid_state': nothingThere,
  'createSession: session_invalid before invalid_state': {
    make: (c) => confirming(c.w.payer.customerId, c.completed.id, { return_url: unregistered }),
    param: 'return_url',
  },
  'createSession: invalid_state before account_restricted': {
    make: (c) => flow('onboarding', c.closed.customerId),
  },
  'createLinkToken: not_found before customer_not_verified': nothingThere,
  'createLinkToken: customer_not_verified before account_restricted': {
    make: (c) => linkToken(c.doubted.customerId),
  },
  'createLinkedAccount: not_found before linked_account_exists': nothingThere,
  'createLinkedAccount: linked_account_exists before customer_not_verified': {
    make: (c) => linking(c.doubted.customerId),
  },
  'createLinkedAccount: customer_not_verified before link_token_mismatch': {
    make: (c) => linking(c.unverified, 'nonsense'),
  },
  'removeLinkedAccount: not_found before invalid_state': nothingThere,
  'createLoad: customer_not_verified before account_restricted': {
    make: (c) => moneyOf(c.doubted.customerId),
  },
  'createLoad: account_restricted before linked_account_required': {
    make: (c) => moneyOf(c.suspended.customerId),
  },
  'createLoad: linked_account_required before capability_unavailable':
    'what is not linked has no capability to lack',
  'createLoad: capability_unavailable before limit_exceeded': {
    make: (c) => moneyOf(c.rtpOnly.customerId, tooMuch),
  },
  'cancelPaymentRequest: not_found before invalid_state': nothingThere,
  'createPayment: customer_not_verified before account_restricted': {
    make: (c) => toShop(c, { payer_customer_id: c.doubted.customerId }),
  },
  'createPayment: account_restricted before capability_unavailable': {
    make: (c) => toShop(c, { payer_customer_id: c.suspended.customerId, ...withBank }),
  },
  'createPayment: capability_unavailable before payee_not_eligible': {
    make: (c) =>
      toShop(c, {
        payer_customer_id: c.rtpOnly.customerId,
        payee_customer_id: nobody,
        ...withBank,
      }),
  },
  'createPayment: payee_not_eligible before payment_request_invalid': {
    make: (c) => byCode(c, 'ofSuspended'),
  },
  'createPayment: payment_request_invalid before payment_request_expired': {
    make: (c) => byCode(c, 'canceled'),
    late: true,
  },
  'createPayment: payment_request_expired before payment_request_paid': {
    make: (c) => byCode(c, 'paid'),
    late: true,
  },
  'createPayment: payment_request_paid before amount_mismatch': {
    make: (c) => byCode(c, 'paid', { amount: 1_01 }),
  },
  'createPayment: amount_mismatch before limit_exceeded': {
    make: (c) => byCode(c, 'large', { amount: 6_000_01 }),
    param: 'amount',
  },
  'createPayment: limit_exceeded before insufficient_funds': {
    make: (c) => toShop(c, { amount: tooMuch }),
    param: 'amount',
  },
  'cancelPayment: not_found before invalid_state': nothingThere,
  'createWithdrawal: customer_not_verified before account_restricted': {
    make: (c) => moneyOf(c.doubted.customerId),
  },
  'createWithdrawal: account_restricted before linked_account_required': {
    make: (c) => moneyOf(c.suspended.customerId),
  },
  'createWithdrawal: linked_account_required before withdrawal_hold':
    'a link on hold is verified, and each bank of the sandbox that is takes withdrawals',
  'createWithdrawal: withdrawal_hold before limit_exceeded': {
    make: (c) => moneyOf(c.relinked.customerId, aboveDaily),
  },
  'createWithdrawal: limit_exceeded before insufficient_funds': {
    make: (c) => moneyOf(c.w.payer.customerId, aboveDaily),
    param: 'amount',
  },
  'createRefund: not_found before invalid_state': nothingThere,
  'createRefund: invalid_state before account_restricted': {
    make: (c) => refunding(c.canceledOfSuspended),
  },
  'createRefund: account_restricted before refund_window_closed': {
    make: (c) => refunding(c.soldBySuspended),
    late: true,
  },
  'createRefund: refund_window_closed before refund_exceeds_payment': {
    make: (c) => refunding(c.completed.id, 5_01),
    late: true,
  },
  'simulateEvent: sandbox_only before not_found': {
    make: () => simulating('load.vanished', noLoad),
    production: true,
  },
  'simulateEvent: not_found before invalid_state': nothingThere,

  // The 400 that needs a record, between the flow and the record; and pairs that are no neighbours.
  'createLinkToken: parameter_invalid before not_found': {
    make: () => linkToken(nobody, { platform: 'web', redirect_uri: unregistered }),
    param: 'redirect_uri',
  },
  'createLinkedAccount: not_found before link_token_mismatch': {
    make: () => linking(nobody, 'nonsense'),
  },
  'createLinkedAccount: linked_account_exists before link_token_mismatch': {
    make: (c) => linking(c.w.payer.customerId, 'nonsense'),
  },
  'createLoad: linked_account_required before limit_exceeded': {
    make: (c) => moneyOf(c.unlinked.customerId, tooMuch),
  },
  'createPaymentRequest: parameter_invalid before payee_not_eligible': {
    make: () => asking(nobody, { amount: 100_000_00 }),
    param: 'amount',
  },
  'createPayment: parameter_missing before customer_not_verified': {
    make: (c) => toShop(c, { payer_customer_id: c.unverifiedShop }),
    param: 'invoice_reference',
  },
  'createPayment: customer_not_verified before payment_request_invalid': {
    make: (c) => paying(c, { payer_customer_id: c.unverified, qr_payload: 'nonsense' }),
  },
  'createPayment: payee_not_eligible before limit_exceeded': {
    make: (c) => toShop(c, { payee_customer_id: c.suspendedShop.customerId, amount: tooMuch }),
  },
  'createPayment: payment_request_expired before amount_mismatch': {
    make: (c) => byCode(c, 'expired', { amount: 1_01 }),
  },
  'createWithdrawal: linked_account_required before limit_exceeded': {
    make: (c) => moneyOf(c.unlinked.customerId, aboveDaily),
  },
  'createDispute: parameter_invalid before not_found': {
    make: () => disputing({ notice_received_at: '2999-01-01T00:00:00Z' }),
    param: 'notice_received_at',
  },
  'createRefund: not_found before refund_exceeds_payment': {
    make: () => refunding(noPayment, 5_01),
  },
  'simulateEvent: parameter_invalid before not_found': {
    make: () => simulating('load.failed', noLoad, 'owner_mismatch'),
    param: 'failure_code',
  },
  'simulateEvent: parameter_invalid before invalid_state': {
    make: (c) => simulating('load.failed', c.failedLoad, 'owner_mismatch'),
    param: 'failure_code',
  },
};
