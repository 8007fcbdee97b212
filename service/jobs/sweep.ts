import { keyInCell } from '@tenant-payments/engine/advisory_lock.ts';
import { runLoop } from '@tenant-payments/engine/loop/run_loop.ts';
import { platformId } from '@tenant-payments/engine/platform.ts';
import { shiftedInstantSql } from '@tenant-payments/engine/time/clock.ts';
import { removeOldAlarms } from '../alarms/alarm_log.ts';
import type { Service } from '../service.ts';

const daySeconds = 24 * 3_600;
/** Advisory lock of the sweep: a process that does not get it does nothing. */
const lock = 4_207_713_031;
/** The most rows that one statement deletes, so that no statement takes long. */
const atOnce = 5_000;
const firstAfterMs = 60_000;
const everyMs = daySeconds * 1_000;

/** Rows to delete at some age, by their tenant's clock unless `isReal`. */
interface SweepRule {
  readonly table: string;
  /** The column from which the age counts. */
  readonly column: string;
  /** The age at which they are deleted. */
  readonly ageSeconds: number;
  /** The age counts in real time, whatever the clock of their tenant does. */
  readonly isReal?: true;
  /** SQL on the table as `s`: the rows that may be deleted; absent: all. */
  readonly only?: string;
}

/** Access tokens are not in this list: they are deleted where they are issued, by real time. */
const sweepRules: readonly SweepRule[] = [
  // A key is free again after 30 days (rules/idempotency#4).
  { table: 'idempotency', column: 'created_at', ageSeconds: 30 * daySeconds },
  { table: 'exchanges', column: 'asked_at', ageSeconds: 30 * daySeconds },
  { table: 'link_tokens', column: 'expires_at', ageSeconds: daySeconds },
  // A message that comes once more after this changes nothing: its record has moved on (rules/retention#16).
  {
    table: 'rail_messages',
    column: 'received_at',
    ageSeconds: 90 * daySeconds,
    isReal: true,
    only: `s.state = 'taken'`,
  },
  {
    table: 'rail_messages',
    column: 'received_at',
    ageSeconds: 400 * daySeconds,
    isReal: true,
    only: 's.closed_at is not null',
  },
  // A provider remembers which of our messages an id of its own names, and asks about none older (rules/retention#1).
  {
    table: 'rail_objects',
    column: 'updated_at',
    ageSeconds: 90 * daySeconds,
    only: `s.kind = 'message'`,
  },
  // Longer than a year (rules/operations#67).
  {
    table: 'ledger_proofs',
    column: 'at',
    ageSeconds: 400 * daySeconds,
    isReal: true,
    // Later proofs still read the acknowledged ones.
    only: 's.acknowledged_at is null',
  },
];

const tenantTime = `coalesce(t.clock_at, ${shiftedInstantSql('$2::timestamptz', "+ t.clock_offset_ms * interval '1 ms'")})`;

const textOf = ({
  table,
  column,
  isReal,
  only = 'true',
}: SweepRule) => `delete from ${table} where ctid = any (array(
  select s.ctid from ${table} s left join tenants t on t.tenant_id = $1
  where s.tenant_id = $1
    and ${only} and s.${column} < ${shiftedInstantSql(isReal ? '$2::timestamptz' : tenantTime, "- $3::integer * interval '1 s'")}
  limit ${atOnce} for update of s skip locked))`;

/** Deletes expired rows. */
export interface Sweep {
  /** Sweeps soon, and then daily. Only a worker does. */
  start(): void;
  /** @returns how many rows were deleted; 0 while another process sweeps */
  sweepNow(): Promise<number>;
  stop(): Promise<void>;
}

type Parts = Pick<Service, 'pool' | 'control' | 'clocks' | 'log'>;

/** @param others sweeps of planes above this one: each returns how many rows it has deleted */
export function openSweep(
  { pool, control, clocks, log }: Parts,
  others: readonly (() => Promise<number>)[] = [],
): Sweep {
  const loop = runLoop({
    firstAfterMs,
    pauseMs: () => everyMs,
    turn: async () => void log.info({ rows: await sweepNow() }, 'swept'),
    failure: 'the sweep failed',
    log,
  });

  async function sweepOf(tenantId: string, rule: SweepRule): Promise<number> {
    const values = [tenantId, new Date(clocks.realNow()).toISOString(), rule.ageSeconds];
    let count = 0;
    for (;;) {
      const { rowCount } = await pool.query(textOf(rule), values);
      count += rowCount ?? 0;
      if (loop.stopping.aborted || (rowCount ?? 0) < atOnce) return count;
    }
  }

  async function sweepAll(): Promise<number> {
    const { rows } = await pool.query<{ tenant_id: string }>('select tenant_id from tenants');
    let count = 0;
    // `platformId` stands for rows of no Tenant, which age in real time.
    for (const { tenant_id } of [...rows, { tenant_id: platformId }])
      for (const rule of sweepRules)
        if (!loop.stopping.aborted) count += await sweepOf(tenant_id, rule);
    // Last: for a remote cell the schema `control` is on another server, which may not answer.
    for (const other of others) count += await other();
    return count + (await removeOldAlarms(control, clocks));
  }

  /** The lock ends with its transaction, also when the process dies. */
  async function sweepNow(): Promise<number> {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const { rows } = await client.query<{ taken: boolean }>(
        `select pg_try_advisory_xact_lock(${keyInCell}) as taken`,
        [lock],
      );
      return rows[0]?.taken ? await sweepAll() : 0;
    } finally {
      await client.query('rollback').catch(() => {});
      client.release();
    }
  }

  return { start: loop.start, sweepNow, stop: loop.stop };
}
