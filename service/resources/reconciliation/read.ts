import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import {
  type getReconciliationReport as contract,
  fileLinkSeconds,
  type ReconciliationReport,
} from '@tenant-payments/contract/resources/reports.ts';
import { sql } from 'kysely';
import { fail } from '../../core/fail.ts';
import { shown } from '../../core/table.ts';
import type { DownloadLinks } from '../../http/files/download_links.ts';
import type { ReadContext } from '../read_context.ts';
import { parseDay } from './day.ts';
import { type ReportRow, reconciliationReports } from './table.ts';

/**
 * GET /v1/reports/reconciliation, with a fresh address of its file.
 * @throws ApiError not_found: before 06:00 Eastern Time of the next day, in the future, or before
 *   the Tenant existed (rules/reports#5)
 */
export const getReconciliationReport =
  (links: DownloadLinks) =>
  async (
    { db, tenantId }: ReadContext,
    { date }: QueryOf<typeof contract>,
  ): Promise<ReconciliationReport> => {
    const day = parseDay(date);
    if (day === null) throw fail('not_found');
    const { rows } = await sql<ReportRow>`select * from reconciliation_reports
      where tenant_id = ${tenantId} and day = ${day}`.execute(db);
    const [row] = rows;
    if (!row) throw fail('not_found');
    const target = { kind: 'reconciliation', tenantId, record: row.id } as const;
    const { url, expiresAt } = links.to(target, links.expiryMs(fileLinkSeconds));
    return {
      ...shown(reconciliationReports, row),
      file: { format: 'csv', download_url: url, expires_at: expiresAt },
    };
  };
