import { setTimeout as sleep } from 'node:timers/promises';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { JobName } from '@tenant-payments/engine/job_names.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../test/kit/server.ts';
import { type JobLoop, openJobLoop } from './job_loop.ts';
import type { Jobs } from './registry.ts';

let server: TestServer;
let skewMs = 0;
let tenantId: string;
let ran: string[] = [];
const logged: string[] = [];
const loops: JobLoop[] = [];

beforeAll(async () => {
  server = await startTestServer({
    workers: false,
    tenant: { calendar: false },
    realNow: () => Date.now() + skewMs,
    onLog: (line) => logged.push(line),
  });
});

/** Time never goes back for a tenant, so each test has one of its own. */
beforeEach(async () => {
  skewMs = 0;
  ({ tenantId } = await server.anotherTenant({ calendar: false }));
});

afterEach(async () => {
  await Promise.all(loops.splice(0).map((loop) => loop.stop()));
  await server.service.pool.query('delete from jobs');
  ran = [];
  logged.length = 0;
});

afterAll(() => server.stop());

/** Schedules jobs, `inSeconds` from now. */
const stage = command('stage', {
  load: async () => null,
  decide: (
    work,
    _loaded,
    { name, inSeconds = 0, count = 1 }: { name: JobName; inSeconds?: number; count?: number },
  ) => {
    const ids = Array.from({ length: count }, () => work.newId());
    for (const id of ids) work.scheduleJob(name, id, addSeconds(work.now, inSeconds));
    return { value: ids };
  },
});

const probe = (name: JobName, more: (ref: string) => void = () => {}) =>
  command(name, {
    load: async () => null,
    decide: (work, _loaded, { ref }: { ref: string }) => {
      more(ref);
      ran.push(ref);
      work.cancelJob(name, ref);
      return { value: null };
    },
  });

/** A job that schedules another one. */
const chain = (name: JobName, next: JobName) =>
  command(name, {
    load: async () => null,
    decide: (work, _loaded, { ref }: { ref: string }) => {
      ran.push(name);
      work.cancelJob(name, ref);
      work.scheduleJob(next, ref, work.now);
      return { value: null };
    },
  });

/** Reschedules a job while it runs, as another process's commit would. */
const renewOnce = async (ref: string): Promise<void> => {
  if (ran.length > 0) return;
  const renew = `update jobs set lease_until = null where tenant_id = $1 and ref = $2`;
  await server.service.pool.query(renew, [tenantId, ref]);
};

const jobs: Jobs = {
  'test.renewed': command('test.renewed', {
    prepare: ({ ref }: { ref: string }) => renewOnce(ref),
    load: async () => null,
    decide: (work, _loaded, { ref }) => {
      ran.push(ref);
      work.cancelJob('test.renewed', ref);
      return { value: null };
    },
  }),
  'test.probe': probe('test.probe'),
  'test.refused': probe('test.refused', () => {
    throw fail('invalid_state');
  }),
  'test.broken': probe('test.broken', () => {
    throw new Error('a fault');
  }),
  'test.one': chain('test.one', 'test.two'),
  'test.two': chain('test.two', 'test.probe'),
};

function open({ started = true, freshMs = 500 } = {}): JobLoop {
  const loop = openJobLoop(server.service, jobs, { freshMs });
  loops.push(loop);
  if (started) loop.start();
  return loop;
}

async function staged(name: JobName, more: { inSeconds?: number; count?: number } = {}) {
  const reply = await server.service.engine.submit(stage, { tenantId, input: { name, ...more } });
  return JSON.parse(reply.body) as string[];
}

async function until(holds: () => boolean, withinMs = 5_000): Promise<number> {
  const began = performance.now();
  while (!holds()) {
    if (performance.now() - began > withinMs) throw new Error(`still not after ${withinMs} ms`);
    await sleep(2);
  }
  return performance.now() - began;
}

const rows = async () =>
  (await server.service.pool.query('select name, wake_at, lease_until from jobs order by name'))
    .rows;

/** The statements that `work` sends to the pool. */
async function queries(work: () => Promise<unknown>): Promise<number> {
  const { pool } = server.service;
  const query = pool.query;
  let count = 0;
  pool.query = ((...args: Parameters<typeof query>) => {
    count += 1;
    return query.apply(pool, args);
  }) as typeof query;
  await work();
  pool.query = query;
  return count;
}

test('a due job is run at once, by one of several loops', async () => {
  for (let count = 0; count < 3; count += 1) open();
  const [id] = await staged('test.probe');
  expect(await until(() => ran.length > 0)).toBeLessThan(1_000);
  await sleep(300);
  expect(ran).toEqual([id]);
  expect(await rows()).toEqual([]);
});

test('each of hundreds of jobs is run exactly once by two loops', async () => {
  const ids = await staged('test.probe', { count: 700 });
  open();
  open();
  await until(() => ran.length >= 700);
  await sleep(200);
  expect(ran.toSorted()).toEqual(ids.toSorted());
});

test('a job of the near future is run at its time, not before and not much later', async () => {
  open();
  await sleep(50);
  await staged('test.probe', { inSeconds: 0.4 });
  const tookMs = await until(() => ran.length > 0);
  expect(tookMs).toBeGreaterThan(330);
  expect(tookMs).toBeLessThan(800);
});

test('a job that is rescheduled or canceled is not run at its old time', async () => {
  const [id = ''] = await staged('test.probe', { inSeconds: 0.2 });
  open();
  const undo = command('undo', {
    load: async () => null,
    decide: (work) => {
      work.cancelJob('test.probe', id);
      return { value: null };
    },
  });
  await server.service.engine.submit(undo, { tenantId, input: {} });
  await sleep(400);
  expect(ran).toEqual([]);
});

test('a refused or failed job waits longer each time, and a fault raises an alarm', async () => {
  open();
  await staged('test.refused');
  await staged('test.broken');
  await until(() => logged.length >= 2);
  await sleep(100);
  const [broken, refused] = await rows();
  for (const row of [broken, refused]) {
    expect(row.lease_until).toBeNull();
    const waitsMs = Date.parse(row.wake_at) - Date.now();
    expect(waitsMs).toBeGreaterThan(500);
    expect(waitsMs).toBeLessThanOrEqual(1_000);
  }
  expect(logged.some((line) => line.includes('"code":"invalid_state"'))).toBe(true);
  expect(logged.some((line) => line.includes('"alarm":"job"'))).toBe(true);
  logged.length = 0;
  skewMs = 1_000;
  await until(() => logged.length >= 2);
  await sleep(100);
  const [again] = await rows();
  expect(Date.parse(again.wake_at) - Date.now() - skewMs).toBeGreaterThan(1_400);
});

test('a job without a command raises an alarm and stays', async () => {
  open();
  await staged('test.unknown');
  await until(() => logged.some((line) => line.includes('"alarm":"unknown_job"')));
  expect(await rows()).toHaveLength(1);
});

test('a job that a dead worker had claimed is run when its lease has ended, not before', async () => {
  await staged('test.probe');
  await server.service.pool.query('update jobs set lease_until = $1', [
    new Date(Date.now() + 30_000).toISOString(),
  ]);
  open();
  await sleep(400);
  expect(ran).toEqual([]);
  skewMs = 30_500;
  await until(() => ran.length === 1);
});

test('runDueJobs returns when all due jobs have run, without a loop', async () => {
  const loop = open({ started: false });
  const ids = await staged('test.probe', { count: 100 });
  await loop.runDueJobs(tenantId);
  expect(ran.toSorted()).toEqual(ids.toSorted());
});

test('runDueJobs waits for jobs that a loop of this process or another one has claimed', async () => {
  open();
  const loop = open();
  for (let round = 1; round <= 30; round += 1) {
    await staged('test.probe');
    await loop.runDueJobs(tenantId);
    expect(ran).toHaveLength(round);
  }
});

test('runDueJobs also runs the jobs that its jobs schedule for now', async () => {
  const loop = open({ started: false });
  await staged('test.one');
  await loop.runDueJobs(tenantId);
  expect(ran.slice(0, 2)).toEqual(['test.one', 'test.two']);
  expect(ran).toHaveLength(3);
});

test('runDueJobs sends no query while no job can be due', async () => {
  const loop = open({ started: false, freshMs: 60_000 });
  await staged('test.probe', { inSeconds: 900, count: 20 });
  await loop.runDueJobs(tenantId);
  expect(await queries(() => loop.runDueJobs(tenantId))).toBe(0);
  await staged('test.probe', { inSeconds: 60 });
  expect(await queries(() => loop.runDueJobs(tenantId))).toBe(0);
  skewMs = 61_000;
  await loop.runDueJobs(tenantId);
  expect(ran).toHaveLength(1);
  expect(await queries(() => loop.runDueJobs(tenantId))).toBe(0);
});

test('concurrent calls share their queries', async () => {
  const loop = open({ started: false });
  await loop.runDueJobs(tenantId);
  const ids = (await Promise.all(Array.from({ length: 50 }, () => staged('test.probe')))).flat();
  const asked = () => Promise.all(ids.map(() => loop.runDueJobs(tenantId)));
  expect(await queries(asked)).toBeLessThan(12);
  expect(ran.toSorted()).toEqual(ids.toSorted());
});

test('due jobs of one tenant are still known after those of another have run', async () => {
  const loop = open({ started: false, freshMs: 60_000 });
  const other = await server.anotherTenant({ calendar: false });
  const [id] = await staged('test.probe', { inSeconds: 900 });
  await loop.runDueJobs(other.tenantId);
  await loop.runDueJobs(tenantId);
  expect(ran).toEqual([]);
  skewMs = 900_000;
  await loop.runDueJobs(other.tenantId);
  expect(ran).toEqual([]);
  await loop.runDueJobs(tenantId);
  expect(ran).toEqual([id]);
});

test('a job that another process has scheduled is run before a reply soon after', async () => {
  const loop = open({ started: false, freshMs: 0 });
  await loop.runDueJobs(tenantId);
  const { rows: made } = await server.service.pool.query(
    `insert into jobs (tenant_id, name, ref, due_at, wake_at)
     values ($1, 'test.probe', gen_random_uuid(), now(), $2) returning ref`,
    [tenantId, new Date().toISOString()],
  );
  await loop.runDueJobs(tenantId);
  expect(ran).toEqual([made[0].ref]);
});

test('runDueJobs runs no job of another tenant', async () => {
  const loop = open({ started: false });
  const other = await server.anotherTenant({ calendar: false });
  await staged('test.probe');
  await loop.runDueJobs(other.tenantId);
  expect(ran).toEqual([]);
});

test('a job cancels itself, and not when another commit has rescheduled it meanwhile', async () => {
  open();
  const [ref] = await staged('test.renewed');
  await until(() => ran.length === 2);
  expect(ran).toEqual([ref, ref]);
  const left = async () => (await server.service.pool.query('select from jobs')).rowCount;
  while ((await left()) !== 0) await sleep(5);
});

test('a stopped loop leaves due jobs to others', async () => {
  const loop = open();
  await loop.stop();
  await staged('test.probe');
  await sleep(350);
  expect(ran).toEqual([]);
  open();
  await until(() => ran.length === 1);
});
