import type { RecordOf } from '@tenant-payments/contract/catalog.ts';
import { fileLinkSeconds } from '@tenant-payments/contract/resources/reports.ts';
import { statementLinkSeconds } from '@tenant-payments/contract/resources/statements.ts';
import { addSeconds } from '../../core/instant.ts';
import { addDays, easternDay } from '../../resources/limits/days.ts';
import { amount, fee, type Hand } from './example.ts';

/** Nothing is found there. */
const download_url = 'https://example.com/downloads/example';

const yesterday = (hand: Hand) => addDays(easternDay(hand.now), -1);

export const statement = (hand: Hand): RecordOf<'statement'> => ({
  id: hand.id('statement'),
  object: 'statement',
  account_id: hand.id('account'),
  period_start: addDays(yesterday(hand), -29),
  period_end: yesterday(hand),
  opening_balance: 100_00,
  closing_balance: 100_00 - amount,
  currency: 'USD',
  download_url,
  download_url_expires_at: addSeconds(hand.now, statementLinkSeconds),
  available_at: hand.now,
});

/** A day with one load and one payment. */
export const reconciliationReport = (hand: Hand): RecordOf<'reconciliation_report'> => ({
  object: 'reconciliation_report',
  date: yesterday(hand),
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
  file: { format: 'csv', download_url, expires_at: addSeconds(hand.now, fileLinkSeconds) },
  generated_at: hand.now,
});
