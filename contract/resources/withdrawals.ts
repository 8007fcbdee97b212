import Type, { type Static } from 'typebox';
import { endpoint } from '../core/endpoint.ts';
import { failureCodesOf } from '../core/failure_codes.ts';
import { lifecycle } from '../core/lifecycle.ts';
import { Metadata } from '../core/metadata.ts';
import { Cents, Currency, TransferAmountInput } from '../core/money.ts';
import { Closed, Id, IdInput, Instant, Nullable, OneOf, Version } from '../core/schema.ts';
import { ConfirmationSession } from './sessions.ts';

/**
 * Withdrawals by RTP credit transfer (rules/withdrawals#9). The amount is held from creation. A
 * closing account pays out its balance by `pay_out`, without a session (rules/closing#9).
 */
export const withdrawalLifecycle = lifecycle(
  'withdrawal',
  ['requires_confirmation', 'processing', 'settled', 'failed'],
  {
    create: {
      from: 'new',
      to: 'requires_confirmation',
      by: ['tenant', 'service'],
      posts: 'withdrawal_held',
    },
    confirm: { from: ['requires_confirmation'], to: 'processing', by: 'customer' },
    pay_out: { from: ['requires_confirmation'], to: 'processing', by: 'service' },
    expire: {
      from: ['requires_confirmation'],
      to: 'failed',
      by: 'service',
      posts: 'withdrawal_released',
    },
    decline: {
      from: ['requires_confirmation'],
      to: 'failed',
      by: 'customer',
      posts: 'withdrawal_released',
    },
    refuse: {
      from: ['requires_confirmation'],
      to: 'failed',
      by: ['customer', 'service'],
      posts: 'withdrawal_released',
    },
    settle: {
      from: ['processing'],
      to: 'settled',
      by: 'bank',
      posts: 'withdrawal_settled',
      simulate: 'withdrawal.settled',
    },
    fail: {
      from: ['processing'],
      to: 'failed',
      by: 'bank',
      posts: 'withdrawal_released',
      simulate: 'withdrawal.failed',
    },
  },
);

export const Withdrawal = Closed({
  id: Id('Withdrawal identifier'),
  object: Type.Literal('withdrawal'),
  customer_id: Id('Customer'),
  account_id: Id('Account debited'),
  linked_account_id: Id('Bank account credited'),
  amount: Cents,
  currency: Currency,
  status: OneOf(withdrawalLifecycle.states),
  failure_code: Nullable(
    OneOf(failureCodesOf('withdrawal'), 'A failed withdrawal releases the reserved amount'),
  ),
  confirmation_session: Nullable(ConfirmationSession),
  created_at: Instant('Creation time'),
  confirmed_at: Nullable(Instant('Customer confirmed')),
  settled_at: Nullable(Instant('Transfer final')),
  updated_at: Instant('Last change'),
  version: Version,
  metadata: Metadata,
});
export type Withdrawal = Static<typeof Withdrawal>;

export const createWithdrawal = endpoint({
  id: 'createWithdrawal',
  method: 'POST',
  path: '/v1/withdrawals',
  summary: "Withdraw to the customer's own linked bank account",
  idempotent: 'required',
  body: Closed({
    customer_id: IdInput('Customer'),
    amount: TransferAmountInput,
    metadata: Metadata,
  }),
  success: { status: 201, schema: Withdrawal },
  errors: [
    'account_restricted',
    'customer_not_verified',
    'insufficient_funds',
    'limit_exceeded',
    'linked_account_required',
    'withdrawal_hold',
  ],
});

export const getWithdrawal = endpoint({
  id: 'getWithdrawal',
  method: 'GET',
  path: '/v1/withdrawals/:id',
  summary: 'Get a withdrawal',
  idempotent: 'none',
  params: Closed({ id: IdInput('Withdrawal identifier') }),
  success: { status: 200, schema: Withdrawal },
  errors: ['not_found'],
});
