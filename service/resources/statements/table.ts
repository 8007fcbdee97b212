import { publicId } from '@tenant-payments/contract/core/ids.ts';
import {
  type Statement,
  statementLifecycle,
} from '@tenant-payments/contract/resources/statements.ts';
import { column, type RowOf, table } from '@tenant-payments/engine/table.ts';

/** Periods of an account without gaps, each made once (rules/reports#16). */
export const statements = table({
  name: 'statements',
  key: ['id'],
  lifecycle: statementLifecycle,
  columns: {
    id: column.uuid,
    account_id: column.uuid,
    /** First and last day, in Eastern Time. */
    period_start: column.date,
    period_end: column.date,
    opening_balance: column.cents,
    closing_balance: column.cents,
    /** The address in the event; reading the statement gives a fresh one. */
    download_url: column.text,
    download_url_expires_at: column.instant,
    available_at: column.instant,
    updated_at: column.instant,
    version: column.integer,
  },
  present: (row): Statement => ({
    id: publicId('statement', row.id),
    object: 'statement',
    account_id: publicId('account', row.account_id),
    period_start: row.period_start,
    period_end: row.period_end,
    opening_balance: row.opening_balance,
    closing_balance: row.closing_balance,
    currency: 'USD',
    download_url: row.download_url,
    download_url_expires_at: row.download_url_expires_at,
    available_at: row.available_at,
  }),
});
export type StatementRow = RowOf<typeof statements>;

/**
 * How far an account's statements reach. Making the next one changes this row, so that of two runs
 * at a time one decides again and finds nothing to do.
 */
export const statementPositions = table({
  name: 'statement_positions',
  key: ['account_id'],
  columns: {
    account_id: column.uuid,
    /** The last day of the last statement. */
    covered_until: column.date,
    /** Its closing balance. */
    balance: column.cents,
  },
});

/** How far the run of a month has come, through accounts in the order of ids. */
export const statementRuns = table({
  name: 'statement_runs',
  key: ['period_end'],
  columns: {
    /** The last day of the month. */
    period_end: column.date,
    /** The last account that was done. */
    after_id: column.uuid,
    finished: column.boolean,
  },
});
