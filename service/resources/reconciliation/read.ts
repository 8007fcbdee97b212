import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import {
  type getReconciliationReport as contract,
  fileLinkSeconds,
  type ReconciliationReport,
} from '@tenant-payments/contract/resources/reports.ts';
import { type ApiError, fail } from '@tenant-payments/engine/fail.ts';
import { columnList, shown } from '@tenant-payments/engine/table.ts';
import { epochMs } from '@tenant-payments/engine/time/instant.ts';
import { sql } from 'kysely';
import { readerOf } from '../../http/files/access.ts';
import type { DownloadLinks } from '../../http/files/download_links.ts';
import type { ReadContext } from '../../read_context.ts';
import { type Day, easternDay } from '../limits/days.ts';
import { parseDay, reportableAt } from './day.ts';
import { type ReportRow, reconciliationReports } from './table.ts';

/** Why a day has no report, and when it will have one (rules/reports#5). */
async function notThere({ db, tenantId, now }: ReadContext, day: Day): Promise<ApiError> {
  const { created_at } = await db
    .selectFrom('tenants')
    .where('tenant_id', '=', tenantId)
    .select('created_at')
    .executeTakeFirstOrThrow();
  const firstDay = easternDay(created_at);
  const refusal = (reason: string, facts: object, message: string) =>
    fail('not_found', { param: 'date', details: { reason, ...facts }, message });
  if (day < firstDay)
    return refusal(
      'before_first_day',
      { first_day: firstDay },
      `no report of ${day}: the first day with a report is ${firstDay}`,
    );
  const available_at = reportableAt(day);
  const time = await now();
  const when = `06:00 Eastern Time of the next day, ${available_at}; the clock says ${time}`;
  return refusal(
    epochMs(available_at) > epochMs(time) ? 'not_yet_available' : 'being_made',
    { available_at },
    `no report of ${day} yet: it is made at ${when}`,
  );
}

/**
 * GET /v1/reports/reconciliation, with a fresh address of its file.
 * @throws ApiError not_found: before 06:00 Eastern Time of the next day, in the future, or before
 *   the Tenant existed (rules/reports#5)
 */
export const getReconciliationReport =
  (links: DownloadLinks) =>
  async (
    context: ReadContext,
    { date }: QueryOf<typeof contract>,
  ): Promise<ReconciliationReport> => {
    const { db, tenantId, actor } = context;
    const day = parseDay(date);
    if (day === null) throw fail('not_found');
    const { rows } =
      await sql<ReportRow>`select ${sql.raw(columnList(reconciliationReports))} from reconciliation_reports
      where tenant_id = ${tenantId} and day = ${day}`.execute(db);
    const [row] = rows;
    if (!row) throw await notThere(context, day);
    const target = {
      kind: 'reconciliation',
      tenantId,
      record: row.id,
      reader: readerOf(actor),
    } as const;
    const { url, expiresAt } = links.to(target, links.expiryMs(fileLinkSeconds));
    return {
      ...shown(reconciliationReports, row),
      file: { format: 'csv', download_url: url, expires_at: expiresAt },
    };
  };
