import type { RecordOf } from '../catalog.ts';
import {
  amount,
  type Example,
  expiresInSeconds,
  fee,
  later,
  oneOf,
  type StateOf,
} from './example.ts';

export const load = (example: Example, status: StateOf<'load'>): RecordOf<'load'> => ({
  id: example.id('load'),
  object: 'load',
  customer_id: example.id('customer'),
  account_id: example.id('account'),
  linked_account_id: example.id('linked_account'),
  amount: 100_00,
  currency: 'USD',
  status,
  failure_code: status === 'failed' ? 'customer_refused' : null,
  confirmation_session: null,
  created_at: example.created,
  confirmed_at: status === 'requires_confirmation' ? null : example.now,
  settled_at: status === 'settled' ? example.now : null,
  updated_at: example.now,
  version: example.version,
});

export const paymentRequest = (
  example: Example,
  status: StateOf<'payment_request'>,
): RecordOf<'payment_request'> => {
  const id = example.id('payment_request');
  const merchant = example.id('customer', 'merchant');
  const expires = later(example.created, expiresInSeconds);
  return {
    id,
    object: 'payment_request',
    type: 'dynamic',
    merchant_customer_id: merchant,
    amount,
    currency: 'USD',
    order_reference: 'order-1001',
    collection_point: null,
    status,
    qr_payload: example.qr.write({
      id,
      t: 'dynamic',
      mer: merchant,
      amt: amount,
      exp: Math.floor(Date.parse(expires) / 1000),
    }),
    expires_at: expires,
    paid_payment_id: status === 'paid' ? example.id('payment') : null,
    created_at: example.created,
    updated_at: example.now,
    version: example.version,
  };
};

export const payment = (example: Example, status: StateOf<'payment'>): RecordOf<'payment'> => ({
  id: example.id('payment'),
  object: 'payment',
  type: 'consumer_to_merchant',
  source: 'balance',
  payer_customer_id: example.id('customer', 'payer'),
  payee_customer_id: example.id('customer', 'merchant'),
  payment_request_id: example.id('payment_request'),
  amount,
  currency: 'USD',
  fees: [{ type: 'platform', amount: fee, paid_by: 'payee' }],
  net_amount: amount - fee,
  refunded_amount: status === 'refunded' ? amount : status === 'partially_refunded' ? 4_00 : 0,
  status,
  failure_code: status === 'failed' ? 'payee_not_eligible' : null,
  order_reference: 'order-1001',
  invoice_reference: null,
  description: 'Two coffees and a cake',
  confirmation_session: null,
  created_at: example.created,
  confirmed_at: oneOf(status, 'requires_confirmation', 'canceled') ? null : example.now,
  completed_at: oneOf(status, 'completed', 'refunded', 'partially_refunded') ? example.now : null,
  updated_at: example.now,
  version: example.version,
});

export const withdrawal = (
  example: Example,
  status: StateOf<'withdrawal'>,
): RecordOf<'withdrawal'> => ({
  id: example.id('withdrawal'),
  object: 'withdrawal',
  customer_id: example.id('customer'),
  account_id: example.id('account'),
  linked_account_id: example.id('linked_account'),
  amount: 20_00,
  currency: 'USD',
  status,
  failure_code: status === 'failed' ? 'account_closed' : null,
  confirmation_session: null,
  created_at: example.created,
  confirmed_at: status === 'requires_confirmation' ? null : example.now,
  settled_at: status === 'settled' ? example.now : null,
  updated_at: example.now,
  version: example.version,
});

export const refund = (example: Example, status: StateOf<'refund'>): RecordOf<'refund'> => ({
  id: example.id('refund'),
  object: 'refund',
  payment_id: example.id('payment'),
  merchant_customer_id: example.id('customer', 'merchant'),
  payer_customer_id: example.id('customer', 'payer'),
  amount: 4_00,
  currency: 'USD',
  reason: 'requested_by_customer',
  destination: 'balance',
  status,
  failure_code: status === 'failed' ? 'insufficient_funds' : null,
  confirmation_session: null,
  created_at: example.created,
  completed_at: status === 'completed' ? example.now : null,
  updated_at: example.now,
  version: example.version,
});

export const dispute = (example: Example, status: StateOf<'dispute'>): RecordOf<'dispute'> => ({
  id: example.id('dispute'),
  object: 'dispute',
  customer_id: example.id('customer', 'payer'),
  type: 'unauthorized_transfer',
  payment_id: example.id('payment'),
  transaction_id: null,
  description: 'I did not make this payment',
  regulation_e: true,
  notice_received_at: example.created,
  status,
  provisional_credit_amount: status === 'provisional_credit' ? amount : null,
  outcome: oneOf(status, 'resolved', 'closed') ? 'approved' : null,
  resolved_at: oneOf(status, 'resolved', 'closed') ? example.now : null,
  created_at: example.created,
  updated_at: example.now,
  version: example.version,
});
