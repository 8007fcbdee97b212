import type { RecordOf } from '@tenant-payments/contract/catalog.ts';
import { addSeconds } from '../../core/instant.ts';
import { amount, expiresInSeconds, fee, type Hand, oneOf, type StateOf } from './example.ts';

export const load = (hand: Hand, status: StateOf<'load'>): RecordOf<'load'> => ({
  id: hand.id('load'),
  object: 'load',
  customer_id: hand.id('customer'),
  account_id: hand.id('account'),
  linked_account_id: hand.id('linked_account'),
  amount: 100_00,
  currency: 'USD',
  status,
  failure_code: status === 'failed' ? 'customer_refused' : null,
  confirmation_session: null,
  created_at: hand.created,
  confirmed_at: status === 'requires_confirmation' ? null : hand.now,
  settled_at: status === 'settled' ? hand.now : null,
  updated_at: hand.now,
  version: hand.version,
});

export const paymentRequest = (
  hand: Hand,
  status: StateOf<'payment_request'>,
): RecordOf<'payment_request'> => {
  const id = hand.id('payment_request');
  const merchant = hand.id('customer', 'merchant');
  const expires = addSeconds(hand.created, expiresInSeconds);
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
    qr_payload: hand.qr.write({
      id,
      t: 'dynamic',
      mer: merchant,
      amt: amount,
      exp: Math.floor(Date.parse(expires) / 1000),
    }),
    expires_at: expires,
    paid_payment_id: status === 'paid' ? hand.id('payment') : null,
    created_at: hand.created,
    updated_at: hand.now,
    version: hand.version,
  };
};

export const payment = (hand: Hand, status: StateOf<'payment'>): RecordOf<'payment'> => ({
  id: hand.id('payment'),
  object: 'payment',
  type: 'consumer_to_merchant',
  source: 'balance',
  payer_customer_id: hand.id('customer', 'payer'),
  payee_customer_id: hand.id('customer', 'merchant'),
  payment_request_id: hand.id('payment_request'),
  amount,
  currency: 'USD',
  fees: [{ type: 'platform', amount: fee, paid_by: 'payee' }],
  net_amount: amount - fee,
  refunded_amount: status === 'refunded' ? amount : status === 'partially_refunded' ? 10_00 : 0,
  status,
  failure_code: status === 'failed' ? 'payee_not_eligible' : null,
  order_reference: 'order-1001',
  invoice_reference: null,
  description: 'Lunch for two',
  confirmation_session: null,
  created_at: hand.created,
  confirmed_at: oneOf(status, 'requires_confirmation', 'canceled') ? null : hand.now,
  completed_at: oneOf(status, 'completed', 'refunded', 'partially_refunded') ? hand.now : null,
  updated_at: hand.now,
  version: hand.version,
});

export const withdrawal = (hand: Hand, status: StateOf<'withdrawal'>): RecordOf<'withdrawal'> => ({
  id: hand.id('withdrawal'),
  object: 'withdrawal',
  customer_id: hand.id('customer'),
  account_id: hand.id('account'),
  linked_account_id: hand.id('linked_account'),
  amount: 100_00,
  currency: 'USD',
  status,
  failure_code: status === 'failed' ? 'account_closed' : null,
  confirmation_session: null,
  created_at: hand.created,
  confirmed_at: status === 'requires_confirmation' ? null : hand.now,
  settled_at: status === 'settled' ? hand.now : null,
  updated_at: hand.now,
  version: hand.version,
});

export const refund = (hand: Hand, status: StateOf<'refund'>): RecordOf<'refund'> => ({
  id: hand.id('refund'),
  object: 'refund',
  payment_id: hand.id('payment'),
  merchant_customer_id: hand.id('customer', 'merchant'),
  payer_customer_id: hand.id('customer', 'payer'),
  amount: 10_00,
  currency: 'USD',
  reason: 'requested_by_customer',
  destination: 'balance',
  status,
  failure_code: status === 'failed' ? 'insufficient_funds' : null,
  confirmation_session: null,
  created_at: hand.created,
  completed_at: status === 'completed' ? hand.now : null,
  updated_at: hand.now,
  version: hand.version,
});

export const dispute = (hand: Hand, status: StateOf<'dispute'>): RecordOf<'dispute'> => ({
  id: hand.id('dispute'),
  object: 'dispute',
  customer_id: hand.id('customer', 'payer'),
  type: 'unauthorized_transfer',
  payment_id: hand.id('payment'),
  transaction_id: null,
  description: 'I did not make this payment',
  regulation_e: true,
  notice_received_at: hand.created,
  status,
  provisional_credit_amount: status === 'provisional_credit' ? amount : null,
  outcome: oneOf(status, 'resolved', 'closed') ? 'approved' : null,
  resolved_at: oneOf(status, 'resolved', 'closed') ? hand.now : null,
  created_at: hand.created,
  updated_at: hand.now,
  version: hand.version,
});
