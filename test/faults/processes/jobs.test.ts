import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { type JobLoop, openJobLoop } from '../../../service/jobs/job_loop.ts';
import { staticJobs } from '../../../service/jobs/registry.ts';
import { openServer, type TestTenant } from '../../kit/server.ts';
import { until } from '../../kit/wait.ts';

/** The seconds of each tenant: one request falls due in each second. */
const seconds = 334;

let skewMs = 0;
const server = await openServer({ workers: false, realNow: () => Date.now() + skewMs });
const beside = { beside: server, workers: false };
const servers = [server, await openServer(beside), await openServer(beside)];
const services = servers.map(({ service }) => service);
let loops: JobLoop[] = [];

afterEach(async () => {
  await Promise.all(loops.map((loop) => loop.stop()));
  loops = [];
});

function startWorkers(): void {
  loops = services.map((service) => openJobLoop(service, staticJobs, { pollMs: 5 }));
  for (const loop of loops) loop.start();
}

/** A tenant with a shop whose requests expire one after the other. */
async function tenantWithRequests(): Promise<TestTenant> {
  const tenant = await server.anotherTenant({ sample: true, calendar: false });
  const api = server.apiOf(tenant);
  const shop = await api.approved('business');
  const expiries = Array.from({ length: seconds }, (_, index) => 60 + index);
  await Promise.all(expiries.map((expires_in) => api.request(shop, 100, { expires_in })));
  return tenant;
}

const query = async (text: string, ...values: unknown[]) =>
  (await server.service.pool.query(text, values)).rows;

const deadlocks = async (): Promise<number> => {
  await query('select pg_stat_force_next_flush()');
  const [row] = await query(
    'select deadlocks::integer as count from pg_stat_database where datname = current_database()',
  );
  return row.count;
};

test('each of a thousand jobs of three tenants is done once, by one of three workers', async () => {
  const tenants = await Promise.all([1, 2, 3].map(tenantWithRequests));
  const ids = tenants.map(({ tenantId }) => tenantId);
  const before = {
    deadlocks: await deadlocks(),
    commands: services.map(({ engine }) => engine.stats.commands),
    reruns: services.map(({ engine }) => engine.stats.reruns),
  };
  startWorkers();
  skewMs += 60_000;
  const due = `select 1 from payment_requests where tenant_id = any ($1) and status = 'open'
    and expires_at <= $2`;
  // The seconds pass faster than in life, and not evenly: workers meet over the same rows. A slow machine is
  // waited for within each 20 s: after 30 s another worker may rightly take a job over.
  for (let second = 1; second <= seconds; second += 1) {
    skewMs += 1_000;
    await sleep(5);
    if (second % 20 > 0 && second < seconds) continue;
    const now = new Date(Date.now() + skewMs);
    await until(async () => (await query(due, ids, now)).length === 0);
  }
  await sleep(100);
  const ends = await query(
    `select e.tenant_id, count(*)::integer as events, count(distinct object_id)::integer as requests,
      bool_and(e.created_at >= r.expires_at) as in_time
     from events e join payment_requests r on r.tenant_id = e.tenant_id and r.id = e.object_id
     where e.type = 'payment_request.expired' and e.tenant_id = any ($1) group by e.tenant_id`,
    ids,
  );
  expect(ends.toSorted((a, b) => (a.tenant_id < b.tenant_id ? -1 : 1))).toEqual(
    ids.toSorted().map((tenant_id) => ({
      tenant_id,
      events: seconds,
      requests: seconds,
      in_time: true,
    })),
  );
  expect(
    await query(
      `select 1 from jobs where tenant_id = any ($1) and name = 'payment_request_expiry'`,
      ids,
    ),
  ).toEqual([]);
  const shares = services.map(
    ({ engine }, index) => engine.stats.commands - (before.commands[index] ?? 0),
  );
  expect(Math.min(...shares)).toBeGreaterThan(0);
  expect(shares.reduce((sum, share) => sum + share)).toBe(seconds * ids.length);
  // Each row is in one pair of hands, so none of them waits for another or decides again.
  const reruns = services.map(
    ({ engine }, index) => engine.stats.reruns - (before.reruns[index] ?? 0),
  );
  expect(reruns).toEqual([0, 0, 0]);
  expect((await deadlocks()) - before.deadlocks).toBe(0);
});

test('of a worker that dies with jobs in its hands, others do them when its lease has ended', async () => {
  const { tenantId } = await tenantWithRequests();
  skewMs += 1_000_000;
  // Jobs as a killed process leaves them: claimed, and never done.
  await query(
    `update jobs set lease_until = $2 where tenant_id = $1 and name = 'payment_request_expiry'`,
    tenantId,
    new Date(Date.now() + skewMs + 30_000).toISOString(),
  );
  startWorkers();
  const open = `select 1 from payment_requests where tenant_id = $1 and status = 'open'`;
  await sleep(200);
  expect(await query(open, tenantId)).toHaveLength(seconds);
  skewMs += 30_500;
  await until(async () => (await query(open, tenantId)).length === 0);
  const [{ events }] = await query(
    `select count(*)::integer as events from events
     where tenant_id = $1 and type = 'payment_request.expired'`,
    tenantId,
  );
  expect(events).toBe(seconds);
});
