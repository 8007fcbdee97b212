import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import type pg from 'pg';
import { pino } from 'pino';
import { buildService, closeService } from '../../../service/app.ts';
import { type Instant, instantOf } from '../../../service/core/instant.ts';
import { migrate } from '../../../service/db/migrate.ts';
import { openClient, openPool } from '../../../service/db/pool.ts';
import { sampleSettings } from '../../../service/sandbox/sample/sample.ts';
import type { Service } from '../../../service/service.ts';
import { createTenant } from '../../../service/tenants/create.ts';
import { sinceMorning } from '../../kit/clock.ts';
import { startThrowAwayServer } from '../../kit/database_server.ts';
import { databaseUrl } from '../../kit/database_url.ts';
import { startTestServer } from '../../kit/server.ts';
import { type Gate, openGate, type Rewrite } from './gate.ts';
import type { Blockers } from './schedule.ts';

/** Two services whose statements wait at gates, for the races of one pair after the other. */
export interface Lane {
  readonly services: readonly [Service, Service];
  readonly gates: readonly [Gate, Gate];
}

/** A database of some hundred races: its book stays small enough to be proven often. */
export interface Block {
  readonly lanes: readonly Lane[];
  /** A service without a gate, which makes what the races need and asks what became of it. */
  readonly base: Service;
  readonly blockersOf: Blockers;
  /** A tenant for which nothing recurs, with the settings of the sample tenant. */
  openTenant(wanted: { settings?: Partial<Settings>; delivers?: boolean }): Promise<string>;
  /** The machine's time, by which jobs wake. */
  now(): Instant;
  /** Runs whatever is due of a tenant in the order in which a worker would. */
  runOthers(tenantId: string): Promise<void>;
  /** Moves a tenant's clock; nothing that falls due meanwhile is run. */
  advance(tenantId: string, seconds: number): Promise<void>;
  /** Commands that failed by our own fault, as the log tells them. */
  readonly faults: readonly string[];
  /** Ends it. @returns what the whole book violates */
  close(): Promise<readonly string[]>;
}

export interface ExplorerServer {
  /** @param rewrite what the lanes' services send instead of a statement; absent: the statement */
  openBlock(lanes: number, rewrite?: Rewrite): Promise<Block>;
  stop(): Promise<void>;
}

const template = 'explorer';
/** Two operations that wait for each other are parted soon, or each such race would take a second. */
const deadlockTimeout = '20ms';

/** The alarms that tell of a fault of ours; others are what a reviewer is called for. */
const faultAlarms = new Set(['command', 'job', 'unknown_job']);

function openFaults() {
  const faults: string[] = [];
  const onLog = (line: string) => {
    const { alarm } = JSON.parse(line) as { readonly alarm?: string };
    if (alarm !== undefined && faultAlarms.has(alarm)) faults.push(line);
  };
  return { faults, onLog };
}

const named = (url: string, name: string): string => {
  const changed = new URL(url);
  changed.searchParams.set('application_name', name);
  return changed.href;
};

/** Starts a database server of its own, so that its settings are those of the races. */
export async function startExplorerServer(): Promise<ExplorerServer> {
  const server = await startThrowAwayServer();
  const admin = await openClient(server.url);
  await admin.query(`create database ${template}`);
  await migrate(databaseUrl(server.url, template));
  let blocks = 0;

  return {
    async openBlock(lanes, rewrite) {
      blocks += 1;
      const name = `${template}_${blocks}`;
      await admin.query(`create database ${name} template ${template}`);
      await admin.query(`alter database ${name} set deadlock_timeout = '${deadlockTimeout}'`);
      const drop = async () => void (await admin.query(`drop database ${name} with (force)`));
      return openBlock({ url: databaseUrl(server.url, name), drop }, lanes, rewrite);
    },
    async stop() {
      await admin.end();
      await server.stop();
    },
  };
}

interface BlockDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

interface Surroundings {
  readonly url: string;
  readonly realNow: () => number;
  readonly log: Service['log'];
  readonly rewrite: Rewrite | undefined;
}

async function openLane(
  { config }: Pick<Service, 'config'>,
  index: number,
  surroundings: Surroundings,
): Promise<Lane> {
  const { url, realNow, log, rewrite } = surroundings;
  const open = async (side: string) => {
    const name = `explorer_${index}${side}`;
    const gate = openGate(name, rewrite);
    return {
      gate,
      service: await buildService(config, { databaseUrl: named(url, name), realNow, log }),
    };
  };
  const [a, b] = [await open('a'), await open('b')];
  return { services: [a.service, b.service], gates: [a.gate, b.gate] };
}

const openBlockers =
  (pool: pg.Pool): Blockers =>
  async (pid) => {
    const { rows } = await pool.query<{ pids: number[] }>('select pg_blocking_pids($1) as pids', [
      pid,
    ]);
    return rows[0]?.pids ?? [];
  };

async function openBlock(
  database: BlockDatabase,
  count: number,
  rewrite?: Rewrite,
): Promise<Block> {
  const realNow = sinceMorning();
  const { faults, onLog } = openFaults();
  const first = await startTestServer({ database, realNow, workers: false, onLog });
  const { service: base, workers } = first;
  const log = pino({ base: null }, { write: onLog });
  const lanes: Lane[] = [];
  for (let index = 0; index < count; index += 1)
    lanes.push(await openLane(base, index, { url: database.url, realNow, log, rewrite }));
  // Never behind anything else: it tells who is blocked.
  const watching = openPool(database.url, { max: count, statementTimeoutMs: 10_000 });

  return {
    lanes,
    base,
    faults,
    blockersOf: openBlockers(watching),
    async openTenant({ settings = {}, delivers = false }) {
      const name = 'Explored Tenant';
      const { tenantId } = await createTenant(base, {
        name,
        settings: { ...sampleSettings, ...settings },
      });
      await base.pool.query(
        'update tenants set delivers = $2, revision = revision + 1 where tenant_id = $1',
        [tenantId, delivers],
      );
      await base.pool.query('delete from jobs where tenant_id = $1 and ref = $1', [tenantId]);
      return tenantId;
    },
    now: () => instantOf(realNow()),
    async runOthers(tenantId) {
      // Another lane makes the loop forget this tenant's rows.
      workers.jobs.forget();
      await workers.jobs.runDueJobs(tenantId);
    },
    async advance(tenantId, seconds) {
      await base.pool.query(
        `update tenants set clock_offset_ms = clock_offset_ms + $2::bigint, revision = revision + 1
         where tenant_id = $1`,
        [tenantId, seconds * 1_000],
      );
      await base.pool.query(
        `update jobs set wake_at = wake_at - $2::integer * interval '1 second'
         where tenant_id = $1 and not "real"`,
        [tenantId, seconds],
      );
    },
    async close() {
      for (const { services } of lanes) for (const service of services) await closeService(service);
      await watching.end();
      const broken = await first.stop().then(
        () => [],
        (error: Error) => [error.message],
      );
      await database.drop();
      return broken;
    },
  };
}
