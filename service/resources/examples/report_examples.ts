import type { RecordOf } from '@tenant-payments/contract/catalog.ts';
import { fileLinkSeconds } from '@tenant-payments/contract/resources/reports.ts';
import { statementLinkSeconds } from '@tenant-payments/contract/resources/statements.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import { addDays, easternDay } from '../limits/days.ts';
import { amount, type Example, fee } from './example.ts';

/** A link that leads nowhere. */
const download_url = 'https://example.com/downloads/example';

const yesterday = (example: Example) => addDays(easternDay(example.now), -1);

export const statement = (example: Example): RecordOf<'statement'> => ({
  id: example.id('statement'),
  object: 'statement',
  account_id: example.id('account'),
  period_start: addDays(yesterday(example), -29),
  period_end: yesterday(example),
  opening_balance: 100_00,
  closing_balance: 100_00 - amount,
  currency: 'USD',
  download_url,
  download_url_expires_at: addSeconds(example.now, statementLinkSeconds),
  available_at: example.now,
});

/** A day with one load and one payment. */
export const reconciliationReport = (example: Example): RecordOf<'reconciliation_report'> => ({
  object: 'reconciliation_report',
  date: yesterday(example),
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
  file: { format: 'csv', download_url, expires_at: addSeconds(example.now, fileLinkSeconds) },
  generated_at: example.now,
});
