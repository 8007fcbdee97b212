import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import type {
  listDisputes as contract,
  Dispute,
} from '@tenant-payments/contract/resources/disputes.ts';
import type { Page } from '@tenant-payments/engine/pages.ts';
import { columnList, shown } from '@tenant-payments/engine/table.ts';
import { sql } from 'kysely';
import type { ReadContext } from '../../read_context.ts';
import { listRecords, namedIn } from '../found_page.ts';
import { getRecord } from '../get_record.ts';
import { type DisputeRow, disputes } from './table.ts';

/** The disputes with the Tenant's own references, found as in the other lists (rules/reads#8). */
const listByMetadata = listRecords({ table: disputes, ofCustomer: namedIn('customer_id') });

/**
 * GET /v1/disputes, newest first; an empty list for an unknown customer (rules/errors#19).
 * @throws ApiError parameter_invalid for a cursor of another list, filter or tenant
 */
export async function listDisputes(
  context: ReadContext,
  query: QueryOf<typeof contract>,
): Promise<Page<Dispute>> {
  if (query.metadata !== undefined) return listByMetadata(context, query);
  const { tenantId, db, pages } = context;
  const { customer_id, status, limit = defaultLimit, cursor } = query;
  const behind = pages.after(cursor);
  const customerId = customer_id === undefined ? null : uuidOf('customer', customer_id);
  const { rows } = await sql<DisputeRow>`
    select ${sql.raw(columnList(disputes))} from disputes where tenant_id = ${tenantId}
      ${customer_id === undefined ? sql`` : sql`and customer_id = ${customerId}`}
      ${status === undefined ? sql`` : sql`and status = ${status}`}
      ${behind ? sql`and (created_at, id) < (${behind.created_at}::timestamptz, ${behind.id}::uuid)` : sql``}
    order by created_at desc, id desc limit ${limit + 1}`.execute(db);
  return pages.page(rows, limit, (row) => shown(disputes, row));
}

/** GET /v1/disputes/{id}. @throws ApiError not_found */
export const getDispute = getRecord(disputes, 'dispute');
