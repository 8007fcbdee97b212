import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { columnList } from '@tenant-payments/engine/table.ts';
import type pg from 'pg';
import type { Logger } from 'pino';
import {
  type Download,
  type FileLanguage,
  type FindDownload,
  isReaderGone,
  openSlots,
} from '../../http/files/downloads.ts';
import { readContent } from './content.ts';
import { statementPdf } from './pdf.ts';
import { type StatementRow, statements } from './table.ts';

/**
 * The PDF of a statement, written at each download: the period is over, so its balances and
 * Transactions never change.
 */
export function openStatementFiles({ pool, log }: { pool: pg.Pool; log: Logger }): FindDownload {
  const hold = openSlots();

  async function open(tenantId: string, statement: StatementRow, language: FileLanguage) {
    const file = await statementPdf(await readContent(pool, tenantId, statement), language);
    file.once('error', (error) => {
      if (isReaderGone(error)) return;
      const facts = { tenant_id: tenantId, statement_id: statement.id, fault: faultFacts(error) };
      log.error({ alarm: 'file', ...facts }, 'the PDF of a statement broke off');
    });
    return file;
  }

  return async (tenantId, record, language): Promise<Download | null> => {
    const { rows } = await pool.query<StatementRow>(
      `select ${columnList(statements)} from statements where tenant_id = $1 and id = $2`,
      [tenantId, record],
    );
    const [statement] = rows;
    return statement
      ? {
          contentType: 'application/pdf',
          fileName: `statement-${statement.period_start}-${statement.period_end}.pdf`,
          open: () => hold(tenantId, () => open(tenantId, statement, language)),
        }
      : null;
  };
}
