import Type, { type Static } from 'typebox';
import { endpoint } from '../core/endpoint.ts';
import { lifecycle } from '../core/lifecycle.ts';
import { Currency } from '../core/money.ts';
import { lifetimes } from '../core/numbers.ts';
import { Closed, Day, Instant, OneOf } from '../core/schema.ts';

/** Made once and never changed: a later correction posts on its own day (rules/reports#3). */
export const reconciliationReportLifecycle = lifecycle('reconciliation_report', ['available'], {
  issue: { from: 'new', to: 'available', by: 'service', event: 'reconciliation_report.available' },
});

export const accountStructures = ['dedicated_fbo', 'tenant_scheme'] as const;

/** Lifetime of a file's address, in seconds of real time (rules/limits#17). */
export const fileLinkSeconds = lifetimes.reportFileAddress;

interface Column {
  readonly type: 'id' | 'instant' | 'date' | 'text' | 'integer cents';
  /** Whether a cell may be empty. */
  readonly empty: boolean;
  readonly what: string;
}

const column = (type: Column['type'], what: string, empty = false): Column => ({
  type,
  empty,
  what,
});

/** The columns of the report's file, in their order (rules/reports#10). */
export const reconciliationColumns = {
  posting_id: column('id', "the posting, and its Transaction's id where it has one"),
  posted_at: column('instant', 'when it was posted, in UTC with milliseconds'),
  business_date: column('date', "the report's day in Eastern Time"),
  account_id: column('text', 'the account, or `fee_clearing`'),
  customer_id: column('id', "the account's customer; empty for fee clearing", true),
  transaction_id: column('id', "the customer's Transaction; empty for fee clearing", true),
  source_type: column('text', '`source_type` of the Transaction'),
  source_id: column('id', 'the record that moved the money', true),
  type: column(
    'text',
    "the Transaction's type, or `platform_fee`, `tenant_fee`, the same with `_swept`",
  ),
  direction: column('text', '`credit` or `debit`'),
  amount: column('integer cents', 'gross, at least 0'),
  fee_amount: column('integer cents', 'taken from this account, at least 0'),
  net_amount: column('integer cents', 'after fees, at least 0'),
  balance_after: column(
    'integer cents',
    "the account's ledger balance after it; empty for fee clearing",
    true,
  ),
  metadata: column(
    'text',
    "the record's own `metadata` as JSON, in quotes; there is no such column before its first use",
    true,
  ),
} as const satisfies Readonly<Record<string, Column>>;
export type ReconciliationColumn = keyof typeof reconciliationColumns;

const cents = (description: string) => Type.Integer({ description: `Cents; ${description}` });

export const ReconTotals = Closed({
  loads: cents('credited'),
  payments: cents('gross, between Digital Accounts and by bank'),
  withdrawals: cents('payouts of closing accounts too'),
  refunds: cents('to balances and to banks'),
  fees: cents('posted to the fee clearing position'),
  adjustments: cents('dispute credits, reversals and other adjustments; below zero where taken'),
});
export type ReconTotals = Static<typeof ReconTotals>;

export const FileLink = Closed({
  format: OneOf(['csv']),
  download_url: Type.String({
    description: 'Time-limited address of the file; request the report again for a fresh one',
  }),
  expires_at: Instant('In real time'),
});

export const ReconciliationReport = Closed({
  object: Type.Literal('reconciliation_report'),
  date: Day('Business date in Eastern Time'),
  account_structure: OneOf(accountStructures),
  currency: Currency,
  opening_balance: cents("sum of the Tenant's customer balances at the start of the day"),
  closing_balance: cents('the same at its end'),
  totals: ReconTotals,
  fee_clearing_swept: cents('swept from fee clearing to operating accounts'),
  postings_count: Type.Integer({ description: 'Postings in the file' }),
  file: FileLink,
  generated_at: Instant('Time of the report'),
});
export type ReconciliationReport = Static<typeof ReconciliationReport>;

export const getReconciliationReport = endpoint({
  id: 'getReconciliationReport',
  method: 'GET',
  path: '/v1/reports/reconciliation',
  summary:
    'Get the reconciliation report of a day; available from 06:00 Eastern Time on the next day',
  idempotent: 'none',
  query: Closed({ date: Day('Business date in Eastern Time') }),
  success: { status: 200, schema: ReconciliationReport },
  errors: ['parameter_missing', 'not_found'],
});
