import {
  accountStructures,
  type ReconciliationReport,
  reconciliationReportLifecycle,
} from '@tenant-payments/contract/resources/reports.ts';
import { column, type RowOf, table, words } from '@tenant-payments/engine/table.ts';

/** One report for each Tenant and day; it never changes (rules/reports#4). */
export const reconciliationReports = table({
  name: 'reconciliation_reports',
  key: ['day'],
  lifecycle: reconciliationReportLifecycle,
  columns: {
    /** In Eastern Time. */
    day: column.date,
    id: column.uuid,
    account_structure: words(accountStructures),
    opening_balance: column.cents,
    closing_balance: column.cents,
    loads: column.cents,
    /** Between Digital Accounts, gross. */
    payments_balance: column.cents,
    payments_bank: column.cents,
    withdrawals: column.cents,
    refunds_balance: column.cents,
    refunds_bank: column.cents,
    fees: column.cents,
    adjustments: column.cents,
    fee_clearing_swept: column.cents,
    postings_count: column.integer,
    /** Decided with the report, so that its file keeps its shape (rules/reports#15). */
    file_has_metadata: column.boolean,
    /** The address in the event; reading the report gives a fresh one. */
    download_url: column.text,
    expires_at: column.instant,
    generated_at: column.instant,
    updated_at: column.instant,
    version: column.integer,
  },
  present: (row): ReconciliationReport => ({
    object: 'reconciliation_report',
    date: row.day,
    account_structure: row.account_structure,
    currency: 'USD',
    opening_balance: row.opening_balance,
    closing_balance: row.closing_balance,
    totals: {
      loads: row.loads,
      payments: row.payments_balance + row.payments_bank,
      withdrawals: row.withdrawals,
      refunds: row.refunds_balance + row.refunds_bank,
      fees: row.fees,
      adjustments: row.adjustments,
    },
    fee_clearing_swept: row.fee_clearing_swept,
    postings_count: row.postings_count,
    file: { format: 'csv', download_url: row.download_url, expires_at: row.expires_at },
    generated_at: row.generated_at,
  }),
});
export type ReportRow = RowOf<typeof reconciliationReports>;
