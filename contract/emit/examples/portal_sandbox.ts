import type { PortalCalls, PortalRecords } from './operation_example.ts';
import { storyRecords } from './records.ts';
import { at, ids, tenant, tokenOf, uuid } from './story.ts';

/** Examples of a sandbox's controls, and the proofs of its money. */

export const sandboxRecords: PortalRecords = {
  Chaos: {
    duplicate: 0.2,
    out_of_order: 0,
    fail_first_attempt: 0.5,
    api_503: 0,
    seed: 1,
    ends_at: at('16:00:00'),
  },
  ProductionRules: { object: 'production_rules', enabled: true },
  Clock: { now: at('16:00:00'), real_now: at('15:00:00'), fired: 2, pending: 0 },
  Upcoming: {
    kind: 'job',
    name: 'payment_request_expiry',
    does: 'expires an open request',
    record_id: ids.paymentRequest,
    at: at('16:15:00'),
  },
  ClockJump: {
    name: 'business_day',
    does: '06:00 Eastern Time of the next business day: the report of the day before is made',
    at: '2026-03-03T11:00:00.000Z',
  },
  Magic: {
    pin: '284617',
    message_code: '000000',
    answer_seconds: 5,
    people: [
      {
        external_ref: 'sample-ana',
        name: 'Ana Reyes',
        type: 'individual',
        email: 'sample-ana@example.com',
        bank: 'standard',
      },
    ],
    names: [{ name: 'Review', outcome: 'in_review' }],
    banks: [
      {
        bank: 'standard',
        name: 'Standard Bank',
        public_token: 'public-sandbox-standard',
        accounts: [
          {
            id: null,
            account_type: 'checking',
            account_mask: '1234',
            withdrawal: true,
            load: true,
          },
        ],
        outcome: 'verified',
        failure_code: null,
      },
    ],
    amounts: [{ cents: 61, requested: 'customer_refused', sent: 'account_closed' }],
  },
  TemporaryClient: {
    client_id: 'client_EXAMPLE',
    client_secret: tokenOf('cs'),
    expires_at: at('10:00:00'),
    webhook_secret: tokenOf('whsec'),
  },
  SignInLink: { url: `http://localhost:8080/portal/sign-in#link=${tokenOf('tpl')}` },
  NewSandboxTenant: {
    id: tenant.tenant_id,
    object: 'tenant',
    name: 'Checkout tests',
    client_id: 'client_EXAMPLE',
    client_secret: tokenOf('cs'),
    webhook_secret: tokenOf('whsec'),
    base_url: 'http://localhost:8080',
  },
  ProofMessage: {
    event: 'progress',
    data: { done: 12, all: 96, name: 'pockets' },
  },
  ReconciliationDay: {
    report: storyRecords.reconciliation_report,
    ties: true,
    figures: [{ name: 'loads', reported: 25000, ledger: 25000 }],
  },
  SandboxReset: {
    id: tenant.tenant_id,
    object: 'tenant',
    name: tenant.tenant_name,
    replaced_id: uuid('b0'),
  },
};

export const sandboxCalls: PortalCalls = {
  advanceClock: { body: { seconds: 3600 } },
  putChaos: { body: { duplicate: 0.2, fail_first_attempt: 0.5, ends_at: at('16:00:00') } },
  putProductionRules: { body: { enabled: true } },
  createSandboxTenant: { body: { name: 'Checkout tests' } },
  resetSandbox: { body: { name: tenant.tenant_name } },
  createSignInLink: { body: { client_id: 'cl_7d1f0b6a9c3e48d2a5b7c9e1f3a5d7b9' } },
};
