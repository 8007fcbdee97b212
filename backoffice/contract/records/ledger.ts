import { List, pageQuery } from '@tenant-payments/contract/core/page.ts';
import {
  Closed,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
} from '@tenant-payments/contract/core/schema.ts';
import { pockets, tenantAccounts } from '@tenant-payments/contract/recipes.ts';
import { LedgerProof } from '@tenant-payments/contract/resources/ledger_proofs.ts';
import Type from 'typebox';
import { portalEndpoint } from '../endpoint.ts';
import { asFile, inOrder } from './list_filters.ts';

/** The entries of the ledger, and its check (rules/operations#32). */

/** The pockets of a Digital Account, and the accounts of the Tenant. */
const entryPockets = [...pockets, ...tenantAccounts] as const;

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
  may: ['finance', 'support'],
  of: 'tenant',
  query: Closed({
    account_id: Type.Optional(IdInput('Only entries of this Digital Account')),
    source_id: Type.Optional(IdInput('Only entries of this record')),
    pocket: Type.Optional(OneOf(entryPockets, 'Only entries of this pocket or Tenant account')),
    from: Type.Optional(Instant('Not before')),
    to: Type.Optional(Instant('Before')),
    ...inOrder,
    ...asFile,
    ...pageQuery,
  }),
  success: { status: 200, schema: List(Entry) },
  errors: ['parameter_invalid'],
});

export const verifyLedger = portalEndpoint({
  id: 'verifyLedger',
  method: 'GET',
  path: '/portal/api/ledger/verify',
  summary: "Check the Tenant's whole ledger",
  idempotent: 'none',
  may: ['finance', 'support'],
  of: 'tenant',
  success: { status: 200, schema: LedgerProof },
  errors: [],
});

/** A message of the proof's `text/event-stream`. */
export const ProofMessage = Closed({
  event: OneOf(['progress', 'proof', 'failed']),
  data: Type.Record(Type.String(), Type.Unknown(), {
    description:
      '`progress`: `done` and `all` steps, and the `name` of the last; `proof`: as verifyLedger answers',
  }),
});

export const proveLedger = portalEndpoint({
  id: 'proveLedger',
  method: 'GET',
  path: '/portal/api/ledger/proof',
  summary:
    "Check the Tenant's whole ledger and follow it step by step, as server-sent events (`text/event-stream`)",
  idempotent: 'none',
  may: ['finance', 'support'],
  of: 'tenant',
  success: { status: 200, schema: ProofMessage },
  errors: ['invalid_state'],
});
