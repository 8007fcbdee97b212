import type pg from 'pg';
import { epochMs, type Instant } from '../core/instant.ts';

/** A due row that this process holds for a while. */
export interface ClaimedDue {
  readonly tenantId: string;
  readonly what: string;
  readonly ref: string;
  /** Until when, in real time. Whoever finds another value there has lost the row. */
  readonly lease: Instant;
}

interface Row {
  tenant_id: string;
  what: string;
  ref: string;
}

/**
 * Real time as a tenant's due rows see it: while its clock stands at an instant of an advance, the
 * real time at which that instant would have come (decisions 2.5). `t` is the tenant's row, `$1`
 * real time.
 */
export const standingNow =
  "coalesce(t.clock_at - t.clock_offset_ms * interval '1 millisecond', $1::timestamptz)";

const lease = (picked: string) => `with picked as (${picked} for update of d skip locked)
  update due d set lease_until = $2 from picked p
  where d.tenant_id = p.tenant_id and d.what = p.what and d.ref = p.ref
  returning d.tenant_id, d.what, d.ref`;

/** What is due of every tenant, except of those whose clock is being moved: that has its own runner. */
const claimAny = lease(`select d.tenant_id, d.what, d.ref from due d
  join tenants t on t.tenant_id = d.tenant_id
  where d.wake_at <= $1 and (d.lease_until is null or d.lease_until <= $1)
    and t.clock_target is null
  order by d.wake_at limit $3`);

const claimOf = lease(`select d.tenant_id, d.what, d.ref from tenants t
  join due d on d.tenant_id = t.tenant_id
  where t.tenant_id = $4 and d.wake_at <= ${standingNow}
    and (d.lease_until is null or d.lease_until <= $1)
  order by d.wake_at limit $3`);

const backOff = `update due d set lease_until = null,
    wake_at = ${standingNow} + $5::bigint * interval '1 millisecond'
  from tenants t where t.tenant_id = $2 and d.tenant_id = $2 and d.what = $3 and d.ref = $4
    and d.lease_until = $6`;

const heldElsewhere = `select count(*)::integer as held
  from unnest($2::text[], $3::uuid[]) x(what, ref) join due d
    on d.tenant_id = $4 and d.what = x.what and d.ref = x.ref
  where d.wake_at <= $1 and d.lease_until > $1`;

const toRows = (rows: readonly Row[], lease: Instant): ClaimedDue[] =>
  rows.map((row) => ({ tenantId: row.tenant_id, what: row.what, ref: row.ref, lease }));

/** The due table as the loop uses it. Times are real. */
export function openDueStore(pool: pg.Pool) {
  return {
    async claim(now: Instant, leaseUntil: Instant, limit: number): Promise<ClaimedDue[]> {
      const values = [now, leaseUntil, limit];
      const { rows } = await pool.query<Row>({ name: 'claim due', text: claimAny, values });
      return toRows(rows, leaseUntil);
    },

    /** What is due of one tenant, also while its clock is being moved. */
    async claimOf(
      tenantId: string,
      now: Instant,
      leaseUntil: Instant,
      limit: number,
    ): Promise<ClaimedDue[]> {
      const values = [now, leaseUntil, limit, tenantId];
      const { rows } = await pool.query<Row>({ name: 'claim due of', text: claimOf, values });
      return toRows(rows, leaseUntil);
    },

    /** Gives a row back that could not be run; it is due again after `delayMs`. */
    async backOff(row: ClaimedDue, now: Instant, delayMs: number): Promise<void> {
      await pool.query(backOff, [now, row.tenantId, row.what, row.ref, delayMs, row.lease]);
    },

    /** The earliest time after `now` at which anything wakes, in epoch milliseconds. */
    async nextWakeMs(now: Instant): Promise<number> {
      const { rows } = await pool.query<{ next: Instant | null }>({
        name: 'next due',
        text: 'select min(wake_at) as next from due where wake_at > $1',
        values: [now],
      });
      const next = rows[0]?.next ?? null;
      return next === null ? Number.POSITIVE_INFINITY : epochMs(next);
    },

    /** How many of these rows another process is running. */
    async heldElsewhere(
      tenantId: string,
      rows: readonly Pick<ClaimedDue, 'what' | 'ref'>[],
      now: Instant,
    ): Promise<number> {
      const values = [now, rows.map((row) => row.what), rows.map((row) => row.ref), tenantId];
      const found = await pool.query<{ held: number }>(heldElsewhere, values);
      return found.rows[0]?.held ?? 0;
    },
  };
}
