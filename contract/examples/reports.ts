import type { RecordOf } from '../catalog.ts';
import { fileLinkSeconds } from '../resources/reports.ts';
import { statementLinkSeconds } from '../resources/statements.ts';
import { amount, dayAfter, type Example, fee, later } from './example.ts';

/** A link that leads nowhere. */
const download_url = 'https://example.com/downloads/example';

export const statement = (example: Example): RecordOf<'statement'> => ({
  id: example.id('statement'),
  object: 'statement',
  account_id: example.id('account'),
  period_start: dayAfter(example.day, -29),
  period_end: example.day,
  opening_balance: 100_00,
  closing_balance: 100_00 - amount,
  currency: 'USD',
  download_url,
  download_url_expires_at: later(example.now, statementLinkSeconds),
  available_at: example.now,
});

/** A day with one load and one payment. */
export const reconciliationReport = (example: Example): RecordOf<'reconciliation_report'> => ({
  object: 'reconciliation_report',
  date: example.day,
  account_structure: 'dedicated_fbo',
  currency: 'USD',
  opening_balance: 500_00,
  closing_balance: 500_00 + 100_00 - fee,
  totals: {
    loads: 100_00,
    payments: amount,
    withdrawals: 0,
    refunds: 0,
    fees: fee,
    adjustments: 0,
  },
  fee_clearing_swept: fee,
  postings_count: 5,
  file: { format: 'csv', download_url, expires_at: later(example.now, fileLinkSeconds) },
  generated_at: example.now,
});
