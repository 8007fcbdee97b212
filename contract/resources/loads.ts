import Type, { type Static } from 'typebox';
import { endpoint } from '../core/endpoint.ts';
import { failureCodesOf } from '../core/failure_codes.ts';
import { lifecycle } from '../core/lifecycle.ts';
import { Metadata } from '../core/metadata.ts';
import { Cents, Currency, TransferAmountInput } from '../core/money.ts';
import { Closed, Id, IdInput, Instant, Nullable, OneOf, Version } from '../core/schema.ts';
import { ConfirmationSession } from './sessions.ts';

/** Loads by Request for Payment (rules/loads#7). */
export const loadLifecycle = lifecycle(
  'load',
  ['requires_confirmation', 'processing', 'settled', 'failed'],
  {
    create: { from: 'new', to: 'requires_confirmation', by: 'tenant' },
    confirm: { from: ['requires_confirmation'], to: 'processing', by: 'customer' },
    expire: { from: ['requires_confirmation'], to: 'failed', by: 'service' },
    decline: { from: ['requires_confirmation'], to: 'failed', by: 'customer' },
    refuse: { from: ['requires_confirmation'], to: 'failed', by: ['customer', 'service'] },
    settle: {
      from: ['processing'],
      to: 'settled',
      by: 'bank',
      posts: 'load_settled',
      simulate: 'load.settled',
    },
    fail: { from: ['processing'], to: 'failed', by: ['bank', 'service'], simulate: 'load.failed' },
  },
);

export const Load = Closed({
  id: Id('Load identifier'),
  object: Type.Literal('load'),
  customer_id: Id('Customer'),
  account_id: Id('Account credited'),
  linked_account_id: Id('Bank account the Request for Payment is sent to'),
  amount: Cents,
  currency: Currency,
  status: OneOf(loadLifecycle.states),
  failure_code: Nullable(OneOf(failureCodesOf('load'))),
  confirmation_session: Nullable(ConfirmationSession),
  created_at: Instant('Creation time'),
  confirmed_at: Nullable(Instant('Customer confirmed')),
  settled_at: Nullable(Instant('Funds credited')),
  updated_at: Instant('Last change'),
  version: Version,
  metadata: Metadata,
});
export type Load = Static<typeof Load>;

export const createLoad = endpoint({
  id: 'createLoad',
  method: 'POST',
  path: '/v1/loads',
  summary: 'Load a Digital Account from the linked bank account',
  idempotent: 'required',
  body: Closed({
    customer_id: IdInput('Customer'),
    amount: TransferAmountInput,
    metadata: Metadata,
  }),
  success: { status: 201, schema: Load },
  errors: [
    'flow_not_enabled',
    'account_restricted',
    'capability_unavailable',
    'customer_not_verified',
    'limit_exceeded',
    'linked_account_required',
  ],
});

export const getLoad = endpoint({
  id: 'getLoad',
  method: 'GET',
  path: '/v1/loads/:id',
  summary: 'Get a load',
  idempotent: 'none',
  params: Closed({ id: IdInput('Load identifier') }),
  success: { status: 200, schema: Load },
  errors: ['not_found'],
});
