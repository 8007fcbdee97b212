import type { Static } from 'typebox';
import type { RecordOf } from '../../catalog.ts';
import type { StateOf } from '../../examples/example.ts';
import type { Resource } from '../../lifecycles.ts';
import type { Balance } from '../../resources/accounts.ts';
import type { LinkToken } from '../../resources/linked_accounts.ts';
import type { SessionOutcome } from '../../resources/sessions.ts';
import type { SimulationResult } from '../../resources/simulations.ts';
import type { Token } from '../../resources/tokens.ts';
import type { Event, WebhookEvent } from '../../resources/webhook_events.ts';
import type { Recovery } from '../../resources/webhook_recoveries.ts';
import { at, type Course, ids, inStory, tokenOf } from './story.ts';

/** When each record of the story was created and last changed. */
export const courses = {
  customer: ['15:00:00', '15:02:10', 3],
  owner: ['15:01:00', '15:02:00', 2],
  document_acceptance: ['15:01:30', '15:01:30', 1],
  session: ['15:10:00', '15:10:00', 1],
  linked_account: ['15:03:00', '15:03:05', 2],
  account: ['15:02:10', '15:02:10', 1],
  transaction: ['15:05:20', '15:05:20', 1],
  load: ['15:04:00', '15:04:20', 3],
  payment_request: ['15:04:30', '15:04:30', 1],
  payment: ['15:05:00', '15:05:20', 2],
  withdrawal: ['15:06:00', '15:06:25', 3],
  refund: ['15:20:00', '15:20:30', 3],
  dispute: ['16:30:00', '16:30:00', 1],
  statement: ['15:00:00', '15:00:00', 1],
  reconciliation_report: ['15:00:00', '15:00:00', 1],
} as const satisfies Readonly<Record<Resource, Course>>;

/** The fields in which the story differs from every example. */
export const storyFields: { readonly [R in Resource]?: Partial<RecordOf<R>> } = {
  transaction: {
    type: 'payment_sent',
    direction: 'debit',
    fee_amount: 0,
    net_amount: 1250,
    counterparty: { type: 'merchant', customer_id: ids.cafe, display_name: 'Corner Cafe' },
  },
  dispute: {
    type: 'purchase_dispute',
    description: 'The cake never came.',
    regulation_e: false,
    notice_received_at: at('16:00:00'),
  },
  statement: {
    period_start: '2026-03-02',
    period_end: '2026-03-31',
    opening_balance: 0,
    closing_balance: 8750,
    download_url: `https://api.example.com/files/statements/${ids.statement}.pdf`,
    download_url_expires_at: '2026-04-01T10:15:00.000Z',
    available_at: '2026-04-01T10:00:00.000Z',
  },
  reconciliation_report: {
    opening_balance: 0,
    closing_balance: 7994,
    totals: {
      loads: 10000,
      payments: 1250,
      withdrawals: 2000,
      refunds: 400,
      fees: 6,
      adjustments: 0,
    },
    postings_count: 7,
    file: {
      format: 'csv',
      download_url: 'https://api.example.com/files/reports/2026-03-02.csv',
      expires_at: '2026-03-03T12:00:00.000Z',
    },
    generated_at: '2026-03-03T11:00:00.000Z',
  },
};

/** A record of the story in another state than `storyRecords` shows. */
export const shown = <R extends Resource>(resource: R, status: StateOf<R>): RecordOf<R> =>
  inStory(resource, status, courses[resource], storyFields[resource]);

/** The records of the story, as a GET shows them. */
export const storyRecords: { readonly [R in Resource]: RecordOf<R> } = {
  customer: shown('customer', 'approved'),
  owner: shown('owner', 'approved'),
  document_acceptance: shown('document_acceptance', 'accepted'),
  session: {
    ...shown('session', 'created'),
    flow: 'pin_reset',
    target: null,
    token: tokenOf('st'),
  },
  linked_account: shown('linked_account', 'verified'),
  account: shown('account', 'active'),
  transaction: shown('transaction', 'posted'),
  load: shown('load', 'settled'),
  payment_request: shown('payment_request', 'open'),
  payment: shown('payment', 'completed'),
  withdrawal: shown('withdrawal', 'settled'),
  refund: shown('refund', 'completed'),
  dispute: shown('dispute', 'received'),
  statement: shown('statement', 'available'),
  reconciliation_report: shown('reconciliation_report', 'available'),
};

const event: Static<typeof Event> = {
  id: ids.event,
  object: 'event',
  type: 'payment.completed',
  api_version: 'v1',
  environment: 'sandbox',
  created_at: at('15:05:20'),
  data: {
    object: storyRecords.payment,
    previous_attributes: {
      status: 'requires_confirmation',
      confirmed_at: null,
      completed_at: null,
    },
  },
};

const webhookEvent: Static<typeof WebhookEvent> = {
  ...event,
  delivery: {
    status: 'delivered',
    attempts: 1,
    last_attempt_at: at('15:05:21'),
    last_response_status: 200,
    next_attempt_at: null,
  },
};

const token: Static<typeof Token> = {
  access_token: tokenOf('at'),
  token_type: 'Bearer',
  expires_in: 3600,
  scope: 'tenant',
};

const sessionOutcome: Static<typeof SessionOutcome> = {
  object: 'session_outcome',
  session_id: ids.session,
  flow: 'payment_confirm',
  status: 'completed',
  customer_id: ids.ana,
  verification_status: null,
  target: { type: 'payment', id: ids.payment },
  target_status: 'completed',
  terms_decision: null,
};

const linkToken: Static<typeof LinkToken> = {
  object: 'link_token',
  link_token: tokenOf('link-sandbox'),
  expiration: at('19:03:00'),
};

const balance: Static<typeof Balance> = {
  object: 'balance',
  account_id: ids.anaAccount,
  currency: 'USD',
  ledger: 8750,
  available: 6750,
  earmarked: 0,
  pending_outgoing: 2000,
  as_of: at('15:07:00'),
};

const simulationResult: Static<typeof SimulationResult> = {
  object: 'simulation',
  event: 'load.settled',
  object_id: ids.load,
  status: 'accepted',
};

const recovery: Static<typeof Recovery> = { dry_run: false, events: 12, has_more: false };

/** The examples that a GET shows besides the records of resources, by the names of the schemas. */
export const shownExamples = {
  Token: token,
  SessionOutcome: sessionOutcome,
  LinkToken: linkToken,
  Balance: balance,
  Event: event,
  WebhookEvent: webhookEvent,
  Recovery: recovery,
  SimulationResult: simulationResult,
};
