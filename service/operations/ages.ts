import { endpointIds } from '@tenant-payments/engine/delivers_to.ts';
import type { Clocks } from '@tenant-payments/engine/time/clock.ts';
import { epochMs, type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type pg from 'pg';
import { openBelieved } from './believed.ts';

/** How long the oldest delivery, attempt and job have waited, in seconds; 0 when none waits. */
export interface Ages {
  readonly webhookOldest: number;
  readonly webhookOverdue: number;
  readonly jobsOldest: number;
  /** How late the most overdue attempt is, of the endpoints where it is latest. */
  readonly ofEndpoints: readonly {
    readonly tenant: string;
    /** `first`, or the id of a further one. */
    readonly endpoint: string;
    readonly seconds: number;
  }[];
}

interface Row {
  readonly undelivered: Instant | null;
  readonly delivery: Instant | null;
  readonly jobs: Instant | null;
}

/**
 * The oldest waits of all tenants, each from one end of an index. An event waits since its first attempt, or since its
 * first attempt was due. Only the 5,000 with the latest next attempt are read: the offsets grow, so the oldest are
 * among them.
 */
const oldest = `select
  least((select min(wake_at) from deliveries where wake_at <= $1),
    (select min(wake_at) from further_deliveries where wake_at <= $1)) as delivery,
  (select min(wake_at) from jobs where wake_at <= $1) as jobs,
  (select min(coalesce(d.first_attempt_at, d.due_at)
      - t.clock_offset_ms * interval '1 millisecond')
    from ((select tenant_id, first_attempt_at, due_at from deliveries
      where wake_at is not null order by wake_at desc limit 5000) union all
      (select tenant_id, first_attempt_at, due_at from further_deliveries
      where wake_at is not null order by wake_at desc limit 5000)) d
    join tenants t on t.tenant_id = d.tenant_id) as undelivered`;

/** The most endpoints with a series; the series of the others are 0. */
const endpointsShown = 20;

/**
 * The lateness of each endpoint, of the 5,000 deliveries of each kind that are due first: the index gives them in their
 * order.
 */
const lateOfEndpoints = `select tenant_id, endpoint_id, min(wake_at) as due from (
    (select tenant_id, null::uuid as endpoint_id, wake_at from deliveries
      where wake_at <= $1 order by wake_at limit 5000) union all
    (select tenant_id, endpoint_id, wake_at from further_deliveries
      where wake_at <= $1 order by wake_at limit 5000)) d
  group by tenant_id, endpoint_id order by due limit ${endpointsShown}`;

interface Late {
  readonly tenant_id: string;
  /** Null: the first. */
  readonly endpoint_id: string | null;
  readonly due: Instant;
}

export interface AgesContext {
  readonly pool: pg.Pool;
  readonly clocks: Pick<Clocks, 'realNow'>;
}

/** Reads the ages from the database; the result is null when the database does not answer. */
export function openAges({ pool, clocks }: AgesContext): () => Promise<Ages | null> {
  async function readAges(): Promise<Ages> {
    const nowMs = clocks.realNow();
    const since = (at: Instant | null | undefined) =>
      at ? Math.max(0, nowMs - epochMs(at)) / 1_000 : 0;
    const values = [instantOf(nowMs)];
    const [{ rows }, late] = await Promise.all([
      pool.query<Row>({ name: 'oldest waiting', text: oldest, values }),
      pool.query<Late>({ name: 'late of endpoints', text: lateOfEndpoints, values }),
    ]);
    return {
      webhookOldest: since(rows[0]?.undelivered),
      webhookOverdue: since(rows[0]?.delivery),
      jobsOldest: since(rows[0]?.jobs),
      ofEndpoints: late.rows.map(({ tenant_id, endpoint_id, due }) => ({
        tenant: tenant_id,
        endpoint: endpoint_id === null ? 'first' : endpointIds.shown(endpoint_id),
        seconds: since(due),
      })),
    };
  }

  return openBelieved(readAges);
}
