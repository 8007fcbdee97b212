import Type, { type Static } from 'typebox';
import { endpoint } from '../core/endpoint.ts';
import { lifecycle } from '../core/lifecycle.ts';
import { Metadata } from '../core/metadata.ts';
import { AmountInput, Cents, Currency } from '../core/money.ts';
import { lifetimes } from '../core/numbers.ts';
import {
  Closed,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
  ReadableAsGiven,
  Version,
} from '../core/schema.ts';

export const paymentRequestTypes = ['dynamic', 'static'] as const;

/** Seven days, in seconds (rules/payment-requests#3). */
export const maximumExpiresInSeconds = lifetimes.dynamicRequestMaximum;

/**
 * Payment requests (rules/payment-requests#13). A payment made before the expiry may still complete
 * and pays the expired request. A static request is never paid or expired.
 */
export const paymentRequestLifecycle = lifecycle(
  'payment_request',
  ['open', 'paid', 'expired', 'canceled'],
  {
    create: { from: 'new', to: 'open', by: 'tenant' },
    pay: { from: ['open', 'expired'], to: 'paid', by: 'service' },
    expire: { from: ['open'], to: 'expired', by: 'service', simulate: 'payment_request.expired' },
    cancel: { from: ['open'], to: 'canceled', by: 'tenant' },
    close_down: { from: ['open'], to: 'canceled', by: 'service' },
  },
);

export const CollectionPoint = Closed({
  reference: ReadableAsGiven(64, "The Tenant's reference for the store, counter or machine"),
  name: ReadableAsGiven(100, 'Shown to the payer on the confirmation screen'),
});
export type CollectionPoint = Static<typeof CollectionPoint>;

export const PaymentRequest = Closed({
  id: Id('Payment request identifier'),
  object: Type.Literal('payment_request'),
  type: OneOf(
    paymentRequestTypes,
    'dynamic carries an amount and is paid once; static identifies a collection point',
  ),
  merchant_customer_id: Id('Merchant'),
  amount: Nullable(Cents),
  currency: Currency,
  order_reference: Nullable(Type.String()),
  collection_point: Nullable(CollectionPoint),
  status: OneOf(paymentRequestLifecycle.states, 'A static request stays open until it is canceled'),
  qr_payload: Type.String({
    description: 'Signed by the service, to be encoded in a QR code or a payment link',
  }),
  expires_at: Nullable(Instant('Expiry of a dynamic request')),
  paid_payment_id: Nullable(Id('Payment that paid a dynamic request')),
  created_at: Instant('Creation time'),
  updated_at: Instant('Last change'),
  version: Version,
  metadata: Metadata,
});
export type PaymentRequest = Static<typeof PaymentRequest>;

const paymentRequestPath = Closed({ id: IdInput('Payment request identifier') });

export const createPaymentRequest = endpoint({
  id: 'createPaymentRequest',
  method: 'POST',
  path: '/v1/payment-requests',
  summary: 'Ask for a payment by QR code or link',
  idempotent: 'required',
  body: Closed({
    type: OneOf(paymentRequestTypes),
    merchant_customer_id: IdInput('Merchant'),
    amount: Type.Optional(Nullable(AmountInput)),
    order_reference: Type.Optional(Nullable(ReadableAsGiven(64))),
    collection_point: Type.Optional(Nullable(CollectionPoint)),
    expires_in: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maximumExpiresInSeconds,
        description: 'Seconds, for a dynamic request; default from the Tenant configuration',
      }),
    ),
    metadata: Metadata,
  }),
  success: { status: 201, schema: PaymentRequest },
  errors: ['parameter_missing', 'flow_not_enabled', 'payee_not_eligible'],
});

export const getPaymentRequest = endpoint({
  id: 'getPaymentRequest',
  method: 'GET',
  path: '/v1/payment-requests/:id',
  summary: 'Get a payment request',
  idempotent: 'none',
  params: paymentRequestPath,
  success: { status: 200, schema: PaymentRequest },
  errors: ['not_found'],
});

export const cancelPaymentRequest = endpoint({
  id: 'cancelPaymentRequest',
  method: 'POST',
  path: '/v1/payment-requests/:id/cancel',
  summary: 'Cancel an open payment request',
  idempotent: 'required',
  params: paymentRequestPath,
  success: { status: 200, schema: PaymentRequest },
  errors: ['not_found', 'invalid_state'],
});
