import { firstIdAt } from '@tenant-payments/engine/new_id.ts';
import { type ClockFacts, tenantNowMs } from '@tenant-payments/engine/time/clock.ts';
import { addSeconds, type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import type { TenantFigures } from '../../contract/operate/tenant_figures.ts';
import { type EndpointHealth, firstAttempted, healthSql } from '../overview/endpoint_health.ts';

/** The columns of a Tenant's row that the staff of the platform see. */
export interface TenantRow extends ClockFacts {
  readonly id: string;
  readonly name: string;
  readonly created_at: Instant;
  readonly suspended_at: Instant | null;
}

export const tenantColumns = sql`tenant_id as id, name, created_at, suspended_at, clock_offset_ms,
  clock_at`;

const daySeconds = 86_400;
/** The days of notices that are counted of disputes. */
const noticeDays = 90;

interface FiguresRow extends EndpointHealth {
  readonly id: string;
  readonly payments: number;
  readonly volume: number;
  readonly requests: number;
  readonly refused: number;
  readonly failed: number;
  readonly total: number;
  readonly purchase_disputes: number;
  readonly reclassified: number;
  readonly reasserted: number;
  readonly url: string | null;
  readonly enabled: boolean | null;
}

/** The questions about one Tenant; each has a clock of its own. */
function askedOf({ id }: TenantRow, now: Instant, realNow: Instant) {
  const realFrom = addSeconds(realNow, -daySeconds);
  return {
    id,
    paid_from: addSeconds(now, -daySeconds),
    noticed_from: addSeconds(now, -noticeDays * daySeconds),
    first_attempted: firstAttempted(now),
    requested_from: realFrom,
    first_request: firstIdAt(realFrom),
  };
}

/**
 * The figures of all of them by one query, each part by its index. A payment is credited once, when it
 * completes: payments themselves have no index by their completion.
 */
async function readFigures(
  db: ReadContext['db'],
  asked: readonly ReturnType<typeof askedOf>[],
): Promise<ReadonlyMap<string, FiguresRow>> {
  const { rows } = await sql<FiguresRow>`
    select t.id, p.*, d.*, r.*, h.*, w.url, w.enabled
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as t(id uuid, paid_from timestamptz,
      noticed_from timestamptz,
      first_attempted uuid, requested_from timestamptz, first_request uuid)
    cross join lateral (select count(*) as payments, coalesce(sum(amount), 0)::bigint as volume
      from entries where tenant_id = t.id and transaction_type = 'payment_received'
        and coalesce(posted_at, created_at) >= t.paid_from) p
    cross join lateral (select count(*) as total,
        count(*) filter (where type = 'purchase_dispute') as purchase_disputes,
        count(*) filter (where handled_as <> type) as reclassified,
        count(*) filter (where reasserted_of is not null) as reasserted
      from disputes where tenant_id = t.id and created_at >= t.noticed_from) d
    cross join lateral (select count(*) as requests,
        count(*) filter (where status between 400 and 499) as refused,
        count(*) filter (where status >= 500) as failed
      from requests where tenant_id = t.id and id >= t.first_request
        and at >= t.requested_from) r
    cross join lateral (${healthSql(sql`t.id`, sql`t.first_attempted`)}) h
    left join webhook_endpoints w on w.tenant_id = t.id`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

function figuresOf(tenant: TenantRow, now: Instant, row: FiguresRow | undefined): TenantFigures {
  if (!row) throw new Error('every Tenant that is asked for has figures');
  const { payments, volume, requests, refused, failed, url, enabled } = row;
  const { last_success_at, failure_streak } = row;
  const { total, purchase_disputes, reclassified, reasserted } = row;
  const { id, name, created_at, suspended_at } = tenant;
  return {
    id,
    object: 'tenant',
    name,
    created_at,
    suspended_at,
    now,
    endpoint: {
      host: url === null ? null : new URL(url).host,
      enabled: enabled ?? false,
      last_success_at,
      failure_streak,
    },
    last_day: { payments, volume, requests, refused, failed },
    notices: { total, purchase_disputes, reclassified, reasserted },
  };
}

/** The figures that a list shows of these Tenants, by their ids. */
export async function figuresOfAll(
  { clocks }: Pick<Service, 'clocks'>,
  db: ReadContext['db'],
  tenants: readonly TenantRow[],
): Promise<ReadonlyMap<string, TenantFigures>> {
  const realNowMs = clocks.realNow();
  const placed = tenants.map((tenant) => {
    return { tenant, now: instantOf(tenantNowMs(tenant, realNowMs)) };
  });
  const realNow = instantOf(realNowMs);
  const asked = placed.map(({ tenant, now }) => askedOf(tenant, now, realNow));
  const rows = await readFigures(db, asked);
  return new Map(
    placed.map(({ tenant, now }) => [tenant.id, figuresOf(tenant, now, rows.get(tenant.id))]),
  );
}
