import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { publicId, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import type {
  ApiRequest,
  listRequests as contract,
} from '@tenant-payments/contract/portal/requests.ts';
import { sql } from 'kysely';
import type { Page, Position } from '../core/pages.ts';
import type { ReadContext } from '../resources/read_context.ts';

/** Pages of the log are ordered by `at`. */
type Row = Position & Omit<ApiRequest, 'at'>;

const view = ({ id, created_at, ...row }: Row): ApiRequest => ({
  id: publicId('request', id),
  at: created_at,
  ...row,
});

/**
 * GET /portal/api/requests, newest first. The log is redacted when it is written; an unknown
 * request_id is an empty list.
 * @throws ApiError parameter_invalid for a cursor of another list, filter or tenant
 */
export async function listRequests(
  { tenantId, db, pages }: ReadContext,
  { request_id, limit = defaultLimit, cursor }: QueryOf<typeof contract>,
): Promise<Page<ApiRequest>> {
  const behind = pages.after(cursor);
  const { rows } = await sql<Row>`
    select id, at as created_at, method, path, status, code, param, replayed, duration_ms,
      request_body, response_body
    from requests
    where tenant_id = ${tenantId}
      ${request_id === undefined ? sql`` : sql`and id = ${uuidOf('request', request_id)}`}
      ${behind ? sql`and id < ${behind.id}` : sql``}
    order by id desc limit ${limit + 1}`.execute(db);
  return pages.page(rows, limit, view);
}
