import type { ErrorCode } from '@tenant-payments/contract/core/errors.ts';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { errorRemedies } from '@tenant-payments/contract/resources/error_remedies.ts';
import { atMost } from '@tenant-payments/engine/at_most.ts';
import { endpointIds } from '@tenant-payments/engine/delivers_to.ts';
import { firstIdAt } from '@tenant-payments/engine/new_id.ts';
import {
  addSeconds,
  epochMs,
  type Instant,
  instantOf,
} from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Overview } from '../../contract/traffic/overview.ts';
import { getWebhookEndpoint } from '../../settings/webhook_endpoint.ts';
import { checklistOf } from './checklist.ts';
import { type EndpointHealth, firstAttempted, healthSql, isAccepted } from './endpoint_health.ts';
import { moneyOf } from './money.ts';

const hourMs = 3_600_000;
const hours = 24;
const maximumCodes = 10;
/** A page that many people leave open asks the database seldom. */
const cachedMs = 5_000;
const maximumCached = 1_000;

/** The 24 hours that end with the one of this instant. */
function hoursUntil(now: Instant): Instant[] {
  const last = Math.floor(epochMs(now) / hourMs) * hourMs;
  return Array.from({ length: hours }, (_, index) =>
    instantOf(last - (hours - 1 - index) * hourMs),
  );
}

/** Each hour, with its row or with nothing in it. */
function filled<Row extends { readonly hour: Instant }>(
  all: readonly Instant[],
  rows: readonly Row[],
  empty: Omit<Row, 'hour'>,
): (Omit<Row, 'hour'> & { hour: Instant })[] {
  const byHour = new Map(rows.map((row) => [row.hour, row]));
  return all.map((hour) => ({ ...empty, ...byHour.get(hour), hour }));
}

type RequestRow = Omit<Overview['requests'][number], 'hour'> & { readonly hour: Instant | null };
type RequestHour = RequestRow & { readonly hour: Instant };

/** Requests by hour, and how fast those of all hours together were answered. */
async function requestHours({ db, tenantId }: ReadContext, all: readonly Instant[]) {
  const [from = ''] = all;
  const { rows } = await sql<RequestRow>`
    select date_trunc('hour', at) as hour, count(*) filter (where status < 400) as ok,
      count(*) filter (where status between 400 and 499) as refused,
      count(*) filter (where status >= 500) as failed,
      percentile_disc(0.5) within group (order by duration_ms) as p50_ms,
      percentile_disc(0.95) within group (order by duration_ms) as p95_ms
    from requests where tenant_id = ${tenantId} and at >= ${from} and id >= ${firstIdAt(from)}
    group by grouping sets ((date_trunc('hour', at)), ())`.execute(db);
  const hours = rows.filter((row): row is RequestHour => row.hour !== null);
  const empty = { ok: 0, refused: 0, failed: 0, p50_ms: null, p95_ms: null };
  const p95_ms = rows.find(({ hour }) => hour === null)?.p95_ms ?? null;
  return { requests: filled(all, hours, empty), p95_ms };
}

type EndpointDay = Overview['delivered_to'][number];
interface DeliveryRow extends EndpointDay {
  readonly hour: Instant;
}

/** Attempts by hour and endpoint: those at the first one, whose id is null, before those of the others. */
async function deliveryRows({ db, tenantId }: ReadContext, from: Instant) {
  const { rows } = await sql<DeliveryRow>`
    select date_trunc('hour', a.at) as hour, a.endpoint_id, f.name as endpoint_name,
      count(*) filter (where ${isAccepted}) as delivered,
      count(*) filter (where not ${isAccepted}) as failed
    from (select tenant_id, event_id, null::uuid as endpoint_id, at, response_status from attempts
        union all select tenant_id, event_id, endpoint_id, at, response_status from further_attempts) a
      left join further_endpoints f on f.tenant_id = a.tenant_id and f.id = a.endpoint_id
    where a.tenant_id = ${tenantId} and a.at >= ${from} and a.event_id >= ${firstAttempted(from)}
    group by 1, 2, 3, f.created_at order by f.created_at nulls first, a.endpoint_id, 1`.execute(db);
  return rows;
}

/** The sums of the rows that have the same key, in the order of the rows. */
function summed<Key>(rows: readonly DeliveryRow[], keyOf: (row: DeliveryRow) => Key) {
  const sums = new Map<Key, DeliveryRow>();
  for (const row of rows) {
    const { delivered = 0, failed = 0 } = sums.get(keyOf(row)) ?? {};
    const sum = { delivered: row.delivered + delivered, failed: row.failed + failed };
    sums.set(keyOf(row), { ...row, ...sum });
  }
  return [...sums.values()];
}

async function deliveriesOf(context: ReadContext, all: readonly Instant[]) {
  const rows = await deliveryRows(context, all[0] ?? '');
  const hours = summed(rows, ({ hour }) => hour);
  return {
    deliveries: filled(
      all,
      hours.map(({ hour, delivered, failed }) => ({ hour, delivered, failed })),
      { delivered: 0, failed: 0 },
    ),
    delivered_to: summed(rows, ({ endpoint_id }) => endpoint_id).map(
      ({ hour: _, endpoint_id, ...day }) => ({
        ...day,
        endpoint_id: endpoint_id && endpointIds.shown(endpoint_id),
      }),
    ),
  };
}

async function endpointOf(context: ReadContext, now: Instant): Promise<Overview['endpoint']> {
  const { db, tenantId } = context;
  const first = firstAttempted(now);
  const { rows } = await healthSql(sql`${tenantId}`, sql`${first}`)
    .$castTo<EndpointHealth>()
    .execute(db);
  const { last_success_at = null, failure_streak = 0 } = rows[0] ?? {};
  return { ...(await getWebhookEndpoint(context)), last_success_at, failure_streak };
}

/** Payments whose end is looked at, at most. */
const paymentsSeen = 10_000;
const paymentsSeconds = 7 * 86_400;

async function paymentsOf({ db, tenantId }: ReadContext, now: Instant) {
  const first = firstIdAt(addSeconds(now, -paymentsSeconds));
  const { rows } = await sql<Overview['payments']>`
    select count(*) filter (where status in ('completed', 'partially_refunded', 'refunded'))
        as completed,
      count(*) filter (where status = 'failed') as failed, count(*) < ${paymentsSeen} as is_all
    from (select status from payments where tenant_id = ${tenantId} and id >= ${first}
      order by id desc limit ${paymentsSeen}) newest`.execute(db);
  return rows[0] ?? { completed: 0, failed: 0, is_all: true };
}

type RefusalRow = Omit<Overview['refusals'][number], 'code' | 'what_to_do'> & {
  readonly code: ErrorCode;
};

async function refusalsOf({ db, tenantId }: ReadContext, from: Instant) {
  const { rows } = await sql<RefusalRow>`
    select code, count(*) as count, max(at) as last_at,
      (array_agg(id order by id desc))[1] as request_id
    from requests where tenant_id = ${tenantId} and code is not null and at >= ${from}
      and id >= ${firstIdAt(from)}
    group by code order by last_at desc, code limit ${maximumCodes}`.execute(db);
  return rows.map((row) => ({
    ...row,
    what_to_do: errorRemedies[row.code],
    request_id: publicId('request', row.request_id),
  }));
}

type Parts = Pick<Service, 'clocks' | 'environment'>;

async function overviewOf({ clocks, environment }: Parts, context: ReadContext) {
  const realNow = instantOf(clocks.realNow());
  const now = await context.now();
  const real = hoursUntil(realNow);
  const [money, payments, requests, deliveries, endpoint, checklist, refusals] = await Promise.all([
    moneyOf(context, now),
    paymentsOf(context, now),
    requestHours(context, real),
    deliveriesOf(context, hoursUntil(now)),
    endpointOf(context, now),
    checklistOf(context, environment),
    refusalsOf(context, real[0] ?? realNow),
  ]);
  const clock = { now, real_now: realNow };
  return { money, payments, ...requests, ...deliveries, clock, endpoint, checklist, refusals };
}

/** GET /portal/api/overview, at most 5 s old (rules/operations#59). */
export function openOverview(parts: Parts) {
  const cache = new LRUCache<string, Promise<Overview>>({
    ...atMost(maximumCached),
    ttl: cachedMs,
  });
  return (context: ReadContext): Promise<Overview> => {
    const { tenantId } = context;
    const before = cache.get(tenantId);
    if (before) return before;
    const made = overviewOf(parts, context);
    cache.set(tenantId, made);
    made.catch(() => cache.delete(tenantId));
    return made;
  };
}
