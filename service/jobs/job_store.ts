import { realTimeOfClock, shiftedInstantSql } from '@tenant-payments/engine/time/clock.ts';
import { epochMs, type Instant } from '@tenant-payments/engine/time/instant.ts';
import type pg from 'pg';
import { runsNow } from '../restore/hold.ts';

/** A job that this process holds for a while. */
export interface ClaimedJob {
  readonly tenantId: string;
  readonly name: string;
  readonly ref: string;
  /** Until when, in real time. A process that finds another value there has lost the job. */
  readonly lease: Instant;
  /** Whoever claimed it before has not released it: its process ended, or is late. */
  readonly isAgain?: boolean;
  /** The trace of the command that has asked for it; absent: none. */
  readonly trace?: string;
}

/** A summary of the jobs of all tenants. */
export interface DueJobs {
  /** When the next job becomes due, in epoch milliseconds. */
  readonly nextWakeMs: number;
  /** The tenants with due jobs; `many`: too many to list. */
  readonly waiting: ReadonlySet<string> | 'many';
}

interface Row {
  tenant_id: string;
  name: string;
  ref: string;
  is_again: boolean;
  trace: string | null;
}

const lease = (picked: string) => `with picked as (${picked} for update of d skip locked)
  update jobs d set lease_until = $2 from picked p
  where d.tenant_id = p.tenant_id and d.name = p.name and d.ref = p.ref
  returning d.tenant_id, d.name, d.ref, d.trace, p.lease_until is not null as is_again`;

/**
 * Claims due jobs of all tenants. While a tenant's clock is moved, the advance runs its jobs, except
 * those in real time. A tenant that is stopped to be moved has none (rules/cells#17), and after a restore
 * none that leaves the service (rules/restore#10).
 */
const claimAny = lease(`select d.tenant_id, d.name, d.ref, d.lease_until from jobs d
  join tenants t on t.tenant_id = d.tenant_id
  where d.wake_at <= $1 and (d.lease_until is null or d.lease_until <= $1)
    and (t.clock_target is null or d.real)
    and (t.stopped_until is null or t.stopped_until <= $1)
    and ${runsNow('d.name')}
    and d.name <> all($4::text[])
  order by d.wake_at limit $3`);

const claimOf = lease(`select d.tenant_id, d.name, d.ref, d.lease_until from tenants t
  join jobs d on d.tenant_id = t.tenant_id
  where t.tenant_id = $4 and d.wake_at <= greatest(${realTimeOfClock}, $1::timestamptz)
    and d.wake_at <= case when d.real then $5::timestamptz else ${realTimeOfClock} end
    and (d.lease_until is null or d.lease_until <= $1) and ${runsNow('d.name')}
  order by d.wake_at limit $3`);

/**
 * During an advance a failed job also waits for as long as it has been overdue: one that always fails
 * runs some thirty times in ten years and does not hold the clock.
 */
const backOff = `update jobs d set lease_until = null,
    wake_at = case when d.real or t.clock_at is null then ${shiftedInstantSql('$1::timestamptz', '+ x.delay')}
      else ${shiftedInstantSql(realTimeOfClock, '+ greatest(x.delay, t.clock_at - d.due_at)')} end
  from tenants t, (select $5::bigint * interval '1 millisecond') x(delay)
  where t.tenant_id = $2 and d.tenant_id = $2 and d.name = $3 and d.ref = $4
    and d.lease_until = $6`;

const heldElsewhere = `select count(*)::integer as held
  from unnest($2::text[], $3::uuid[]) x(name, ref) join jobs d
    on d.tenant_id = $4 and d.name = x.name and d.ref = x.ref
  where d.wake_at <= $1 and d.lease_until > $1`;

const dueJobs = `select (select min(wake_at) from jobs where wake_at > $1) as next,
  array(select tenant_id from jobs where wake_at <= $1
    and (lease_until is null or lease_until <= $1) limit $2) as waiting`;

/** Beyond so many due jobs, their tenants are not listed. */
const maximumLookedAt = 1_000;

const toRows = (rows: readonly Row[], lease: Instant): ClaimedJob[] =>
  rows.map(({ tenant_id: tenantId, name, ref, is_again, trace }) => ({
    tenantId,
    name,
    ref,
    lease,
    ...(is_again && { isAgain: true }),
    ...(trace !== null && { trace }),
  }));

/** The table `jobs` as the loop uses it. Times are real. */
export function openJobStore(pool: pg.Pool) {
  return {
    /** @param but names of jobs that are left where they are */
    async claim(
      now: Instant,
      leaseUntil: Instant,
      limit: number,
      but: readonly string[],
    ): Promise<ClaimedJob[]> {
      const values = [now, leaseUntil, limit, but];
      const { rows } = await pool.query<Row>({ name: 'claim jobs', text: claimAny, values });
      return toRows(rows, leaseUntil);
    },

    /**
     * Claims due jobs of one tenant, also while its clock is moved.
     * @param reals also those in real time, which an advance leaves alone
     */
    async claimOf(
      tenantId: string,
      now: Instant,
      leaseUntil: Instant,
      limit: number,
      { reals }: { reals: boolean },
    ): Promise<ClaimedJob[]> {
      const values = [now, leaseUntil, limit, tenantId, reals ? now : null];
      const { rows } = await pool.query<Row>({ name: 'claim jobs of', text: claimOf, values });
      return toRows(rows, leaseUntil);
    },

    /** Releases a job that could not be run; it is due again after `delayMs`. */
    async backOff(row: ClaimedJob, now: Instant, delayMs: number): Promise<void> {
      await pool.query(backOff, [now, row.tenantId, row.name, row.ref, delayMs, row.lease]);
    },

    /** The due jobs that are not claimed, and the time when the next becomes due. */
    async dueJobs(now: Instant): Promise<DueJobs> {
      const { rows } = await pool.query<{ next: Instant | null; waiting: string[] }>({
        name: 'due jobs',
        text: dueJobs,
        values: [now, maximumLookedAt],
      });
      const { next = null, waiting = [] } = rows[0] ?? {};
      return {
        nextWakeMs: next === null ? Number.POSITIVE_INFINITY : epochMs(next),
        waiting: waiting.length < maximumLookedAt ? new Set(waiting) : 'many',
      };
    },

    /** How many of these jobs another process is running. */
    async heldElsewhere(
      tenantId: string,
      rows: readonly Pick<ClaimedJob, 'name' | 'ref'>[],
      now: Instant,
    ): Promise<number> {
      const values = [now, rows.map((row) => row.name), rows.map((row) => row.ref), tenantId];
      const found = await pool.query<{ held: number }>(heldElsewhere, values);
      return found.rows[0]?.held ?? 0;
    },
  };
}
