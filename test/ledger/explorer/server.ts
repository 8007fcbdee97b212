import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { pino } from 'pino';
import { openPool } from '../../../engine/database/pool.ts';
import { type Instant, instantOf } from '../../../engine/time/instant.ts';
import type { Service } from '../../../service/service.ts';
import { buildService, closeService } from '../../../start/app.ts';
import { sinceMorning } from '../../kit/clock.ts';
import { testDatabase } from '../../kit/database/database.ts';
import { openEngine } from '../../kit/engine.ts';
import { startTestServer } from '../../kit/server.ts';
import { type Gate, openGate, type Rewrite } from './gate.ts';
import type { Blockers } from './schedule.ts';

/** Two services whose statements wait at gates. */
export interface Lane {
  readonly services: readonly [Service, Service];
  readonly gates: readonly [Gate, Gate];
}

/** A database of some hundred interleavings, small enough for its ledger to be verified often. */
export interface Block {
  readonly lanes: readonly Lane[];
  /** A service without a gate. */
  readonly base: Service;
  readonly blockersOf: Blockers;
  /** A tenant without recurring jobs, with the settings of the sample tenant. */
  openTenant(wanted: { settings?: Partial<Settings>; delivers?: boolean }): Promise<string>;
  /** The machine's time, by which jobs wake. */
  now(): Instant;
  /** Runs the due jobs of a tenant in the order of a worker. */
  runJobs(tenantId: string): Promise<void>;
  /** Moves a tenant's clock; no job is run meanwhile. */
  advance(tenantId: string, seconds: number): Promise<void>;
  /** Commands that failed with an error of the service, as the log has them. */
  readonly faults: readonly string[];
  /** @returns the violated invariants of the ledger */
  close(): Promise<readonly string[]>;
}

/** Two operations that wait for each other are ended soon; by default each would take a second. */
const deadlockTimeout = '20ms';
/** The alarms of a defect; others call a reviewer. */
const faultAlarms = new Set(['command', 'job', 'unknown_job']);

/** @param rewrite changes the statements of the lanes' services */
export async function openBlock(laneCount: number, rewrite?: Rewrite): Promise<Block> {
  const database = await testDatabase(true);
  const url = new URL(database.serviceUrl);
  const realNow = sinceMorning();
  const faults: string[] = [];
  const onLog = (line: string) => {
    const { alarm } = JSON.parse(line) as { readonly alarm?: string };
    if (alarm !== undefined && faultAlarms.has(alarm)) faults.push(line);
  };
  const server = await startTestServer({ database, realNow, workers: false, onLog });
  const { service: base, owner, workers } = server;
  await owner.query(
    `alter database ${url.pathname.slice(1)} set deadlock_timeout = '${deadlockTimeout}'`,
  );
  const log = pino({ base: null }, { write: onLog });
  async function openSide(name: string) {
    url.searchParams.set('application_name', name);
    const gate = openGate(name, rewrite);
    return {
      gate,
      service: await buildService(base.config, { databaseUrl: url.href, realNow, log }),
    };
  }
  const lanes: Lane[] = [];
  for (let index = 0; index < laneCount; index += 1) {
    const [a, b] = [await openSide(`explorer_${index}a`), await openSide(`explorer_${index}b`)];
    lanes.push({ services: [a.service, b.service], gates: [a.gate, b.gate] });
  }
  // A pool of its own: what it asks never waits behind another statement.
  const watching = openPool(database.url, { max: laneCount, statementTimeoutMs: 10_000 });

  return {
    lanes,
    base,
    faults,
    async blockersOf(pid) {
      const text = 'select pg_blocking_pids($1) as pids';
      const { rows } = await watching.query<{ pids: number[] }>(text, [pid]);
      return rows[0]?.pids ?? [];
    },
    async openTenant({ settings = {}, delivers = false }) {
      const { tenantId } = await server.anotherTenant({ sample: true, calendar: false, settings });
      await base.pool.query(
        'update tenants set delivers = $2, revision = revision + 1 where tenant_id = $1',
        [tenantId, delivers],
      );
      return tenantId;
    },
    now: () => instantOf(realNow()),
    async runJobs(tenantId) {
      // Another lane makes the loop forget this tenant's rows.
      workers.jobs.forget();
      await server.runJobs(tenantId);
    },
    async advance(tenantId, seconds) {
      await openEngine(base, tenantId).moveClock(seconds);
      await base.pool.query(
        `update jobs set wake_at = wake_at - $2::integer * interval '1 second'
         where tenant_id = $1 and not "real"`,
        [tenantId, seconds],
      );
    },
    async close() {
      for (const { services } of lanes) for (const service of services) await closeService(service);
      await watching.end();
      const violations = await server.stop().then(
        () => [],
        (error: Error) => [error.message],
      );
      await database.drop();
      return violations;
    },
  };
}
