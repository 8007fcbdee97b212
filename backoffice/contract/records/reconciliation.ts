import { Closed, Day, OneOf } from '@tenant-payments/contract/core/schema.ts';
import { ReconciliationReport } from '@tenant-payments/contract/resources/reports.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** A day's report beside the ledger from which it was made (rules/reports#7). */

export const dayFigures = [
  'opening_balance',
  'loads',
  'payments_balance',
  'payments_bank',
  'withdrawals',
  'refunds_balance',
  'refunds_bank',
  'fees',
  'adjustments',
  'closing_balance',
  'fee_clearing_swept',
  'postings_count',
] as const;
export type DayFigure = (typeof dayFigures)[number];

export const ReconciliationDay = Closed({
  report: ReconciliationReport,
  ties: Type.Boolean({ description: 'Every figure of the report is that of the ledger' }),
  figures: Type.Array(
    Closed({
      name: OneOf(dayFigures, 'Cents, but for `postings_count`'),
      reported: Type.Integer({ description: 'As the report says' }),
      ledger: Type.Integer({
        description:
          'Added up anew from the entries of the day; the opening is the closing of the day before',
      }),
    }),
  ),
});
export type ReconciliationDay = Static<typeof ReconciliationDay>;

export const getReconciliationDay = portalEndpoint({
  id: 'getReconciliationDay',
  method: 'GET',
  path: '/portal/api/reconciliation-reports/:date',
  summary: "Get a day's report with its figures added up anew from the ledger",
  idempotent: 'none',
  may: ['finance', 'support'],
  of: 'tenant',
  personal: 'report',
  params: Closed({ date: Day('Business date in Eastern Time') }),
  success: { status: 200, schema: ReconciliationDay },
  errors: ['parameter_invalid', 'not_found'],
});
