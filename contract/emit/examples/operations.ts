import {
  type EndpointId,
  type Endpoints,
  type EventType,
  type RecordOf,
  records,
} from '../../catalog.ts';
import { exampleAt, previousIn } from '../../examples/event_example.ts';
import type { StateOf } from '../../examples/example.ts';
import type { Resource } from '../../lifecycles.ts';
import { stepOfEvent } from '../../steps.ts';
import { type Json, nameOf } from '../openapi/schemas.ts';
import type { ExampleOf } from './operation_example.ts';
import { portalRecordExamples } from './portal.ts';
import { courses, shownExamples, storyFields, storyRecords } from './records.ts';
import { at, ids, inStory, qrPayload, storyExample, tokenOf } from './story.ts';

const recordExamples: Readonly<Record<string, Json>> = {
  ...Object.fromEntries(
    Object.entries(storyRecords).map(([resource, record]) => [
      nameOf(records[resource as Resource]),
      record,
    ]),
  ),
  ...shownExamples,
  ...portalRecordExamples,
};

/** The example of a named schema; a list shows one item. */
export function exampleOf(name: string | undefined): Json | undefined {
  if (name === undefined) return undefined;
  const item = name.endsWith('List') ? recordExamples[name.slice(0, -'List'.length)] : undefined;
  if (item === undefined) return recordExamples[name];
  return { object: 'list', data: [item], has_more: false, next_cursor: null };
}

const confirmationSession = <F extends string>(flow: F, expires_at: string) => ({
  id: ids.session,
  flow,
  token: tokenOf('st'),
  expires_at,
});

/** A new record that waits for its confirmation. */
const waiting = <R extends 'load' | 'payment' | 'withdrawal' | 'refund'>(
  resource: R,
  status: StateOf<R>,
): RecordOf<R> => {
  const [created] = courses[resource];
  return {
    ...inStory(resource, status, [created, created, 1]),
    confirmation_session: confirmationSession('payment_confirm', at('15:30:00')),
  };
};

const cafe: RecordOf<'customer'> = {
  ...storyRecords.customer,
  id: ids.cafe,
  type: 'business',
  external_ref: 'shop-12',
  email: 'office@cafe.example.com',
  mobile_number_last4: '0102',
  business: {
    legal_name: 'Corner Cafe LLC',
    trading_name: 'Corner Cafe',
    industry: null,
    owners_status: 'complete',
  },
  account_id: ids.cafeAccount,
};

/** An example of each operation, typed by it: a missing or unknown field does not compile. */
type OperationExamples = {
  readonly [E in EndpointId]: ExampleOf<Endpoints[E]>;
};

/** By operation id. */
export const operationExamples: OperationExamples = {
  createToken: {
    body: {
      grant_type: 'client_credentials',
      client_id: 'client_EXAMPLE',
      client_secret: tokenOf('cs'),
    },
  },
  createCustomer: {
    body: {
      type: 'individual',
      external_ref: 'user-4711',
      email: 'ana.reyes@example.com',
      mobile_number: '+12025550101',
      prefill: { first_name: 'Ana', last_name: 'Reyes' },
    },
    reply: {
      ...inStory('customer', 'created', ['15:00:00', '15:00:00', 1]),
      onboarding_session: confirmationSession('onboarding', '2026-03-03T15:00:00.000Z'),
    },
  },
  listCustomers: { query: { external_ref: 'user-4711' } },
  getCustomer: { path: { id: ids.cafe }, reply: cafe },
  listOwners: { path: { id: ids.cafe } },
  listDocuments: { path: { id: ids.ana } },
  closeCustomer: { path: { id: ids.ana }, body: { reason: 'customer_request' } },
  createSession: { body: { flow: 'pin_reset', customer_id: ids.ana } },
  exchangeSession: { body: { result_token: tokenOf('rt') } },
  getSession: { path: { id: ids.session }, reply: { ...storyRecords.session, token: null } },
  createLinkToken: {
    path: { id: ids.ana },
    body: { platform: 'web', redirect_uri: 'https://shop.example.com/linked' },
  },
  createLinkedAccount: {
    path: { id: ids.ana },
    body: { public_token: 'public-sandbox-standard' },
    reply: inStory('linked_account', 'pending', ['15:03:00', '15:03:00', 1]),
  },
  listLinkedAccounts: { path: { id: ids.ana } },
  removeLinkedAccount: {
    path: { id: ids.ana, linked_account_id: ids.linkedAccount },
    reply: inStory('linked_account', 'removed', ['15:03:00', '17:00:00', 3]),
  },
  listAllLinkedAccounts: { query: { status: 'verified', limit: 25 } },
  getLinkedAccount: { path: { id: ids.linkedAccount } },
  listAccounts: { query: { customer_id: ids.ana } },
  getAccount: { path: { id: ids.anaAccount } },
  getBalance: { path: { id: ids.anaAccount } },
  listTransactions: {
    path: { id: ids.anaAccount },
    query: { from: at('00:00:00'), type: 'payment_sent', limit: 25 },
  },
  getTransaction: { path: { id: ids.transaction } },
  listStatements: { path: { id: ids.anaAccount }, query: { limit: 25 } },
  getStatement: { path: { id: ids.statement } },
  createLoad: {
    body: { customer_id: ids.ana, amount: 10000 },
    reply: waiting('load', 'requires_confirmation'),
  },
  getLoad: { path: { id: ids.load } },
  listLoads: { query: { customer_id: ids.ana, status: 'settled', limit: 25 } },
  createPaymentRequest: {
    body: {
      type: 'dynamic',
      merchant_customer_id: ids.cafe,
      amount: 1250,
      order_reference: 'order-1001',
    },
  },
  getPaymentRequest: {
    path: { id: ids.paymentRequest },
    reply: inStory('payment_request', 'paid', ['15:04:30', '15:05:20', 2]),
  },
  listPaymentRequests: { query: { order_reference: 'order-1001', limit: 25 } },
  cancelPaymentRequest: {
    path: { id: ids.paymentRequest },
    reply: inStory('payment_request', 'canceled', ['15:04:30', '15:06:00', 2]),
  },
  createPayment: {
    body: {
      payer_customer_id: ids.ana,
      qr_payload: qrPayload,
      source: 'balance',
      description: 'Two coffees and a cake',
    },
    reply: waiting('payment', 'requires_confirmation'),
  },
  getPayment: { path: { id: ids.payment } },
  listPayments: { query: { customer_id: ids.ana, from: at('00:00:00'), limit: 25 } },
  cancelPayment: {
    path: { id: ids.payment },
    reply: inStory('payment', 'canceled', courses.payment),
  },
  createWithdrawal: {
    body: { customer_id: ids.ana, amount: 2000 },
    reply: waiting('withdrawal', 'requires_confirmation'),
  },
  getWithdrawal: { path: { id: ids.withdrawal } },
  listWithdrawals: { query: { status: 'processing', limit: 25 } },
  createRefund: {
    body: { payment_id: ids.payment, amount: 400, reason: 'requested_by_customer' },
    reply: waiting('refund', 'requested'),
  },
  getRefund: { path: { id: ids.refund } },
  listRefunds: { query: { customer_id: ids.cafe, limit: 25 } },
  createDispute: {
    body: {
      customer_id: ids.ana,
      type: 'purchase_dispute',
      payment_id: ids.payment,
      description: 'The cake never came.',
      notice_received_at: at('16:00:00'),
    },
  },
  listDisputes: { query: { customer_id: ids.ana, status: 'received', limit: 25 } },
  getDispute: { path: { id: ids.dispute } },
  listWebhookEvents: {
    query: { type: 'payment.completed', delivery_status: 'delivered', limit: 25 },
  },
  getWebhookEvent: { path: { id: ids.event } },
  resendWebhookEvent: {
    path: { id: ids.event },
    reply: {
      ...shownExamples.WebhookEvent,
      delivery: {
        status: 'pending',
        attempts: 1,
        last_attempt_at: at('15:05:21'),
        last_response_status: 200,
        next_attempt_at: null,
      },
    },
  },
  recoverWebhookEvents: {
    body: { since: at('12:00:00') },
    reply: { dry_run: false, events: 15, has_more: false },
  },
  getReconciliationReport: { query: { date: '2026-03-02' } },
  simulateEvent: { path: { event: 'load.settled' }, body: { object_id: ids.load } },
};

/** The event that the documents show of each resource. */
const shownEvents: { readonly [R in Resource]: EventType } = {
  customer: 'customer.approved',
  owner: 'owner.approved',
  document_acceptance: 'document_acceptance.accepted',
  session: 'session.completed',
  linked_account: 'linked_account.verified',
  account: 'account.created',
  transaction: 'transaction.posted',
  load: 'load.settled',
  payment_request: 'payment_request.created',
  payment: 'payment.completed',
  withdrawal: 'withdrawal.settled',
  refund: 'refund.completed',
  dispute: 'dispute.created',
  statement: 'statement.available',
  reconciliation_report: 'reconciliation_report.available',
};

/** The event of a resource, as in a webhook. */
export function eventExampleOf(resource: Resource): Json {
  const type = shownEvents[resource];
  const step = stepOfEvent(type, null);
  const shown = exampleAt(storyExample(courses[resource]), step);
  const object: Json = { ...shown.object, ...storyFields[resource] };
  return {
    ...shownExamples.Event,
    type,
    data: { object, previous_attributes: previousIn(step, shown) },
  };
}
