import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { publicId, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import type { Flow } from '@tenant-payments/contract/resources/sessions.ts';
import { keyHashOf } from '@tenant-payments/engine/batch/idempotency.ts';
import { firstIdAt, lastIdAt } from '@tenant-payments/engine/new_id.ts';
import { type PackedText, recordIn } from '@tenant-payments/engine/packed_text/event_text.ts';
import { recordWords } from '@tenant-payments/engine/packed_text/record_words.ts';
import type { Page, Position } from '@tenant-payments/engine/pages.ts';
import { timesIn } from '@tenant-payments/engine/time/query_times.ts';
import { redactedJson, redactedMark } from '@tenant-payments/service/http/log/redact.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { wayOf } from '@tenant-payments/service/resources/found_page.ts';
import { summaryOf } from '@tenant-payments/service/resources/sessions/open.ts';
import { type RawBuilder, sql } from 'kysely';
import type { ApiRequest, listRequests as contract } from '../../contract/traffic/requests.ts';

/** The columns of a reply that is stored as the event that shows its record. */
interface ShownReply {
  readonly event_id: string | null;
  /** The event's facts: its time, its record's id and its text. */
  readonly shown_at: string;
  readonly shown_id: string;
  readonly shown: PackedText | null;
  readonly once_field: string | null;
  readonly session_id: string | null;
  readonly flow: Flow | null;
  readonly expires_at: string;
}

/** Pages of the log are ordered by `at`. Its bodies are packed. */
export type RequestRow = Position & Omit<ApiRequest, 'at'> & ShownReply;

const unpacked = (body: string | null) => body && recordWords.unpack(body);

/** The reply as it was sent, redacted; null once the event has lost its text. */
function shownReply(row: ShownReply, id: string): string | null {
  const { shown: body, shown_at: created_at, shown_id: object_id, expires_at } = row;
  if (body === null) return null;
  const record = recordIn({ id, created_at, object_id, body });
  const { once_field, session_id, flow } = row;
  if (once_field === null || session_id === null || flow === null) return redactedJson(record);
  const summary = summaryOf({ id: session_id, flow, expires_at }, redactedMark);
  return redactedJson({ ...record, [once_field]: summary });
}

export const requestView = (row: RequestRow): ApiRequest => ({
  id: publicId('request', row.id),
  at: row.created_at,
  method: row.method,
  path: row.path,
  status: row.status,
  code: row.code,
  param: row.param,
  keyed: row.keyed,
  user_agent: row.user_agent,
  refused_in_production: row.refused_in_production,
  replayed: row.replayed,
  duration_ms: row.duration_ms,
  request_body: unpacked(row.request_body),
  response_body: row.event_id ? shownReply(row, row.event_id) : unpacked(row.response_body),
});

/** The columns that `requestView` takes, of `requests r` and `requestJoin`. */
export const requestColumns = sql`r.id, r.at as created_at, r.method, r.path, r.status, r.code, r.param,
  r.key_hash is not null as keyed, r.user_agent, r.refused_in_production, r.replayed, r.duration_ms, r.request_body, r.response_body,
  r.event_id, r.once_field, r.session_id, e.created_at as shown_at, e.object_id as shown_id, e.body as shown,
  s.flow, s.expires_at`;
export const requestJoin = sql`left join events e on e.tenant_id = r.tenant_id and e.id = r.event_id and e.body <> ''
  left join sessions s on s.tenant_id = r.tenant_id and s.id = r.session_id`;

const nothing = sql``;

/** `4xx`, or an exact status. Of refusals it is written out that they are some: they have an index. */
function hasStatus(status: string): RawBuilder<unknown> {
  const first = Number(status.replace('xx', '00'));
  const last = status.endsWith('xx') ? first + 99 : first;
  const isRefusal = first >= 400 ? sql`and r.status >= 400` : nothing;
  return sql`${isRefusal} and r.status between ${first} and ${last}`;
}

/**
 * GET /portal/api/requests, newest first or turned around. The log is redacted when it is written; an unknown
 * request_id is an empty list.
 * @throws ApiError parameter_invalid for a cursor of another list, filter or tenant
 */
export async function listRequests(
  { tenantId, db, pages }: ReadContext,
  query: QueryOf<typeof contract>,
): Promise<Page<ApiRequest>> {
  const { request_id, status, method, path, code, limit = defaultLimit, cursor } = query;
  const { idempotency_key, order } = query;
  const behind = pages.after(cursor);
  const [beyond, way] = wayOf(order);
  const { from, to } = timesIn(query);
  const { rows } = await sql<RequestRow>`
    select ${requestColumns} from requests r ${requestJoin}
    where r.tenant_id = ${tenantId}
      ${request_id === undefined ? nothing : sql`and r.id = ${uuidOf('request', request_id)}`}
      ${behind ? sql`and r.id ${beyond} ${behind.id}` : nothing}
      ${status === undefined ? nothing : hasStatus(status)}
      ${method === undefined ? nothing : sql`and r.method = ${method}`}
      ${path === undefined ? nothing : sql`and starts_with(r.path, ${path})`}
      ${code === undefined ? nothing : sql`and r.code = ${code}`}
      ${idempotency_key === undefined ? nothing : sql`and r.key_hash = ${keyHashOf(idempotency_key)}`}
      ${from ? sql`and r.at >= ${from} and r.id >= ${firstIdAt(from)}` : nothing}
      ${to ? sql`and r.at < ${to} and r.id <= ${lastIdAt(to)}` : nothing}
    order by r.id ${way} limit ${limit + 1}`.execute(db);
  return pages.page(rows, limit, requestView);
}
