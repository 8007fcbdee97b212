import {
  fileLinkSeconds,
  type ReconciliationReport,
} from '@tenant-payments/contract/resources/reports.ts';
import {
  type Statement,
  statementLinkSeconds,
} from '@tenant-payments/contract/resources/statements.ts';
import type { Page, Position } from '@tenant-payments/engine/pages.ts';
import { shown } from '@tenant-payments/engine/table.ts';
import { readerOf } from '@tenant-payments/service/http/files/access.ts';
import type { DownloadLinks } from '@tenant-payments/service/http/files/download_links.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import {
  foundPage,
  type ListedTable,
  type ListQuery,
} from '@tenant-payments/service/resources/found_page.ts';
import {
  type ReportRow,
  reconciliationReports,
} from '@tenant-payments/service/resources/reconciliation/table.ts';
import {
  type StatementRow,
  statements,
} from '@tenant-payments/service/resources/statements/table.ts';
import { sql } from 'kysely';

/** Lists of what has a file: each row has a fresh address of it (rules/operations#57). */

const ofAccounts = (uuid: string | null, tenantId: string) => [
  sql`account_id = (select account_id from customers where tenant_id = ${tenantId} and id = ${uuid})`,
];

const statementList: ListedTable = {
  table: statements,
  made: 'available_at',
  ofCustomer: ofAccounts,
};
const reportList: ListedTable = { table: reconciliationReports, made: 'generated_at' };

/** GET /portal/api/statements @throws ApiError parameter_invalid for a cursor of another list */
export const listStatements =
  (links: DownloadLinks) =>
  (context: ReadContext, query: ListQuery): Promise<Page<Statement>> => {
    const expiresAtMs = links.expiryMs(statementLinkSeconds);
    const { tenantId, actor } = context;
    const reader = readerOf(actor);
    return foundPage<StatementRow & Position, Statement>(context, statementList, query, (row) => {
      const { url, expiresAt } = links.to(
        { kind: 'statement', tenantId, record: row.id, reader },
        expiresAtMs,
      );
      const fresh = { download_url: url, download_url_expires_at: expiresAt };
      return { ...shown(statements, row), ...fresh };
    });
  };

/** GET /portal/api/reconciliation-reports @throws ApiError parameter_invalid: as above */
export const listReports =
  (links: DownloadLinks) =>
  (context: ReadContext, query: ListQuery): Promise<Page<ReconciliationReport>> => {
    const expiresAtMs = links.expiryMs(fileLinkSeconds);
    const { tenantId, actor } = context;
    const reader = readerOf(actor);
    return foundPage<ReportRow & Position, ReconciliationReport>(
      context,
      reportList,
      query,
      (row) => {
        const target = { kind: 'reconciliation', tenantId, record: row.id, reader } as const;
        const { url, expiresAt } = links.to(target, expiresAtMs);
        const file = { format: 'csv', download_url: url, expires_at: expiresAt } as const;
        return { ...shown(reconciliationReports, row), file };
      },
    );
  };
