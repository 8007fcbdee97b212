import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { openPool } from '../../engine/database/pool.ts';
import { addSeconds, type Instant } from '../../engine/time/instant.ts';
import { findDatabase, urlOf } from '../../service/db/embedded_running.ts';
import { inspectSince } from '../../service/invariants/night/prove.ts';
import { sealProven } from '../../service/invariants/sealed/seal.ts';
import { verifyLedger } from '../../service/invariants/verify.ts';
import { openDatabase } from '../database.ts';
import { readCpu } from '../measure/cpu.ts';
import { table } from '../report.ts';
import { type FillPlan, fillLedger } from '../reports/fill.ts';
import { adjustedTenant } from '../reports/setup.ts';
import { startService } from '../service_process.ts';

/** Entries of an adjustment. */
const entriesEach = 2;
const dayMovements = 250_000;
/** Movements of the day before a night, whatever the Tenant has done before. */
const lastDayMovements = 50_000;
const people = { payers: 100, merchants: 10 };
const daySeconds = 24 * 3600;
/** A whole proof takes two minutes of a processor for so many entries. */
const wholeAt = 1_000_000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** The cost of a step: seconds of a clock, and of processors for this process and PostgreSQL together. */
interface Took {
  readonly wall: number;
  readonly processor: number;
}
const shown = ({ wall, processor }: Took) => `${processor.toFixed(1)} s (${wall.toFixed(0)} s)`;

let postmasterPid = 0;

async function seconds<T>(work: () => Promise<T>): Promise<[T, Took]> {
  const watched = { servicePids: [process.pid], postmasterPid, clientPid: process.pid };
  const begun = { at: performance.now(), cpu: readCpu(watched) };
  const result = await work();
  const cpu = readCpu(watched);
  const processor = cpu.service + cpu.database - begun.cpu.service - begun.cpu.database;
  return [result, { wall: (performance.now() - begun.at) / 1_000, processor }];
}

const sizes = `select round(pg_database_size(current_database()) / 1e9, 1)::float8 as gigabytes`;

/** Fills a ledger, seals it, and proves a night after one more day, at each of the given sizes. */
async function measure(
  pool: pg.Pool,
  { tenantId, accountIds }: Pick<FillPlan, 'tenantId' | 'accountIds'>,
  millions: readonly number[],
): Promise<void> {
  const client = await pool.connect();
  await client.query('set statement_timeout = 0');
  const turns = accountIds.map((_, index) => index);
  let day = addSeconds(new Date().toISOString() as Instant, daySeconds);
  let movements = 0;
  const fill = async (count: number) => {
    const to = addSeconds(day, daySeconds - 1);
    await fillLedger(client, { tenantId, accountIds, turns, movements: count, from: day, to });
    day = addSeconds(day, daySeconds);
    movements += count;
  };
  const rows: string[][] = [];
  for (const million of millions) {
    while ((movements + lastDayMovements) * entriesEach < million * 1_000_000)
      await fill(dayMovements);
    await client.query('vacuum analyze');
    const { rows: times } = await client.query<{ now: Instant }>('select clock_timestamp() as now');
    const provenAt = addSeconds(times[0]?.now as Instant, 3600);
    const limit = day;
    const [head, sealing] = await seconds(() => sealProven(client, tenantId, { limit, provenAt }));
    await fill(lastDayMovements);
    const start = { tenantId, number: head?.number ?? 0, until: limit, provenAt };
    const inSnapshot = async () => {
      await client.query(
        "begin isolation level repeatable read read only; set local work_mem = '64MB'",
      );
      const found = await inspectSince(client, start, { pause: async () => {}, night: 1 });
      await client.query('commit');
      return found;
    };
    const [night, proving] = await seconds(inSnapshot);
    if (!night.ok) throw new Error(JSON.stringify(night.violations.slice(0, 5)));
    const isWhole = million * 1_000_000 <= wholeAt;
    const whole = isWhole ? (await seconds(() => verifyLedger(pool, { tenantId })))[1] : null;
    const { rows: found } = await client.query<{ gigabytes: number }>(sizes);
    rows.push([
      String(movements * entriesEach),
      `${found[0]?.gigabytes} GB`,
      shown(sealing),
      shown(proving),
      whole === null ? '' : shown(whole),
    ]);
    say(rows.at(-1)?.join('  ') ?? '');
  }
  say('Seconds of a processor, of this process and PostgreSQL, and of a clock in brackets:');
  say(table([['entries', 'database', 'sealing', 'the night', 'the whole'], ...rows]));
  client.release();
}

/** `npx tsx bench/night/main.ts 1 3 10`: how long a night takes after 1, 3 and 10 million entries. */
async function main(): Promise<void> {
  const millions = process.argv.slice(2).map(Number);
  const dataDir = await mkdtemp(join(tmpdir(), 'tenant-payments-bench-'));
  await chmod(dataDir, 0o755);
  const made = await startService({ dataDir });
  const owner = await openDatabase(await findDatabase(dataDir), 'postgres');
  const tenant = await adjustedTenant(made, owner, people);
  await owner.end();
  await made.stop();
  // Without a worker, which would prove the ledger by itself meanwhile.
  const keeper = await startService({ dataDir, more: { ROLES: 'api' } });
  const database = await findDatabase(dataDir);
  postmasterPid = database.postmasterPid;
  const url = urlOf(database, 'postgres');
  const pool = openPool(url, { max: 3, statementTimeoutMs: 3_600_000 });
  await measure(pool, tenant, millions.length > 0 ? millions : [1]);
  await pool.end();
  await keeper.stop();
  await rm(dataDir, { recursive: true, force: true });
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    process.exit(1);
  },
);
