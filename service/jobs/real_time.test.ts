import { setTimeout as sleep } from 'node:timers/promises';
import { command } from '@tenant-payments/engine/command.ts';
import { addSeconds, epochMs, instantOf } from '@tenant-payments/engine/time/instant.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../test/kit/server.ts';
import { openDispatcher } from '../webhooks/dispatch/dispatcher.ts';
import { openAdvance } from './advance.ts';
import { type JobLoop, openJobLoop } from './job_loop.ts';

const year = 366 * 24 * 3600;
let server: TestServer;
let tenantId: string;
let skewMs = 0;
let jobs: JobLoop;
let ran: string[] = [];

const answer = command('test.answer', {
  load: async () => null,
  decide: (work, _loaded, { ref }: { ref: string }) => {
    ran.push(ref);
    work.cancelJob('test.answer', ref);
    return { value: null };
  },
});

const ask = command('ask', {
  load: async () => null,
  decide: (work, _loaded, { seconds, real }: { seconds: number; real: boolean }) => {
    const ref = work.newId();
    if (real) work.scheduleJobInRealTime('test.answer', ref, seconds);
    else work.scheduleJob('test.answer', ref, addSeconds(work.now, seconds));
    return { value: ref };
  },
});

const takeBack = command('take_back', {
  load: async () => null,
  decide: (work, _loaded, { ref }: { ref: string }) => {
    work.cancelJob('test.answer', ref);
    return { value: null };
  },
});

async function asked(seconds: number, real = true): Promise<string> {
  const input = { seconds, real };
  return JSON.parse((await server.service.engine.submit(ask, { tenantId, input })).body);
}

const rows = async () =>
  (await server.service.pool.query('select ref, wake_at, real from jobs order by wake_at')).rows;

beforeAll(async () => {
  server = await startTestServer({
    workers: false,
    tenant: { calendar: false },
    realNow: () => Date.now() + skewMs,
  });
});

beforeEach(async () => {
  skewMs = 0;
  ran = [];
  ({ tenantId } = await server.anotherTenant({ calendar: false }));
  jobs = openJobLoop(server.service, { 'test.answer': answer });
});

afterEach(async () => {
  await jobs.stop();
  await server.service.pool.query('delete from jobs');
});

afterAll(() => server.stop());

test('an advance of the clock neither runs, counts nor moves jobs in real time', async () => {
  const ref = await asked(5);
  const before = await rows();
  const advance = openAdvance(server.service, { jobs, dispatcher: openDispatcher(server.service) });
  const moved = await advance.advance(tenantId, { seconds: year });
  expect(moved).toMatchObject({ fired: 0, pending: 0 });
  await jobs.runDueJobs(tenantId);
  expect(ran).toEqual([]);
  expect(await rows()).toEqual(before);
  expect(epochMs(before[0].wake_at) - Date.now()).toBeGreaterThan(3_000);
  expect(epochMs(before[0].wake_at) - Date.now()).toBeLessThanOrEqual(5_000);
  skewMs = 5_000;
  await jobs.runDueJobs(tenantId);
  expect(ran).toEqual([ref]);
  expect(await rows()).toEqual([]);
  await advance.stop();
});

test('jobs in real time run while the clock is moved, other jobs do not', async () => {
  const ref = await asked(5);
  await asked(5, false);
  await server.service.pool.query(
    `update tenants set clock_target = $2, clock_at = $3, clock_lease_until = $2,
      revision = revision + 1 where tenant_id = $1`,
    [tenantId, instantOf(Date.now() + year * 1000), instantOf(Date.now())],
  );
  jobs.start();
  skewMs = 6_000;
  for (let tries = 0; ran.length === 0 && tries < 200; tries += 1) await sleep(10);
  await sleep(300);
  expect(ran).toEqual([ref]);
});

test('a job that is scheduled again changes its clock, and either kind can be canceled', async () => {
  const ref = await asked(5);
  const again = command('again', {
    load: async () => null,
    decide: (work) => {
      work.scheduleJob('test.answer', ref, addSeconds(work.now, 60));
      return { value: null };
    },
  });
  await server.service.engine.submit(again, { tenantId, input: {} });
  expect(await rows()).toMatchObject([{ ref, real: false }]);
  const other = await asked(5);
  await server.service.engine.submit(takeBack, { tenantId, input: { ref: other } });
  expect(await rows()).toHaveLength(1);
});

test('a failed job in real time is retried in real time, wherever the clock stands', async () => {
  const failing = openJobLoop(server.service, {
    'test.answer': command('failing', {
      load: async () => null,
      decide: () => {
        throw new Error('a fault');
      },
    }),
  });
  await asked(5);
  await server.service.pool.query(
    `update tenants set clock_target = $2, clock_at = $2, clock_lease_until = $2,
      revision = revision + 1 where tenant_id = $1`,
    [tenantId, instantOf(Date.now() + year * 1000)],
  );
  skewMs = 5_000;
  await failing.runDueJobs(tenantId);
  const [row] = await rows();
  expect(epochMs(row.wake_at) - Date.now() - skewMs).toBeLessThanOrEqual(1_000);
  await failing.stop();
});
