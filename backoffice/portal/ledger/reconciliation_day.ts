import { columnList } from '@tenant-payments/engine/table.ts';
import type { DownloadLinks } from '@tenant-payments/service/http/files/download_links.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { addDays } from '@tenant-payments/service/resources/limits/days.ts';
import type { Query } from '@tenant-payments/service/resources/reconciliation/closed_period.ts';
import { getReconciliationReport } from '@tenant-payments/service/resources/reconciliation/read.ts';
import {
  type ReportRow,
  reconciliationReports,
} from '@tenant-payments/service/resources/reconciliation/table.ts';
import { closingOf, readTotals } from '@tenant-payments/service/resources/reconciliation/totals.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import {
  type DayFigure,
  dayFigures,
  type ReconciliationDay,
} from '../../contract/records/reconciliation.ts';

async function rowOf({ db, tenantId }: ReadContext, day: string): Promise<ReportRow | null> {
  const { rows } =
    await sql<ReportRow>`select ${sql.raw(columnList(reconciliationReports))} from reconciliation_reports
    where tenant_id = ${tenantId} and day = ${day}`.execute(db);
  return rows[0] ?? null;
}

/**
 * GET /portal/api/reconciliation-reports/{date} (rules/reports#24).
 * @throws ApiError not_found: the day has no report, and why
 */
export const getReconciliationDay =
  ({ pool }: Pick<Service, 'pool'>, links: DownloadLinks) =>
  async (context: ReadContext, { date }: { date: string }): Promise<ReconciliationDay> => {
    const report = await getReconciliationReport(links)(context, { date });
    const query: Query = async (text, values) => (await pool.query(text, values)).rows;
    const [row, before, totals] = await Promise.all([
      rowOf(context, date),
      rowOf(context, addDays(date, -1)),
      readTotals(query, context.tenantId, date),
    ]);
    const opening_balance = before?.closing_balance ?? 0;
    const ledger: Record<DayFigure, number> = {
      ...totals,
      opening_balance,
      closing_balance: closingOf(opening_balance, totals),
    };
    const figures = dayFigures.map((name) => ({
      name,
      reported: row?.[name] ?? 0,
      ledger: ledger[name],
    }));
    return { report, ties: figures.every(({ reported, ledger }) => reported === ledger), figures };
  };
