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
import { copyOf, headerOf, settings, trailerOf } from './copy.ts';
import { type ReportRow, reconciliationReports } from './table.ts';

const deadlineMs = 600_000;

/** pg reads the first and sets the second to end its own timer; pg-copy-streams knows neither. */
interface Timed {
  query_timeout?: number;
  callback?: (error: Error | null) => void;
}

const snapshot = `begin isolation level repeatable read, read only;
  set local statement_timeout = ${deadlineMs}; ${settings}`;
const isThere = 'select from reconciliation_reports where tenant_id = $1 and id = $2';

/** A standby where the report is: what it counts was committed before it. @returns null: there is none now */
async function standbyWith(
  standby: Files['standby'],
  tenantId: string,
  { id }: ReportRow,
): Promise<pg.PoolClient | null> {
  const client = await (await standby?.fit())?.connect().catch(() => null);
  if (!client) return null;
  try {
    await client.query(snapshot);
    if ((await client.query(isThere, [tenantId, id])).rowCount === 1) return client;
    client.release(true);
  } catch (error) {
    client.release(error as Error);
  }
  return null;
}

async function snapshotOf(pool: pg.Pool): Promise<pg.PoolClient> {
  const client = await pool.connect();
  try {
    await client.query(snapshot);
    return client;
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}

interface Files {
  readonly pool: pg.Pool;
  /** Read instead where it has the report; absent: none. */
  readonly standby?: { fit(): Promise<pg.Pool | null> };
  readonly log: Logger;
}

/**
 * The rows of a day, as the database sends them. A reader that stops ends the connection.
 * @throws when the number of rows is not the one in the report
 */
async function* rowsOf({ pool, standby }: Files, tenantId: string, report: ReportRow) {
  const client = (await standbyWith(standby, tenantId, report)) ?? (await snapshotOf(pool));
  let failure: Error | undefined = new Error('the file was not read to its end');
  const copy: CopyToStreamQuery & Timed = copyTo(copyOf(tenantId, report));
  copy.query_timeout = deadlineMs;
  // A connection that ends after the last row reports an error to the stream as well.
  copy.on('error', () => {});
  try {
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

async function* fileOf(files: Files, tenantId: string, report: ReportRow) {
  yield headerOf(report);
  yield* rowsOf(files, tenantId, report);
  yield trailerOf(report);
}

/**
 * The CSV file of a report (rules/reports#10): a line of names, one row for each posting, a line of
 * totals. It is not stored. A file without the last line is not whole.
 * @param pool each file holds a connection of it for as long as its reader takes
 */
export function openReportFiles(files: Files): FindDownload {
  const { pool, log } = files;
  const hold = openSlots();

  function begin(tenantId: string, report: ReportRow): Readable {
    const file = Readable.from(fileOf(files, tenantId, report), { objectMode: false });
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
