import Type, { type Static } from 'typebox';
import { endpoint } from '../core/endpoint.ts';
import { failureCodesOf } from '../core/failure_codes.ts';
import { lifecycle } from '../core/lifecycle.ts';
import { Metadata } from '../core/metadata.ts';
import { AmountInput, Cents, Currency } from '../core/money.ts';
import { Closed, Id, IdInput, Instant, Nullable, OneOf, Version } from '../core/schema.ts';
import { ConfirmationSession } from './sessions.ts';

export const refundReasons = [
  'requested_by_customer',
  'duplicate',
  'goods_not_received',
  'other',
] as const;
export const refundDestinations = ['balance', 'bank_account'] as const;

/**
 * Refunds by the merchant to the original payer (rules/refunds#12). A refund that the merchant
 * cannot fund when it confirms waits, first in first out (rules/refunds#20).
 */
export const refundLifecycle = lifecycle(
  'refund',
  ['requested', 'pending_funds', 'processing', 'completed', 'failed'],
  {
    create: { from: 'new', to: 'requested', by: 'tenant', mayPost: 'refund_held' },
    confirm: { from: ['requested'], to: 'processing', by: 'customer', mayPost: 'refund_held' },
    wait: { from: ['requested'], to: 'pending_funds', by: 'customer' },
    expire: { from: ['requested'], to: 'failed', by: 'service', mayPost: 'refund_released' },
    decline: { from: ['requested'], to: 'failed', by: 'customer', mayPost: 'refund_released' },
    refuse: {
      from: ['requested'],
      to: 'failed',
      by: ['customer', 'service'],
      mayPost: 'refund_released',
    },
    fund: { from: ['pending_funds'], to: 'processing', by: 'service', posts: 'refund_held' },
    /**
     * No funds in thirty days, no more incoming money, or it can no longer be paid
     * (rules/refunds#23).
     */
    give_up: { from: ['pending_funds'], to: 'failed', by: 'service' },
    credit: {
      from: ['processing'],
      to: 'completed',
      by: 'service',
      posts: 'refund_completed_balance',
    },
    complete: {
      from: ['processing'],
      to: 'completed',
      by: 'bank',
      posts: 'refund_completed_bank',
      simulate: 'refund.completed',
    },
    fail: {
      from: ['processing'],
      to: 'failed',
      by: 'bank',
      posts: 'refund_released',
      simulate: 'refund.failed',
    },
  },
);

export const Refund = Closed({
  id: Id('Refund identifier'),
  object: Type.Literal('refund'),
  payment_id: Id('Payment refunded'),
  merchant_customer_id: Id('Merchant issuing the refund'),
  payer_customer_id: Id('Customer refunded'),
  amount: Cents,
  currency: Currency,
  reason: OneOf(refundReasons),
  destination: OneOf(
    refundDestinations,
    "balance: the customer's Digital Account; bank_account: the customer's linked account",
  ),
  status: OneOf(refundLifecycle.states),
  failure_code: Nullable(OneOf(failureCodesOf('refund'))),
  confirmation_session: Nullable(ConfirmationSession),
  created_at: Instant('Creation time'),
  completed_at: Nullable(Instant('Refund applied')),
  updated_at: Instant('Last change'),
  version: Version,
  metadata: Metadata,
});
export type Refund = Static<typeof Refund>;

export const createRefund = endpoint({
  id: 'createRefund',
  method: 'POST',
  path: '/v1/refund-requests',
  summary: 'Refund a completed payment to its payer, in part or whole',
  idempotent: 'required',
  body: Closed({
    payment_id: IdInput('A completed payment'),
    amount: AmountInput,
    reason: OneOf(refundReasons),
    metadata: Metadata,
  }),
  success: { status: 201, schema: Refund },
  errors: [
    'not_found',
    'invalid_state',
    'account_restricted',
    'refund_exceeds_payment',
    'refund_window_closed',
  ],
});

export const getRefund = endpoint({
  id: 'getRefund',
  method: 'GET',
  path: '/v1/refund-requests/:id',
  summary: 'Get a refund',
  idempotent: 'none',
  params: Closed({ id: IdInput('Refund identifier') }),
  success: { status: 200, schema: Refund },
  errors: ['not_found'],
});
