import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { publicId, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import type {
  ApiRequest,
  listRequests as contract,
} from '@tenant-payments/contract/portal/traffic/requests.ts';
import { type RawBuilder, sql } from 'kysely';
import { keyHashOf } from '../../core/batch/idempotency.ts';
import { recordWords } from '../../core/packed_text/record_words.ts';
import type { Page, Position } from '../../core/pages.ts';
import { timesIn } from '../../core/time/query_times.ts';
import type { ReadContext } from '../../resources/read_context.ts';
import { firstIdAt, lastIdAt } from '../../webhooks/list.ts';

/** Pages of the log are ordered by `at`. Its bodies are packed. */
export type RequestRow = Position & Omit<ApiRequest, 'at'>;

const unpacked = (body: string | null) => body && recordWords.unpack(body);

export const requestView = ({ id, created_at, ...row }: RequestRow): ApiRequest => ({
  id: publicId('request', id),
  at: created_at,
  ...row,
  request_body: unpacked(row.request_body),
  response_body: unpacked(row.response_body),
});

/** What `requestView` takes, of `requests`. */
export const requestColumns = sql`id, at as created_at, method, path, status, code, param,
  key_hash is not null as keyed, user_agent, replayed, duration_ms, request_body, response_body`;

const nothing = sql``;

/** `4xx`, or an exact status. Of refusals it is written out that they are some: they have an index. */
function hasStatus(status: string): RawBuilder<unknown> {
  const first = Number(status.replace('xx', '00'));
  const last = status.endsWith('xx') ? first + 99 : first;
  const isRefusal = first >= 400 ? sql`and status >= 400` : nothing;
  return sql`${isRefusal} and status between ${first} and ${last}`;
}

/**
 * GET /portal/api/requests, newest first. The log is redacted when it is written; an unknown
 * request_id is an empty list.
 * @throws ApiError parameter_invalid for a cursor of another list, filter or tenant
 */
export async function listRequests(
  { tenantId, db, pages }: ReadContext,
  query: QueryOf<typeof contract>,
): Promise<Page<ApiRequest>> {
  const { request_id, status, method, path, code, limit = defaultLimit, cursor } = query;
  const { idempotency_key } = query;
  const behind = pages.after(cursor);
  const { from, to } = timesIn(query);
  const { rows } = await sql<RequestRow>`
    select ${requestColumns} from requests
    where tenant_id = ${tenantId}
      ${request_id === undefined ? nothing : sql`and id = ${uuidOf('request', request_id)}`}
      ${behind ? sql`and id < ${behind.id}` : nothing}
      ${status === undefined ? nothing : hasStatus(status)}
      ${method === undefined ? nothing : sql`and method = ${method}`}
      ${path === undefined ? nothing : sql`and starts_with(path, ${path})`}
      ${code === undefined ? nothing : sql`and code = ${code}`}
      ${idempotency_key === undefined ? nothing : sql`and key_hash = ${keyHashOf(idempotency_key)}`}
      ${from ? sql`and at >= ${from} and id >= ${firstIdAt(from)}` : nothing}
      ${to ? sql`and at < ${to} and id <= ${lastIdAt(to)}` : nothing}
    order by id desc limit ${limit + 1}`.execute(db);
  return pages.page(rows, limit, requestView);
}
