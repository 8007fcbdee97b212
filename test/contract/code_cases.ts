import type { EndpointId } from '@tenant-payments/contract/catalog.ts';
import type { ErrorCode } from '@tenant-payments/contract/core/errors.ts';
import type { Base } from './bases.ts';
import type { Cast } from './cast.ts';
import {
  applying,
  closing,
  confirming,
  disputing,
  flow,
  linking,
  linkToken,
  nobody,
  noLoad,
  noPayment,
  simulating,
} from './code_bodies.ts';
import { paymentCases } from './code_cases_payments.ts';

/** What provokes a code, and what the refusal must say beside it (decisions 1.10). */
export interface CodeCase {
  readonly make: (c: Cast) => Base | Promise<Base>;
  /** Absent: null. */
  readonly param?: string;
  readonly reason?: string;
  /** Played with every flow of the Tenant switched off. */
  readonly flowsOff?: true;
  /** Played once a payment is too old to be refunded. */
  readonly late?: true;
  /** Asked of a production. */
  readonly production?: true;
}

export type CodeCases = {
  readonly [E in EndpointId]?: { readonly [C in ErrorCode]?: readonly CodeCase[] };
};

const of = (make: CodeCase['make'], told: Omit<CodeCase, 'make'> = {}): readonly CodeCase[] => [
  { make, ...told },
];

const mismatches = {
  unknown_token: 'nonsense',
  other_customer: `public-sandbox-standard-${nobody}`,
  account_required: 'public-sandbox-two_accounts',
} as const;

/** Of the Tenant's people: everything but payments and withdrawals. */
const peopleCases: CodeCases = {
  createToken: {
    invalid_client: of(() => ({
      body: { grant_type: 'client_credentials', client_id: 'cl_unknown', client_secret: 'cs_none' },
    })),
  },
  createCustomer: {
    flow_not_enabled: of((c) => applying(c), { flowsOff: true }),
    duplicate_external_ref: of((c) => applying(c, { external_ref: c.taken.external_ref }), {
      param: 'external_ref',
    }),
    duplicate_mobile_number: of((c) => applying(c, { mobile_number: c.taken.mobile_number }), {
      param: 'mobile_number',
    }),
  },
  listOwners: {
    invalid_state: of((c) => ({ params: { id: c.w.payer.customerId } }), { reason: 'individual' }),
  },
  closeCustomer: {
    invalid_state: [
      { make: (c) => closing(c.unverified), reason: 'no_account' },
      { make: (c) => closing(c.closed.customerId) },
    ],
  },
  createSession: {
    invalid_state: of((c) => confirming(c.w.payer.customerId, c.completed.id)),
    account_restricted: of((c) => flow('terms_acceptance', c.closed.customerId), {
      reason: 'closed',
    }),
    session_invalid: [
      {
        make: () => flow('pin_reset', nobody),
        param: 'customer_id',
        reason: 'customer_not_found',
      },
      {
        make: (c) => confirming(c.w.payer.customerId, noPayment),
        param: 'target.id',
        reason: 'target_not_found',
      },
      {
        make: (c) => confirming(c.w.shop.customerId, c.completed.id),
        param: 'target.id',
        reason: 'target_of_other_customer',
      },
      {
        make: (c) => confirming(c.w.payer.customerId, c.completed.id, { flow: 'pin_reset' }),
        param: 'target',
        reason: 'target_not_allowed',
      },
      {
        make: (c) =>
          flow('pin_reset', c.w.payer.customerId, { return_url: 'https://unknown.example' }),
        param: 'return_url',
        reason: 'return_url_not_registered',
      },
    ],
  },
  exchangeSession: {
    result_token_invalid: of(() => ({ body: { result_token: 'rt_unknown' } }), {
      param: 'result_token',
      reason: 'unknown',
    }),
  },
  createLinkToken: {
    account_restricted: [
      { make: (c) => linkToken(c.suspended.customerId), reason: 'suspended' },
      { make: (c) => linkToken(c.closed.customerId), reason: 'closed' },
    ],
    customer_not_verified: of((c) => linkToken(c.unverified)),
  },
  createLinkedAccount: {
    linked_account_exists: of((c) => linking(c.w.payer.customerId)),
    customer_not_verified: of((c) => linking(c.unverified)),
    link_token_mismatch: [
      ...Object.entries(mismatches).map(([reason, token]) => ({
        make: (c: Cast) => linking(c.unlinked.customerId, token),
        param: 'public_token',
        reason,
      })),
      {
        make: (c) => linking(c.suspended.customerId),
        param: 'public_token',
        reason: 'account_suspended',
      },
    ],
  },
  removeLinkedAccount: {
    invalid_state: of(({ pendingLink: { id, customerId = '' } }) => ({
      params: { id: customerId, linked_account_id: id },
    })),
  },
  createDispute: { not_found: of(() => disputing(), { param: 'customer_id' }) },
  getReconciliationReport: { not_found: of(() => ({ query: { date: '2999-01-01' } })) },
  simulateEvent: {
    sandbox_only: of(() => simulating('load.settled', noLoad), { production: true }),
    not_found: [
      { make: () => simulating('load.vanished', noLoad), param: 'event' },
      { make: () => simulating('load.settled', noLoad) },
    ],
    invalid_state: of((c) => simulating('load.settled', c.failedLoad)),
  },
};

export const codeCases: CodeCases = { ...peopleCases, ...paymentCases };
