import Type from 'typebox';
import { List, pageQuery } from '../core/page.ts';
import { Closed, Id, IdInput, Instant, Nullable } from '../core/schema.ts';
import { portalEndpoint } from './endpoint.ts';

/** The entries of the ledger, and its check (rules/operations#32). */

export const Entry = Closed({
  id: Id('Entry'),
  account_id: Nullable(Id('Digital Account; null for a Tenant account')),
  pocket: Type.String({ description: 'Pocket, or Tenant account' }),
  delta: Type.Integer({ description: 'Cents, signed' }),
  number: Nullable(Type.Integer({ description: 'Its position among the entries of the account' })),
  balance_after: Nullable(Type.Integer({ description: 'Balance of the pocket after the entry' })),
  ledger_after: Nullable(
    Type.Integer({ description: 'Ledger balance of the account after the entry' }),
  ),
  source_type: Type.String(),
  source_id: Id('The record whose move posted the entry'),
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
  summary: 'List ledger entries, newest first',
  idempotent: 'none',
  role: 'finance',
  query: Closed({
    account_id: Type.Optional(IdInput('Only entries of this Digital Account')),
    source_id: Type.Optional(IdInput('Only entries of this record')),
    ...pageQuery,
  }),
  success: { status: 200, schema: List(Entry) },
  errors: ['parameter_invalid'],
});

export const LedgerProof = Closed({
  ok: Type.Boolean(),
  checked: Type.Integer({ description: 'Rows that were checked' }),
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
  summary: "Check the Tenant's whole ledger",
  idempotent: 'none',
  role: 'finance',
  success: { status: 200, schema: LedgerProof },
  errors: [],
});
