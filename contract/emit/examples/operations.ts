import type { EndpointId, EventType, Resource } from '../../catalog.ts';
import type { Json } from '../openapi/schemas.ts';
import { moneyExamples } from './money.ts';
import type { OperationExample } from './operation_example.ts';
import { businessProfile, peopleExamples } from './people.ts';
import { portalRecordExamples } from './portal.ts';
import { at, ids, qrPayload, tokenOf } from './story.ts';

const recordExamples: Readonly<Record<string, Json>> = {
  ...peopleExamples,
  ...moneyExamples,
  ...portalRecordExamples,
};

/** The example of a named schema; a list shows one item. */
export function exampleOf(name: string | undefined): Json | undefined {
  if (name === undefined) return undefined;
  const item = name.endsWith('List') ? recordExamples[name.slice(0, -'List'.length)] : undefined;
  if (item === undefined) return recordExamples[name];
  return { object: 'list', data: [item], has_more: false, next_cursor: null };
}

/** A record after another move. */
const changed = (name: string, fields: Json): Json => ({ ...recordExamples[name], ...fields });

const confirmationSession = (flow: string, expires_at: string): Json => ({
  id: ids.session,
  flow,
  token: tokenOf('st'),
  expires_at,
});

/** A new record that waits for its confirmation. */
const waiting = (name: string, created_at: string, ended: readonly string[], fields: Json = {}) =>
  changed(name, {
    status: 'requires_confirmation',
    confirmation_session: confirmationSession('payment_confirm', at('15:30:00')),
    created_at,
    updated_at: created_at,
    version: 1,
    ...Object.fromEntries(ended.map((field) => [field, null])),
    ...fields,
  });

const created = {
  verification: { status: 'created', updated_at: at('15:00:00'), retry_available_at: null },
  account_id: null,
  onboarding_session: confirmationSession('onboarding', '2026-03-03T15:00:00.000Z'),
  updated_at: at('15:00:00'),
  version: 1,
};

const cafe = changed('Customer', {
  id: ids.cafe,
  type: 'business',
  external_ref: 'shop-12',
  email: 'office@cafe.example.com',
  mobile_number_last4: '0102',
  business: businessProfile,
  account_id: ids.cafeAccount,
});

/** By operation id. */
export const operationExamples: Readonly<Record<EndpointId, OperationExample>> = {
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
    reply: changed('Customer', created),
  },
  listCustomers: { query: { external_ref: 'user-4711' } },
  getCustomer: { path: { id: ids.cafe }, reply: cafe },
  listOwners: { path: { id: ids.cafe } },
  listDocuments: { path: { id: ids.ana } },
  closeCustomer: { path: { id: ids.ana }, body: { reason: 'customer_request' } },
  createSession: { body: { flow: 'pin_reset', customer_id: ids.ana } },
  exchangeSession: { body: { result_token: tokenOf('rt') } },
  createLinkToken: {
    path: { id: ids.ana },
    body: { platform: 'web', redirect_uri: 'https://shop.example.com/linked' },
  },
  createLinkedAccount: {
    path: { id: ids.ana },
    body: { public_token: 'public-sandbox-standard' },
    reply: changed('LinkedAccount', {
      status: 'pending',
      capabilities: { withdrawal: false, load: false, pay_by_bank: false },
      updated_at: at('15:03:00'),
      version: 1,
    }),
  },
  listLinkedAccounts: { path: { id: ids.ana } },
  removeLinkedAccount: {
    path: { id: ids.ana, linked_account_id: ids.linkedAccount },
    reply: changed('LinkedAccount', {
      status: 'removed',
      capabilities: { withdrawal: false, load: false, pay_by_bank: false },
      updated_at: at('17:00:00'),
      version: 3,
    }),
  },
  listAccounts: { query: { customer_id: ids.ana } },
  getBalance: { path: { id: ids.anaAccount } },
  listTransactions: {
    path: { id: ids.anaAccount },
    query: { from: at('00:00:00'), type: 'payment_sent', limit: 25 },
  },
  listStatements: { path: { id: ids.anaAccount }, query: { limit: 25 } },
  createLoad: {
    body: { customer_id: ids.ana, amount: 10000 },
    reply: waiting('Load', at('15:04:00'), ['confirmed_at', 'settled_at']),
  },
  getLoad: { path: { id: ids.load } },
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
    reply: changed('PaymentRequest', {
      status: 'paid',
      paid_payment_id: ids.payment,
      updated_at: at('15:05:20'),
      version: 2,
    }),
  },
  cancelPaymentRequest: {
    path: { id: ids.paymentRequest },
    reply: changed('PaymentRequest', {
      status: 'canceled',
      updated_at: at('15:06:00'),
      version: 2,
    }),
  },
  createPayment: {
    body: {
      payer_customer_id: ids.ana,
      qr_payload: qrPayload,
      source: 'balance',
      description: 'Two coffees and a cake',
    },
    reply: waiting('Payment', at('15:05:00'), ['confirmed_at', 'completed_at']),
  },
  getPayment: { path: { id: ids.payment } },
  cancelPayment: {
    path: { id: ids.payment },
    reply: changed('Payment', { status: 'canceled', confirmed_at: null, completed_at: null }),
  },
  createWithdrawal: {
    body: { customer_id: ids.ana, amount: 2000 },
    reply: waiting('Withdrawal', at('15:06:00'), ['confirmed_at', 'settled_at']),
  },
  getWithdrawal: { path: { id: ids.withdrawal } },
  createRefund: {
    body: { payment_id: ids.payment, amount: 400, reason: 'requested_by_customer' },
    reply: waiting('Refund', at('15:20:00'), ['completed_at'], { status: 'requested' }),
  },
  getRefund: { path: { id: ids.refund } },
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
  listWebhookEvents: {
    query: { type: 'payment.completed', delivery_status: 'delivered', limit: 25 },
  },
  resendWebhookEvent: {
    path: { id: ids.event },
    reply: changed('WebhookEvent', {
      delivery: {
        status: 'pending',
        attempts: 1,
        last_attempt_at: at('15:05:21'),
        last_response_status: 200,
        next_attempt_at: null,
      },
    }),
  },
  recoverWebhookEvents: {
    body: { since: at('12:00:00') },
    reply: { dry_run: false, events: 15, has_more: false },
  },
  getReconciliationReport: { query: { date: '2026-03-02' } },
  simulateEvent: { path: { event: 'load.settled' }, body: { object_id: ids.load } },
};

/** The events that the documents show, by resource; `before` holds the earlier values. */
const eventExamples: Readonly<Record<Resource, { type: EventType; before: Json | null }>> = {
  customer: {
    type: 'customer.approved',
    before: {
      verification: { status: 'pending', updated_at: at('15:01:30'), retry_available_at: null },
      account_id: null,
    },
  },
  owner: { type: 'owner.approved', before: { verification_status: 'pending' } },
  document_acceptance: { type: 'document_acceptance.accepted', before: null },
  session: { type: 'session.completed', before: { status: 'created' } },
  linked_account: {
    type: 'linked_account.verified',
    before: {
      status: 'pending',
      capabilities: { withdrawal: false, load: false, pay_by_bank: false },
    },
  },
  account: { type: 'account.created', before: null },
  transaction: { type: 'transaction.posted', before: null },
  load: { type: 'load.settled', before: { status: 'processing', settled_at: null } },
  payment_request: { type: 'payment_request.created', before: null },
  payment: {
    type: 'payment.completed',
    before: { status: 'requires_confirmation', confirmed_at: null, completed_at: null },
  },
  withdrawal: { type: 'withdrawal.settled', before: { status: 'processing', settled_at: null } },
  refund: { type: 'refund.completed', before: { status: 'processing', completed_at: null } },
  dispute: { type: 'dispute.created', before: null },
  statement: { type: 'statement.available', before: null },
  reconciliation_report: { type: 'reconciliation_report.available', before: null },
};

/** Records that an event shows in another state than the operations do. */
const asTold: Readonly<Record<string, Json>> = {
  Session: { status: 'completed', token: null, flow: 'payment_confirm' },
};

/** The event of a resource, as in a webhook. @param record the name of its schema */
export function eventExampleOf(resource: Resource, record: string): Json {
  const told = eventExamples[resource];
  const object = recordExamples[record];
  return changed('Event', {
    type: told.type,
    data: { object: { ...object, ...asTold[record] }, previous_attributes: told.before },
  });
}
