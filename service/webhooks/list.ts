import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import type {
  listWebhookEvents as contract,
  Event,
  WebhookEvent,
} from '@tenant-payments/contract/resources/webhook_events.ts';
import { type RawBuilder, sql } from 'kysely';
import { fail } from '../core/fail.ts';
import { epochMs, type Instant, instantOf } from '../core/instant.ts';
import type { Page, Position } from '../http/pages.ts';
import type { ReadContext } from '../service.ts';
import { oldestListed } from './resend.ts';
import { type DeliveryRow, deliveryOf } from './table.ts';

type Filters = QueryOf<typeof contract>;
type Row = Position &
  Omit<DeliveryRow, 'status'> & { body: string; status: DeliveryRow['status'] | null };

/** The pages of `limit` default to this when a caller gives none (contract: Limits). */
const defaultLimit = 25;
/** An event's id holds the time at which it was written, which `created_at` follows closely. */
const idSlackMs = 3_600_000;

/** The smallest UUIDv7 of a moment: the primary key is the order of time. */
function firstIdAt(instant: Instant): string {
  const time = Math.max(0, epochMs(instant) - idSlackMs)
    .toString(16)
    .padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** An event that nobody waited for has no delivery yet, and is pending (decisions 1.1). */
const hasStatus = (status: string): RawBuilder<unknown> =>
  status === 'pending'
    ? sql`and (d.status is null or d.status = 'pending')`
    : sql`and d.status = ${status}`;

const latestMs = epochMs('9999-12-31T23:59:59.999Z');

/** Where the list ends: at `from`, and never before what is kept. */
function sinceOf(from: string | undefined, now: Instant): Instant {
  const oldest = oldestListed(now);
  if (from === undefined) return oldest;
  const fromMs = epochMs(from);
  if (Number.isNaN(fromMs))
    throw fail('parameter_invalid', { param: 'from', details: { reason: 'not_an_instant' } });
  return instantOf(Math.min(Math.max(fromMs, epochMs(oldest)), latestMs));
}

/**
 * GET /v1/webhook-events: newest first, 30 days of the tenant's clock (contract: Delivery 6). An
 * item is the text that was signed, and how its delivery stands.
 * @throws ApiError parameter_invalid for a foreign cursor, or a `from` that is no moment
 */
export async function listWebhookEvents(
  { tenantId, db, pages, now }: ReadContext,
  { type, delivery_status, from, limit = defaultLimit, cursor }: Filters,
): Promise<Page<WebhookEvent>> {
  const behind = pages.after(cursor);
  const since = sinceOf(from, await now());
  const { rows } = await sql<Row>`
    select e.id, e.created_at, e.body, d.status, d.attempts, d.last_attempt_at,
      d.last_response_status, d.next_attempt_at
    from events e left join deliveries d on d.tenant_id = e.tenant_id and d.event_id = e.id
    where e.tenant_id = ${tenantId} and e.created_at >= ${since} and e.id >= ${firstIdAt(since)}
      ${behind ? sql`and e.id < ${behind.id}` : sql``}
      ${type === undefined ? sql`` : sql`and e.type = ${type}`}
      ${delivery_status === undefined ? sql`` : hasStatus(delivery_status)}
    order by e.id desc limit ${limit + 1}`.execute(db);
  return pages.page(rows, limit, (row) => ({
    ...(JSON.parse(row.body) as Event),
    delivery: deliveryOf(row.status === null ? null : { ...row, status: row.status }),
  }));
}
