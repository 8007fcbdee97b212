import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import { listDisputes } from '@tenant-payments/contract/portal/disputes.ts';
import * as contract from '@tenant-payments/contract/portal/lists.ts';
import { sql } from 'kysely';
import type { Page, Position } from '../core/pages.ts';
import { type AnyTable, shown } from '../core/table.ts';
import { customers } from '../resources/customers/table.ts';
import { caseView } from '../resources/disputes/case_view.ts';
import { type DisputeRow, disputes } from '../resources/disputes/table.ts';
import { loads } from '../resources/loads/table.ts';
import { paymentRequests } from '../resources/payment_requests/table.ts';
import { payments } from '../resources/payments/table.ts';
import type { ReadContext } from '../resources/read_context.ts';
import { refunds } from '../resources/refunds/table.ts';
import { sessions } from '../resources/sessions/table.ts';
import { withdrawals } from '../resources/withdrawals/table.ts';

/** Every list of records: its operation, with path and statuses, and its table. */
export const recordLists = [
  { endpoint: contract.listCustomers, table: customers },
  { endpoint: contract.listPayments, table: payments },
  { endpoint: contract.listLoads, table: loads },
  { endpoint: contract.listWithdrawals, table: withdrawals },
  { endpoint: contract.listRefunds, table: refunds },
  { endpoint: contract.listPaymentRequests, table: paymentRequests },
  { endpoint: contract.listSessions, table: sessions },
  { endpoint: listDisputes, table: disputes },
] as const;

/** Records that the portal shows with more fields than the API. */
const views: Readonly<Record<string, (row: object) => object>> = {
  disputes: (row) => caseView(row as DisputeRow),
};

interface Query {
  readonly status?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

/**
 * GET /portal/api/{customers,payments,…}: newest first, each record as the API shows it. Ids are
 * UUIDv7, so the primary key alone gives order and pages.
 * @throws ApiError parameter_invalid for a cursor of another list, filter or tenant
 */
export const listRecords =
  (table: AnyTable) =>
  async (
    { tenantId, db, pages }: ReadContext,
    { status, limit = defaultLimit, cursor }: Query,
  ): Promise<Page<object>> => {
    const behind = pages.after(cursor);
    const { rows } = await sql<Position>`
      select * from ${sql.table(table.name)}
      where tenant_id = ${tenantId}
        ${behind ? sql`and id < ${behind.id}` : sql``}
        ${status === undefined ? sql`` : sql`and status = ${status}`}
      order by id desc limit ${limit + 1}`.execute(db);
    const view = views[table.name] ?? ((row) => shown(table, row));
    return pages.page(rows, limit, view);
  };
