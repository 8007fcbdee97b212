import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import type {
  listWebhookEvents as contract,
  Event,
  WebhookEvent,
} from '@tenant-payments/contract/resources/webhook_events.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { firstIdAt } from '@tenant-payments/engine/new_id.ts';
import { type StoredText, unpackEvent } from '@tenant-payments/engine/packed_text/event_text.ts';
import type { Page, Position } from '@tenant-payments/engine/pages.ts';
import { epochMs, type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import { type RawBuilder, sql } from 'kysely';
import type { EventReadContext } from './context.ts';
import { oldestListed } from './resend.ts';
import { type DeliveryRow, deliveryOf } from './table.ts';

type Filters = QueryOf<typeof contract>;
type Row = Position &
  Omit<DeliveryRow, 'status'> &
  StoredText & { status: DeliveryRow['status'] | null };

/** An event without a delivery row is pending (rules/webhooks#4). */
const hasStatus = (status: string): RawBuilder<unknown> =>
  status === 'pending'
    ? sql`and (d.status is null or d.status = 'pending')`
    : sql`and d.status = ${status}`;

const latestMs = epochMs('9999-12-31T23:59:59.999Z');

/** The oldest instant listed: `from`, but never older than the retention of events. */
function sinceOf(from: string | undefined, now: Instant): Instant {
  const oldest = oldestListed(now);
  if (from === undefined) return oldest;
  const fromMs = epochMs(from);
  if (Number.isNaN(fromMs))
    throw fail('parameter_invalid', { param: 'from', details: { reason: 'not_an_instant' } });
  return instantOf(Math.min(Math.max(fromMs, epochMs(oldest)), latestMs));
}

const columns = sql`e.id, e.created_at, e.object_id, e.body, d.status, d.attempts, d.last_attempt_at,
  d.last_response_status, d.next_attempt_at`;
const eventsAndDeliveries = sql`events e
  left join deliveries d on d.tenant_id = e.tenant_id and d.event_id = e.id`;

const viewOf = (row: Row): WebhookEvent => ({
  ...(JSON.parse(unpackEvent(row)) as Event),
  delivery: deliveryOf(row.status === null ? null : { ...row, status: row.status }),
});

/**
 * GET /v1/webhook-events: newest first, 30 days of the tenant's clock. An item is the text that was
 * signed, with the state of its delivery.
 * @throws ApiError parameter_invalid for a foreign cursor, or a `from` that is no instant
 */
export async function listWebhookEvents(
  { tenantId, db, pages, now }: EventReadContext,
  { type, delivery_status, from, limit = defaultLimit, cursor }: Filters,
): Promise<Page<WebhookEvent>> {
  const behind = pages.after(cursor);
  const since = sinceOf(from, await now());
  const { rows } = await sql<Row>`select ${columns} from ${eventsAndDeliveries}
    where e.tenant_id = ${tenantId} and e.created_at >= ${since} and e.id >= ${firstIdAt(since)}
      ${behind ? sql`and e.id < ${behind.id}` : sql``}
      ${type === undefined ? sql`` : sql`and e.type = ${type}`}
      ${delivery_status === undefined ? sql`` : hasStatus(delivery_status)}
    order by e.id desc limit ${limit + 1}`.execute(db);
  return pages.page(rows, limit, viewOf);
}

/** GET /v1/webhook-events/{id}. @throws ApiError not_found: unknown, or older than 30 days */
export async function getWebhookEvent(
  { tenantId, db, now }: EventReadContext,
  { id }: { id: string },
): Promise<WebhookEvent> {
  const { rows } = await sql<Row>`select ${columns} from ${eventsAndDeliveries}
    where e.tenant_id = ${tenantId} and e.id = ${uuidOf('event', id)}
      and e.created_at >= ${oldestListed(await now())}`.execute(db);
  const [row] = rows;
  if (!row) throw fail('not_found');
  return viewOf(row);
}
