import Type, { type Static } from 'typebox';
import { endpoint } from '../core/endpoint.ts';
import { lifecycle } from '../core/lifecycle.ts';
import { Currency } from '../core/money.ts';
import { List, pageQuery } from '../core/page.ts';
import { recordRead } from '../core/reads.ts';
import { Closed, Id, IdInput, Instant, Nullable, OneOf, Version } from '../core/schema.ts';
import { transactionTypes } from '../recipes.ts';

export const accountTypes = ['consumer', 'merchant'] as const;

/** Digital Accounts (rules/accounts#1; how they close: rules/closing#1). */
export const accountLifecycle = lifecycle(
  'account',
  ['active', 'suspended', 'dormant', 'closing', 'closed'],
  {
    open: { from: 'new', to: 'active', by: 'service' },
    suspend: {
      from: ['active', 'dormant'],
      to: 'suspended',
      by: ['reviewer', 'identity'],
      simulate: 'account.suspended',
    },
    reactivate: {
      from: ['suspended'],
      to: 'active',
      by: ['reviewer', 'service'],
      event: 'account.reactivated',
      simulate: 'account.reactivated',
    },
    make_dormant: { from: ['active'], to: 'dormant', by: 'service', simulate: 'account.dormant' },
    wake: {
      from: ['dormant'],
      to: 'active',
      by: ['customer', 'reviewer'],
      event: 'account.reactivated',
      simulate: 'account.reactivated',
    },
    close: { from: ['active', 'dormant', 'suspended'], to: 'closing', by: 'tenant' },
    finish_closing: { from: ['closing'], to: 'closed', by: 'service', simulate: 'account.closed' },
  },
);

export const Account = Closed({
  id: Id('Account identifier'),
  object: Type.Literal('account'),
  customer_id: Id('Holder'),
  type: OneOf(accountTypes),
  status: OneOf(accountLifecycle.states),
  currency: Currency,
  opened_at: Instant('Opening time'),
  closed_at: Nullable(Instant('Closing time')),
  updated_at: Instant('Last change'),
  version: Version,
});
export type Account = Static<typeof Account>;

export const Balance = Closed({
  object: Type.Literal('balance'),
  account_id: Id('Account'),
  currency: Currency,
  ledger: Type.Integer({ description: 'Cents, total' }),
  available: Type.Integer({ description: 'Cents; ledger less earmarked and pending_outgoing' }),
  earmarked: Type.Integer({ description: 'Cents reserved for open refunds or disputes' }),
  pending_outgoing: Type.Integer({
    description: 'Cents reserved for payments and withdrawals in progress',
  }),
  as_of: Instant('Time of reading'),
});
export type Balance = Static<typeof Balance>;

export const transactionDirections = ['credit', 'debit'] as const;
export const counterpartyTypes = ['consumer', 'merchant', 'bank_account'] as const;

export const transactionSources = [
  'load',
  'payment',
  'withdrawal',
  'refund',
  'dispute',
  'adjustment',
] as const;

/**
 * Movements of a Digital Account. Only a withdrawal's is pending first (rules/accounts#14); any
 * other is posted at once and emits transaction.posted alone (rules/events#3).
 */
export const transactionLifecycle = lifecycle('transaction', ['pending', 'posted', 'reversed'], {
  begin: { from: 'new', to: 'pending', by: 'service' },
  post: { from: 'new', to: 'posted', by: 'service', event: 'transaction.posted' },
  settle: { from: ['pending'], to: 'posted', by: 'service' },
  reverse: { from: ['pending'], to: 'reversed', by: 'service' },
});

export const Counterparty = Closed({
  type: OneOf(counterpartyTypes),
  customer_id: Nullable(Id('For consumers and merchants of the same Tenant')),
  display_name: Type.String(),
});
export type Counterparty = Static<typeof Counterparty>;

export const Transaction = Closed({
  id: Id('Transaction identifier'),
  object: Type.Literal('transaction'),
  account_id: Id('Account'),
  type: OneOf(transactionTypes),
  direction: OneOf(transactionDirections),
  amount: Type.Integer({ description: 'Gross cents' }),
  fee_amount: Type.Integer({ description: 'Cents deducted from this account' }),
  net_amount: Type.Integer({ description: 'Cents after fees' }),
  currency: Currency,
  status: OneOf(transactionLifecycle.states),
  counterparty: Nullable(Counterparty),
  source_type: OneOf(transactionSources),
  source_id: Id('Identifier of the record of source_type'),
  description: Nullable(Type.String()),
  created_at: Instant('Creation time'),
  posted_at: Nullable(Instant('Posting time')),
});
export type Transaction = Static<typeof Transaction>;

export const listAccounts = endpoint({
  id: 'listAccounts',
  method: 'GET',
  path: '/v1/accounts',
  summary: "List the customer's Digital Account",
  idempotent: 'none',
  query: Closed({ customer_id: IdInput('Holder') }),
  success: { status: 200, schema: List(Account) },
  errors: ['parameter_missing'],
});

export const getBalance = endpoint({
  id: 'getBalance',
  method: 'GET',
  path: '/v1/accounts/:id/balance',
  summary: 'Get the balance of an account',
  idempotent: 'none',
  params: Closed({ id: IdInput('Account identifier') }),
  success: { status: 200, schema: Balance },
  errors: ['not_found'],
});

export const listTransactions = endpoint({
  id: 'listTransactions',
  method: 'GET',
  path: '/v1/accounts/:id/transactions',
  summary: 'List the transactions of an account, newest first',
  idempotent: 'none',
  params: Closed({ id: IdInput('Account identifier') }),
  query: Closed({
    from: Type.Optional(Instant('Earliest creation time, inclusive')),
    to: Type.Optional(Instant('Latest creation time, inclusive')),
    type: Type.Optional(OneOf(transactionTypes)),
    ...pageQuery,
  }),
  success: { status: 200, schema: List(Transaction) },
  errors: ['parameter_invalid', 'not_found'],
});

export const getAccount = recordRead(
  'getAccount',
  '/v1/accounts/:id',
  'Get a Digital Account',
  Account,
);

export const getTransaction = recordRead(
  'getTransaction',
  '/v1/transactions/:id',
  'Get a transaction',
  Transaction,
);
