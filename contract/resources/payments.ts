import Type, { type Static } from 'typebox';
import { endpoint } from '../core/endpoint.ts';
import { feeBearers, feeTypes, paymentSources, paymentTypes } from '../core/fees.ts';
import { lifecycle } from '../core/lifecycle.ts';
import { Metadata } from '../core/metadata.ts';
import { AmountInput, Cents, Currency } from '../core/money.ts';
import {
  Closed,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
  ReadableAsGiven,
  Text,
  Version,
} from '../core/schema.ts';
import { ConfirmationSession } from './sessions.ts';

const open = ['requires_confirmation'] as const;
const paid = ['completed', 'partially_refunded'] as const;

/**
 * From a balance, the money is held from creation on (rules/payments#18); by bank, no account of
 * the payer changes (rules/payments#20).
 */
export const paymentLifecycle = lifecycle(
  'payment',
  [
    'requires_confirmation',
    'processing',
    'completed',
    'failed',
    'canceled',
    'refunded',
    'partially_refunded',
  ],
  {
    create: { from: 'new', to: 'requires_confirmation', by: 'tenant', mayPost: 'payment_held' },
    confirm: { from: open, to: 'completed', by: 'customer', posts: 'payment_completed' },
    /** By bank: a Request for Payment goes to the payer's bank. */
    request: { from: open, to: 'processing', by: 'customer' },
    complete: {
      from: ['processing'],
      to: 'completed',
      by: 'bank',
      posts: 'pay_by_bank_completed',
      simulate: 'payment.completed',
    },
    fail: {
      from: ['processing'],
      to: 'failed',
      by: ['bank', 'service'],
      simulate: 'payment.failed',
    },
    refuse: { from: open, to: 'failed', by: ['customer', 'service'], mayPost: 'payment_released' },
    cancel: { from: open, to: 'canceled', by: 'tenant', mayPost: 'payment_released' },
    decline: { from: open, to: 'canceled', by: 'customer', mayPost: 'payment_released' },
    expire: { from: open, to: 'canceled', by: 'service', mayPost: 'payment_released' },
    /** Its request was canceled, or its payer may no longer pay. */
    withdraw: { from: open, to: 'canceled', by: 'service', mayPost: 'payment_released' },
    refund_part: { from: paid, to: 'partially_refunded', by: 'service' },
    refund_rest: { from: paid, to: 'refunded', by: 'service' },
  },
);

export const Fee = Closed({
  type: OneOf(feeTypes),
  amount: Cents,
  paid_by: OneOf(feeBearers, 'The party whose amount the fee is taken from'),
});

export const Payment = Closed({
  id: Id('Payment identifier'),
  object: Type.Literal('payment'),
  type: OneOf(paymentTypes),
  source: OneOf(paymentSources),
  payer_customer_id: Id('Payer'),
  payee_customer_id: Id('Merchant'),
  payment_request_id: Nullable(Id('Set when the payment came from a QR code or link')),
  amount: Cents,
  currency: Currency,
  fees: Type.Array(Fee),
  net_amount: Type.Integer({ description: 'Cents credited to the merchant after fees' }),
  refunded_amount: Cents,
  status: OneOf(paymentLifecycle.states),
  failure_code: Nullable(Type.String()),
  order_reference: Nullable(Type.String()),
  invoice_reference: Nullable(Type.String()),
  description: Nullable(Type.String({ description: 'Shown to both parties' })),
  confirmation_session: Nullable(ConfirmationSession),
  created_at: Instant('Creation time'),
  confirmed_at: Nullable(Instant('Payer confirmed')),
  completed_at: Nullable(Instant('Merchant credited')),
  updated_at: Instant('Last change'),
  version: Version,
  metadata: Metadata,
});
export type Payment = Static<typeof Payment>;

const paymentPath = Closed({ id: IdInput('Payment identifier') });

export const createPayment = endpoint({
  id: 'createPayment',
  method: 'POST',
  path: '/v1/payments',
  summary: 'Create a payment that the payer then confirms',
  idempotent: 'required',
  body: Closed({
    payer_customer_id: IdInput('Payer'),
    payee_customer_id: Type.Optional(Nullable(IdInput('Merchant; give this or qr_payload'))),
    qr_payload: Type.Optional(Nullable(Text(2048, 'From a QR code or payment link'))),
    amount: Type.Optional(Nullable(AmountInput)),
    source: OneOf(paymentSources, 'bank_account is pay by bank'),
    order_reference: Type.Optional(Nullable(ReadableAsGiven(64))),
    invoice_reference: Type.Optional(Nullable(ReadableAsGiven(64))),
    description: Type.Optional(Nullable(ReadableAsGiven(140, 'Shown to both parties'))),
    metadata: Metadata,
  }),
  success: { status: 201, schema: Payment },
  errors: [
    'parameter_missing',
    'flow_not_enabled',
    'account_restricted',
    'amount_mismatch',
    'capability_unavailable',
    'customer_not_verified',
    'insufficient_funds',
    'limit_exceeded',
    'payee_not_eligible',
    'payment_request_expired',
    'payment_request_invalid',
    'payment_request_paid',
  ],
});

export const getPayment = endpoint({
  id: 'getPayment',
  method: 'GET',
  path: '/v1/payments/:id',
  summary: 'Get a payment',
  idempotent: 'none',
  params: paymentPath,
  success: { status: 200, schema: Payment },
  errors: ['not_found'],
});

export const cancelPayment = endpoint({
  id: 'cancelPayment',
  method: 'POST',
  path: '/v1/payments/:id/cancel',
  summary: 'Cancel a payment that is not yet confirmed',
  idempotent: 'required',
  params: paymentPath,
  success: { status: 200, schema: Payment },
  errors: ['not_found', 'invalid_state'],
});
