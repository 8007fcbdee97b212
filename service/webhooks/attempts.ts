import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { type StoredText, unpackEvent } from '@tenant-payments/engine/packed_text/event_text.ts';
import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import { sql } from 'kysely';
import type { EventReadContext } from './context.ts';
import { endpointUuidOf } from './further_table.ts';
import { type PackedHeaders, unpackHeaders } from './header_text/header_text.ts';

/** An attempt as the portal shows it (rules/webhooks#17). */
export interface ShownAttempt {
  readonly number: number;
  readonly at: Instant;
  readonly url: string;
  readonly request_headers: Record<string, string>;
  readonly request_body: string;
  readonly response_status: number | null;
  readonly response_headers: Record<string, string> | null;
  readonly response_body: string | null;
  readonly duration_ms: number;
  readonly error: string | null;
}

/** An attempt's headers in its row. */
export interface StoredHeaders {
  readonly request_headers: PackedHeaders;
  readonly response_headers: PackedHeaders | null;
}

/** The headers as they are shown. */
export const headersOf = ({ request_headers, response_headers }: StoredHeaders) => ({
  request_headers: unpackHeaders(request_headers),
  response_headers: response_headers === null ? null : unpackHeaders(response_headers),
});

type Shown = Omit<ShownAttempt, 'number' | 'request_body' | keyof StoredHeaders>;

interface StoredAttempt extends Shown, StoredHeaders, StoredText {
  /** Null: the event has no attempt. */
  readonly number: number | null;
}

/** SQL: the attempts of the event `e` at the first endpoint, or at a further one. */
const attemptsOf = (endpointId: string | undefined) =>
  endpointId === undefined
    ? sql`left join attempts a on a.tenant_id = e.tenant_id and a.event_id = e.id`
    : sql`join further_endpoints f on f.tenant_id = e.tenant_id and f.id = ${endpointUuidOf(endpointId)}
        left join further_attempts a on a.tenant_id = e.tenant_id and a.event_id = e.id
        and a.endpoint_id = f.id`;

/** GET /portal/api/events/{id}/attempts, the first one first. @throws ApiError not_found */
export async function listAttempts(
  { tenantId, db }: EventReadContext,
  { id, endpoint_id }: { readonly id: string; readonly endpoint_id?: string },
): Promise<Page<ShownAttempt>> {
  const uuid = uuidOf('event', id);
  const { rows } = await sql<StoredAttempt>`
    select e.id, e.created_at, e.object_id, e.body, a.number, a.at, a.url, a.request_headers, a.response_status,
      a.response_headers, a.response_body, a.duration_ms, a.error
    from events e ${attemptsOf(endpoint_id)}
    where e.tenant_id = ${tenantId} and e.id = ${uuid}
    order by a.number`.execute(db);
  if (rows.length === 0) throw fail('not_found');
  return wholeList(
    rows.flatMap(({ id, created_at, object_id, body, number, ...row }) =>
      number === null
        ? []
        : [
            {
              ...row,
              ...headersOf(row),
              number,
              request_body: unpackEvent({ id, created_at, object_id, body }),
            },
          ],
    ),
  );
}
