import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyLedger } from '../../../service/invariants/verify.ts';
import { testDatabase } from '../../kit/database.ts';
import { startTestServer, type TestServer } from '../../kit/server.ts';
import { buildProgram, startVictim, type Victim } from './process.ts';
import { openStage, type Stage } from './records.ts';

/** How often each kind of row is there, and what it sums up to. */
export type Census = ReadonlyMap<string, number>;

/** A database, a service in this process that makes things ready, and processes to be killed. */
export interface CrashHouse {
  readonly stage: Stage;
  readonly token: string;
  /** The process that is to be killed next; the one behind it starts meanwhile. */
  victim(): Promise<Victim>;
  /** Runs what is due, also what a killed process had claimed. */
  settle(): Promise<void>;
  census(): Promise<Census>;
  /** Proves the whole book. @returns a sentence for each violation that was not there before */
  prove(): Promise<string[]>;
  /** Ends all and proves the book once more. @returns what is wrong */
  stop(): Promise<string[]>;
}

/** More than any proof sends. */
const rateLimit = 10_000_000;

/** What says nothing of effects: who is alive, what was asked, who may ask, and counts by day. */
const uncounted = new Set(['processes', 'requests', 'access_tokens', 'limit_counters']);

const tenantTables = `select c.relname as name from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`;

/** Beside the rows of each table: events by type, jobs by job, money by step and pocket. */
const kinds = [
  `select 'event ' || type, count(*) from events where tenant_id = $1 group by 1`,
  `select 'job ' || name, count(*) from jobs where tenant_id = $1 group by 1`,
  `select 'cents of ' || concat_ws(' ', step, pocket), sum(delta) from entries
   where tenant_id = $1 group by 1`,
];

async function openCensus({ service: { pool }, tenant: { tenantId } }: TestServer) {
  const { rows: tables } = await pool.query<{ name: string }>(tenantTables);
  const counts = tables
    .filter(({ name }) => !uncounted.has(name))
    .map(({ name }) => `select '${name}', count(*) from ${name} where tenant_id = $1`);
  const text = `select kind, count::float8 as count from (
    ${[...counts, ...kinds].join(' union all ')}) x(kind, count)`;
  return async (): Promise<Census> => {
    const { rows } = await pool.query<{ kind: string; count: number }>(text, [tenantId]);
    return new Map(rows.map(({ kind, count }) => [kind, count]));
  };
}

/** jobs and orders as they are when the lease of a process that died is over. */
const endLeases =
  'update jobs set lease_until = null where tenant_id = $1 and lease_until is not null';

export async function openCrashHouse(): Promise<CrashHouse> {
  const database = await testDatabase();
  const program = await buildProgram();
  const dataDir = await mkdtemp(join(tmpdir(), 'tpay-crash-'));
  await chmod(dataDir, 0o711);
  const hand = await startTestServer({
    database,
    workers: false,
    tenant: { sample: true, calendar: false, rateLimit },
  });
  const { service, workers, tenant } = hand;
  const { tenantId } = tenant;
  const start = () =>
    startVictim({ program, databaseUrl: database.url, dataDir, secrets: service.config });
  // Alone, since the first one makes the sandbox's sample.
  let next = Promise.resolve(await start());
  const stage = await openStage(hand);
  const census = await openCensus(hand);
  const alive = new Set<Victim>();
  const told = new Set<string>();

  return {
    stage,
    token: hand.token,
    census,
    async victim() {
      const one = await next;
      alive.add(one);
      next = start();
      next.catch(() => {});
      return one;
    },
    async settle() {
      await service.pool.query(endLeases, [tenantId]);
      workers.jobs.forget();
      await workers.jobs.runDueJobs(tenantId);
    },
    async prove() {
      const { violations } = await verifyLedger(service.pool);
      const found = violations.map((violation) => JSON.stringify(violation));
      const fresh = found.filter((violation) => !told.has(violation));
      for (const violation of fresh) told.add(violation);
      return fresh;
    },
    async stop() {
      for (const one of [...alive, await next]) await one.kill();
      await program.remove();
      await rm(dataDir, { recursive: true, force: true });
      const wrong = await hand.stop().then(
        () => [],
        (error: Error) => [error.message],
      );
      await database.drop();
      return wrong;
    },
  };
}
