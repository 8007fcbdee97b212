import Type from 'typebox';
import { List, pageQuery } from '../core/page.ts';
import { Closed, Id, IdInput, Instant, Nullable } from '../core/schema.ts';
import { portalEndpoint } from './endpoint.ts';

/** The book, entry by entry, and its proof (surfaces, Portal JSON; decisions 2). */

export const Entry = Closed({
  id: Id('Entry'),
  account_id: Nullable(Id("Digital Account; null for the tenant's own books")),
  pocket: Type.String({ description: 'Pocket or book' }),
  delta: Type.Integer({ description: 'Cents, signed' }),
  number: Nullable(Type.Integer({ description: 'Its place among those of the account' })),
  balance_after: Nullable(Type.Integer({ description: 'Of the pocket' })),
  ledger_after: Nullable(Type.Integer({ description: 'Of the account' })),
  source_type: Type.String(),
  source_id: Id('The record that moved'),
  step: Type.String({ description: 'The recipe' }),
  transaction_type: Nullable(Type.String()),
  amount: Nullable(Type.Integer({ description: 'Gross cents of the Transaction' })),
  fee_amount: Nullable(Type.Integer()),
  created_at: Instant('Posted'),
});

export const listLedgerEntries = portalEndpoint({
  id: 'listLedgerEntries',
  method: 'GET',
  path: '/portal/api/ledger/entries',
  summary: 'The entries of the book, newest first',
  idempotent: 'none',
  role: 'finance',
  query: Closed({
    account_id: Type.Optional(IdInput('Only of this Digital Account')),
    source_id: Type.Optional(IdInput('Only of this record')),
    ...pageQuery,
  }),
  success: { status: 200, schema: List(Entry) },
  errors: ['parameter_invalid'],
});

export const LedgerProof = Closed({
  ok: Type.Boolean(),
  checked: Type.Integer({ description: 'Rows of the book that were looked at' }),
  violations: Type.Array(
    Closed({
      invariant: Type.String(),
      tenant_id: Type.String(),
      subject: Type.String({ description: 'The record, account or movement' }),
      message: Type.String(),
    }),
  ),
});

export const verifyLedger = portalEndpoint({
  id: 'verifyLedger',
  method: 'GET',
  path: '/portal/api/ledger/verify',
  summary: 'Prove the whole book of the tenant',
  idempotent: 'none',
  role: 'finance',
  success: { status: 200, schema: LedgerProof },
  errors: [],
});
