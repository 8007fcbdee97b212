import { Readable } from 'node:stream';
import { assert } from '@tenant-payments/engine/fail.ts';
import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { columnList } from '@tenant-payments/engine/table.ts';
import type pg from 'pg';
import { type CopyToStreamQuery, to as copyTo } from 'pg-copy-streams';
import type { Logger } from 'pino';
import {
  type Download,
  type FindDownload,
  isReaderGone,
  openSlots,
} from '../../http/files/downloads.ts';
import { copyOf, header, settings, trailerOf, usesMetadata } from './copy.ts';
import { type ReportRow, reconciliationReports } from './table.ts';

const deadlineMs = 600_000;

/** pg reads the first and sets the second to end its own timer; pg-copy-streams knows neither. */
interface Timed {
  query_timeout?: number;
  callback?: (error: Error | null) => void;
}

/**
 * The rows of a day, as the database sends them. A reader that stops ends the connection.
 * @throws when the number of rows is not the one in the report
 */
async function* rowsOf(pool: pg.Pool, tenantId: string, report: ReportRow) {
  const client = await pool.connect();
  let failure: Error | undefined = new Error('the file was not read to its end');
  const { rows } = await client.query<{ uses: boolean }>(usesMetadata, [tenantId]);
  const copy: CopyToStreamQuery & Timed = copyTo(copyOf(tenantId, report, rows[0]?.uses ?? false));
  copy.query_timeout = deadlineMs;
  // A connection that ends after the last row reports an error to the stream as well.
  copy.on('error', () => {});
  try {
    await client.query('begin isolation level repeatable read, read only');
    await client.query(`set local statement_timeout = ${deadlineMs}; ${settings}`);
    yield* client.query(copy);
    // The row count arrives behind the rows, before the reply to this.
    await client.query('commit');
    assert(copy.rowCount === report.postings_count, 'the file has the rows that its report counts');
    failure = undefined;
  } finally {
    copy.callback?.(null);
    client.release(failure);
  }
}

async function* fileOf(pool: pg.Pool, tenantId: string, report: ReportRow) {
  yield header;
  yield* rowsOf(pool, tenantId, report);
  yield trailerOf(report);
}

/**
 * The CSV file of a report (rules/reports#10): a line of names, one row for each posting, a line of
 * totals. It is not stored. A file without the last line is not whole.
 * @param pool each file holds a connection of it for as long as its reader takes
 */
export function openReportFiles({ pool, log }: { pool: pg.Pool; log: Logger }): FindDownload {
  const hold = openSlots();

  function begin(tenantId: string, report: ReportRow): Readable {
    const file = Readable.from(fileOf(pool, tenantId, report), { objectMode: false });
    return file.once('error', (error) => {
      if (isReaderGone(error)) return;
      const facts = { tenant_id: tenantId, day: report.day, fault: faultFacts(error) };
      log.error({ alarm: 'file', ...facts }, 'the file of a report broke off');
    });
  }

  return async (tenantId, record): Promise<Download | null> => {
    const { rows } = await pool.query<ReportRow>(
      `select ${columnList(reconciliationReports)} from reconciliation_reports where tenant_id = $1 and id = $2`,
      [tenantId, record],
    );
    const [report] = rows;
    return report
      ? {
          contentType: 'text/csv; charset=utf-8; header=present',
          fileName: `reconciliation-${report.day}.csv`,
          open: () => hold(tenantId, async () => begin(tenantId, report)),
        }
      : null;
  };
}
