import { openPool } from '@tenant-payments/engine/database/pool.ts';
import fc from 'fast-check';
import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/kit/database/database.ts';
import { seedOf } from '../../test/kit/seed.ts';
import { until } from '../../test/kit/wait.ts';
import type { Role } from '../config/values.ts';
import { heldClock } from './database_clock.ts';
import { openMeters } from './meters.ts';
import { openProcessRegistry, type ProcessRegistry, shareOf } from './process_registry.ts';

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await testDatabase();
  pool = openPool(database.url, { max: 4, statementTimeoutMs: 10_000 });
});
const started: ProcessRegistry[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((one) => one.stop()));
  await pool.query('delete from processes');
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const lines: string[] = [];

async function join(
  roles: readonly Role[],
  ahead = { ms: 0 },
  beatMs = 20,
): Promise<ProcessRegistry> {
  const one = openProcessRegistry(
    {
      pool,
      clocks: { realNow: () => Date.now() + ahead.ms },
      databaseClock: heldClock(Date.now),
      onAway() {},
      meters: openMeters(),
      config: { roles: new Set(roles) },
      log: pino({ base: null }, { write: (line) => lines.push(line) }),
    },
    { beatMs },
  );
  started.push(one);
  await one.start();
  return one;
}

test('the shares of all processes add up to the limit, and each has at least one', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e6 }),
      fc.integer({ min: 1, max: 50 }),
      (limit, count) => {
        const shares = Array.from({ length: count }, (_, rank) => shareOf(limit, count, rank));
        expect(Math.min(...shares)).toBeGreaterThan(0);
        const sum = shares.reduce((total, share) => total + share, 0);
        expect(sum).toBe(Math.max(limit, count));
      },
    ),
    { seed: seedOf(process.env) },
  );
});

test('a single process has the whole limit, also before its first query', async () => {
  const alone = openProcessRegistry({
    pool,
    clocks: { realNow: Date.now },
    databaseClock: heldClock(Date.now),
    onAway() {},
    meters: openMeters(),
    config: { roles: new Set(['worker']) },
    log: pino({ level: 'silent' }),
  });
  expect(alone.share(100)).toBe(100);
  await alone.stop();
});

test('processes that serve requests share a limit; workers have no part of it', async () => {
  const first = await join(['api']);
  const second = await join(['api', 'worker']);
  const worker = await join(['worker']);
  for (const one of [first, second, worker])
    await until(() => one.live('api') === 2 && one.live('worker') === 2);
  expect(first.share(101) + second.share(101)).toBe(101);
  expect(worker.share(101)).toBeGreaterThan(0);
});

test('a process that leaves is no longer counted, and one that joins is', async () => {
  const first = await join(['api']);
  const second = await join(['api']);
  await until(() => first.share(100) === 50);
  await second.stop();
  await until(() => first.share(100) === 100);
  await join(['api']);
  await until(() => first.share(100) === 50);
});

test('a process not seen for ten seconds is not counted, and is counted again when it is back', async () => {
  const clock = { ms: 0 };
  const first = await join(['api'], clock);
  // This process no longer updates its row, like a killed one.
  const silent = await join(['api'], { ms: 0 }, 3_600_000);
  await until(() => first.live('api') === 2);
  clock.ms = 9_000;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(first.live('api')).toBe(2);
  clock.ms = 11_000;
  await until(() => first.live('api') === 1);
  await silent.stop();
  await join(['api'], clock);
  await until(() => first.live('api') === 2);
});

test('the row of a dead process is deleted after a minute', async () => {
  const clock = { ms: 0 };
  await join(['api'], clock);
  await join(['api'], { ms: 0 }, 3_600_000);
  const count = async () => Number((await pool.query('select from processes')).rowCount);
  expect(await count()).toBe(2);
  clock.ms = 61_000;
  while ((await count()) > 1) await new Promise((resolve) => setTimeout(resolve, 10));
});

test('raises one alarm when no process has the role worker for half a minute', async () => {
  lines.length = 0;
  const clock = { ms: 0 };
  await join(['api'], clock);
  clock.ms = 31_000;
  await until(() => lines.length > 0);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(lines.map((line) => JSON.parse(line).alarm)).toEqual(['no_worker']);
});

test('keeps its last knowledge while the database is away', async () => {
  const first = await join(['api']);
  await join(['api']);
  await until(() => first.live('api') === 2);
  await pool.query('alter table processes rename to gone');
  lines.length = 0;
  await until(() => lines.length > 0);
  expect(first.share(100)).toBe(50);
  await pool.query('alter table gone rename to processes');
});

test('says once that the database is away and why, raises an alarm after ten seconds, and says since when it is back', async () => {
  const clock = { ms: 0 };
  let isAway = false;
  const away = Object.assign(new Error('no writes'), { code: '25006' });
  const meters = openMeters();
  const said: Record<string, unknown>[] = [];
  const one = openProcessRegistry(
    {
      pool: {
        query: (...asked: Parameters<typeof pool.query>) =>
          isAway ? Promise.reject(away) : pool.query(...asked),
      } as unknown as typeof pool,
      clocks: { realNow: () => Date.now() + clock.ms },
      databaseClock: heldClock(Date.now),
      onAway() {},
      meters,
      config: { roles: new Set(['worker']) },
      log: pino({ base: null }, { write: (line) => void said.push(JSON.parse(line)) }),
    },
    { beatMs: 20 },
  );
  started.push(one);
  await one.start();
  isAway = true;
  await until(() => said.length === 1);
  clock.ms = 11_000;
  await until(() => said.length === 2);
  const awaySeconds = async () => (await meters.databaseAway.get()).values[0]?.value ?? 0;
  expect(await awaySeconds()).toBeGreaterThan(10);
  isAway = false;
  await until(() => said.length === 3);
  const [gone, still, back] = said;
  expect(gone).toMatchObject({ cause: 'database_read_only', msg: 'the database is away' });
  expect(still).toMatchObject({ alarm: 'database_away', cause: 'database_read_only' });
  expect(back).toMatchObject({ since: still?.since, msg: 'the database is back' });
  expect(back?.away_ms).toBeGreaterThan(10_000);
  expect(await awaySeconds()).toBe(0);
  expect((await meters.faults.get()).values).toMatchObject([
    { labels: { cause: 'database_read_only' }, value: 1 },
  ]);
});
