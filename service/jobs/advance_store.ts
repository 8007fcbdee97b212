import { ownTransaction } from '@tenant-payments/engine/join_transaction.ts';
import { type ClockFacts, shiftedInstantSql } from '@tenant-payments/engine/time/clock.ts';
import { epochMs, type Instant } from '@tenant-payments/engine/time/instant.ts';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../database.ts';
import { deliversNow, runsNow } from '../restore/hold.ts';

/** A tenant's clock, with the target of its advance. */
export interface ClockRow extends ClockFacts {
  readonly clock_target: Instant | null;
}

/** The state of an advance. Wake times are in real time, computed by the clock's present offset. */
export interface AdvanceState {
  readonly clock_at: Instant;
  readonly clock_target: Instant;
  readonly clock_offset_ms: number;
  /** The earliest wake time of a job up to the target; null: there is none. */
  readonly jobWake: Instant | null;
  /** The earliest wake time of a delivery up to the target; null: there is none. */
  readonly deliveryWake: Instant | null;
}

/** Further writes of the transaction that begins an advance. */
export type AlsoAtBegin = (tx: Transaction<Database>) => Promise<void>;

/** SQL on `tenants t`: a column with an instant of the tenant's clock, as real time. */
const wakeOf = (instant: string) =>
  sql.raw<Instant>(shiftedInstantSql(`t.${instant}`, "- t.clock_offset_ms * interval '1 ms'"));

/** Conditions for the rows that an advance runs through; jobs in real time are left out. */
const followsClock = {
  jobs: sql`not real`,
  deliveries: sql`true`,
  further_deliveries: sql`true`,
} as const;
/** Conditions that leave out the rows that a restore holds. */
const isFree = {
  jobs: sql.raw(runsNow('name')),
  deliveries: sql.raw(deliversNow),
  further_deliveries: sql.raw(deliversNow),
} as const;
type Waking = keyof typeof followsClock;

async function lock(
  tx: Transaction<Database>,
  tenantId: string,
): Promise<ClockRow & { clock_lease_until: Instant | null }> {
  const { rows } = await sql<ClockRow & { clock_lease_until: Instant | null }>`
    select clock_offset_ms, clock_at, clock_target, clock_lease_until from tenants
    where tenant_id = ${tenantId} for no key update`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error('the tenant is gone');
  return row;
}

/** Every change of a clock raises the tenant's revision, so that no batch runs across it. */
export function openAdvanceStore(db: Kysely<Database>) {
  return {
    async clockOf(tenantId: string): Promise<ClockRow> {
      const { rows } = await sql<ClockRow>`
        select clock_offset_ms, clock_at, clock_target from tenants
        where tenant_id = ${tenantId}`.execute(db);
      const [row] = rows;
      if (!row) throw new Error('the tenant is gone');
      return row;
    },

    /**
     * Begins an advance at the clock's present instant.
     * @param plan sets the target; it may throw a refusal, which changes nothing
     */
    async begin(
      tenantId: string,
      lease: Instant,
      plan: (row: ClockRow) => { now: Instant; target: Instant },
      also: AlsoAtBegin = async () => {},
    ): Promise<void> {
      await ownTransaction(db, async (tx) => {
        const { now, target } = plan(await lock(tx, tenantId));
        await sql`update tenants set clock_target = ${target}, clock_at = ${now},
            clock_lease_until = ${lease}, revision = revision + 1
          where tenant_id = ${tenantId}`.execute(tx);
        await also(tx);
      });
    },

    /** Tenants with an advance that no process works on: it died, or stopped. */
    async abandoned(now: Instant): Promise<string[]> {
      const { rows } = await sql<{ tenant_id: string }>`
        select tenant_id from tenants where clock_target is not null
          and (clock_lease_until is null or clock_lease_until <= ${now})`.execute(db);
      return rows.map((row) => row.tenant_id);
    },

    /** Takes or renews the lease. @returns false when another process holds it */
    async hold(tenantId: string, held: Instant | null, lease: Instant, now: Instant) {
      const { numAffectedRows } = await sql`update tenants set clock_lease_until = ${lease}
        where tenant_id = ${tenantId} and clock_target is not null
          and (clock_lease_until is null or clock_lease_until = ${held}
            or clock_lease_until <= ${now})`.execute(db);
      return numAffectedRows === 1n;
    },

    /** Reads the state of an advance. @param only `ahead`: without deliveries that are due already */
    async look(tenantId: string, only: 'all' | 'ahead' = 'all'): Promise<AdvanceState | null> {
      const ahead = only === 'ahead' ? sql`and wake_at > ${wakeOf('clock_at')}` : sql``;
      const earliest = (table: Waking) =>
        sql`(select min(wake_at) from ${sql.table(table)}
          where tenant_id = t.tenant_id and wake_at <= ${wakeOf('clock_target')}
            and ${followsClock[table]} and ${isFree[table]} ${table === 'jobs' ? sql`` : ahead})`;
      const { rows } = await sql<AdvanceState>`
        select t.clock_at, t.clock_target, t.clock_offset_ms,
          ${earliest('jobs')} as "jobWake",
          least(${earliest('deliveries')}, ${earliest('further_deliveries')}) as "deliveryWake"
        from tenants t where t.tenant_id = ${tenantId} and t.clock_target is not null`.execute(db);
      return rows[0] ?? null;
    },

    /** Sets the clock to an instant before the target. @returns false when the lease is lost */
    async step(tenantId: string, at: Instant, held: Instant, lease: Instant): Promise<boolean> {
      const { numAffectedRows } = await sql`update tenants
        set clock_at = ${at}, clock_lease_until = ${lease}, revision = revision + 1
        where tenant_id = ${tenantId} and clock_lease_until = ${held}`.execute(db);
      return numAffectedRows === 1n;
    },

    /** Ends an advance: the clock runs on from the target, and all wake times follow the new offset. */
    async finish(tenantId: string, held: Instant, realMs: number): Promise<void> {
      await db.transaction().execute(async (tx) => {
        const row = await lock(tx, tenantId);
        if (row.clock_target === null || row.clock_lease_until !== held) return;
        // If real time has passed the target meanwhile, the clock shows real time: it never goes back.
        const offsetMs = Math.max(epochMs(row.clock_target) - realMs, row.clock_offset_ms);
        await sql`update tenants set clock_offset_ms = ${offsetMs}, clock_at = null,
            clock_target = null, clock_lease_until = null, revision = revision + 1
          where tenant_id = ${tenantId}`.execute(tx);
        const wake = sql.raw<Instant>(
          shiftedInstantSql('due_at', `- ${offsetMs} * interval '1 ms'`),
        );
        await sql`update jobs set wake_at = ${wake}
          where tenant_id = ${tenantId} and ${followsClock.jobs}`.execute(tx);
        for (const table of ['deliveries', 'further_deliveries'])
          await sql`update ${sql.table(table)} set wake_at = ${wake}, revision = revision + 1
            where tenant_id = ${tenantId} and wake_at is not null`.execute(tx);
      });
    },

    /** Number of jobs and deliveries still due up to the target. */
    async pending(tenantId: string): Promise<number> {
      const count = (table: Waking) =>
        sql`(select count(*) from ${sql.table(table)}
          where tenant_id = t.tenant_id and wake_at <= ${wakeOf('clock_target')}
            and ${followsClock[table]} and ${isFree[table]})`;
      const { rows } = await sql<{ pending: number }>`
        select ${count('jobs')} + ${count('deliveries')} + ${count('further_deliveries')} as pending
        from tenants t where t.tenant_id = ${tenantId} and t.clock_target is not null`.execute(db);
      return rows[0]?.pending ?? 0;
    },
  };
}
