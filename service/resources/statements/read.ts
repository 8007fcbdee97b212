import type { ParamsOf, QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import {
  type listStatements as contract,
  type Statement,
  statementLinkSeconds,
} from '@tenant-payments/contract/resources/statements.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Page } from '@tenant-payments/engine/pages.ts';
import { columnList, shown } from '@tenant-payments/engine/table.ts';
import { sql } from 'kysely';
import type { DownloadLinks } from '../../http/files/download_links.ts';
import type { ReadContext } from '../../read_context.ts';
import { type StatementRow, statements } from './table.ts';

/** A statement, or nulls if the page has none. `created_at` is the position of the cursor. */
type Row = StatementRow & { readonly created_at: string };

/** Shows statements, each with a fresh address of its PDF. */
function withAddress(links: DownloadLinks, tenantId: string) {
  const expiresAtMs = links.expiryMs(statementLinkSeconds);
  return (row: StatementRow): Statement => {
    const target = { kind: 'statement', tenantId, record: row.id } as const;
    const { url, expiresAt } = links.to(target, expiresAtMs);
    const fresh = { download_url: url, download_url_expires_at: expiresAt };
    return { ...shown(statements, row), ...fresh };
  };
}

/**
 * GET /v1/accounts/{id}/statements, newest first, each with a fresh address. The first day of a
 * period is its position: periods of an account never overlap.
 * @throws ApiError not_found; parameter_invalid for a bad cursor
 */
export const listStatements =
  (links: DownloadLinks) =>
  async (
    { db, tenantId, pages }: ReadContext,
    { id, limit = defaultLimit, cursor }: ParamsOf<typeof contract> & QueryOf<typeof contract>,
  ): Promise<Page<Statement>> => {
    const behind = pages.after(cursor);
    const accountId = uuidOf('account', id);
    const { rows } = await sql<{ [K in keyof Row]: Row[K] | null }>`
      select ${sql.raw(columnList(statements, 's'))}, s.period_start as created_at
      from accounts a left join lateral (select ${sql.raw(columnList(statements))} from statements
        where tenant_id = ${tenantId} and account_id = a.id
          ${behind === null ? sql`` : sql`and period_start < ${behind.created_at}::date`}
        order by period_start desc limit ${limit + 1}) s on true
      where a.tenant_id = ${tenantId} and a.id = ${accountId}
      order by s.period_start desc`.execute(db);
    // An account without a statement gives one row of nulls; no row means no account.
    if (rows.length === 0) throw fail('not_found');
    const found = rows.flatMap((row) => (row.id === null ? [] : [row as Row]));
    return pages.page(found, limit, withAddress(links, tenantId));
  };

/** GET /v1/statements/{id}, with a fresh address. @throws ApiError not_found */
export const getStatement =
  (links: DownloadLinks) =>
  async ({ tenantId, db }: ReadContext, { id }: { id: string }): Promise<Statement> => {
    const { rows } =
      await sql<StatementRow>`select ${sql.raw(columnList(statements))} from statements
      where tenant_id = ${tenantId} and id = ${uuidOf('statement', id)}`.execute(db);
    const [row] = rows;
    if (!row) throw fail('not_found');
    return withAddress(links, tenantId)(row);
  };
