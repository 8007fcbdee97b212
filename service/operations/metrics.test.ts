import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { openPool } from '@tenant-payments/engine/database/pool.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestReceiver } from '../../test/kit/http/receiver.ts';
import { startTestServer, type TestServer } from '../../test/kit/server.ts';
import { until } from '../../test/kit/wait.ts';
import { meterEngine } from './engine_meter.ts';
import { openLineLimit } from './line_limit.ts';
import { openMeters } from './meters.ts';
import { metricTexts } from './metric_texts.ts';
import { listenForMetrics, type MetricsListener } from './metrics_listener.ts';
import { openScrape } from './scrape.ts';

let on: TestServer;
let listener: MetricsListener;
beforeAll(async () => {
  on = await startTestServer({ alone: true });
  listener = await listenForMetrics(
    { environment: 'production', metricsPort: 0, metricsHost: '127.0.0.1' },
    on.service.log,
  );
  listener.use({ scrape: openScrape(on.service), proveReady: async () => {} });
});
afterAll(async () => {
  await listener.close();
  await on.stop();
});

const at = (path: string) => fetch(`http://127.0.0.1:${listener.port}${path}`);

/** Every series of a scrape with its value. */
async function series(scrape?: () => Promise<string>): Promise<Map<string, number>> {
  const text = scrape ? await scrape() : await (await at('/metrics')).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

let customers = 0;
const customer = () => {
  customers += 1;
  return {
    key: `key-${customers}`,
    body: {
      type: 'individual',
      external_ref: `ref-${customers}`,
      email: 'ana@example.com',
      mobile_number: `+1202${5_550_100 + customers}`,
    },
  };
};

test('counts requests by operation and class of status, and by nothing that a caller can choose', async () => {
  const { body } = await on.call('POST', '/v1/customers', customer());
  await on.call('GET', `/v1/customers/${body.id}`);
  await on.call('GET', '/v1/customers/cus_nobody');
  await on.call('GET', '/portal/api/clock');
  await fetch(`${on.baseUrl}/made/up/${body.id}`);
  await fetch(`${on.baseUrl}/v1/customers/${body.id}`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${on.token}` },
  });
  const count = (operation: string, status: string) =>
    `http_request_duration_seconds_count{operation="${operation}",status="${status}"}`;
  await until(async () => (await series()).get(count('unknown', '4xx')) === 1);
  const found = await series();
  expect(found.get(count('createCustomer', '2xx'))).toBe(1);
  expect(found.get(count('getCustomer', '2xx'))).toBe(2);
  expect(found.get(count('getCustomer', '4xx'))).toBe(1);
  expect(found.get(count('portal.getClock', '2xx'))).toBe(1);
  const text = await (await at('/metrics')).text();
  expect(text).not.toContain(body.id);
  expect(text).not.toContain(on.tenant.tenantId);
});

test('counts requests under way, and those whose caller disconnected', async () => {
  const inFlight = async () => (await series()).get('http_requests_in_flight');
  await until(async () => (await inFlight()) === 0);
  const { pool } = on.service;
  const client = await pool.connect();
  await client.query('begin');
  // No command of this tenant commits until the lock is released.
  await client.query('select from tenants where tenant_id = $1 for update', [on.tenant.tenantId]);
  const gone = new AbortController();
  const { key, body } = customer();
  const asked = fetch(`${on.baseUrl}/v1/customers`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${on.token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
    signal: gone.signal,
  }).catch(() => 'gone');
  await until(async () => (await inFlight()) === 1);
  gone.abort();
  expect(await asked).toBe('gone');
  await until(async () => (await inFlight()) === 0);
  await client.query('rollback');
  client.release();
  const aborted =
    'http_request_duration_seconds_count{operation="createCustomer",status="aborted"}';
  expect((await series()).get(aborted)).toBe(1);
});

test('counts requests refused by the rate limit, by bucket', async () => {
  const { token } = await on.anotherTenant({ rateLimit: 1 });
  await on.call('GET', '/v1/payments/pay_x', { token });
  await on.call('GET', '/v1/payments/pay_x', { token });
  expect((await series()).get('http_rate_limited_total{bucket="tenant"}')).toBe(1);
});

test('shows the work of the engine', async () => {
  const before = await series();
  await Promise.all(Array.from({ length: 20 }, () => on.call('POST', '/v1/customers', customer())));
  const after = await series();
  const grew = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  expect(grew('batch_commands_sum')).toBeGreaterThanOrEqual(20);
  expect(grew('batch_commands_count')).toBe(grew('batch_duration_seconds_count'));
  expect(after.get('commands_queued')).toBe(0);
  expect(after.get('batch_splits_total')).toBe(0);
});

test('names the reason of each rerun, from a short list', async () => {
  const meters = openMeters();
  const { rerun } = meterEngine(meters);
  for (const code of ['40001', '40P01']) rerun({ code });
  rerun({ code: '23505', constraint: 'idempotency_pkey' });
  const found = await series(() => meters.registry.metrics());
  for (const reason of ['row_changed', 'deadlock', 'idempotency_pkey'])
    expect(found.get(`batch_reruns_total{reason="${reason}"}`)).toBe(1);
});

test('shows attempts by result, the age of waiting deliveries, and late ones', async () => {
  const receiver = await startTestReceiver();
  receiver.answer(500);
  const body = { url: receiver.url, enabled: true };
  await on.call('PUT', '/portal/api/webhook-endpoint', { body });
  await on.call('POST', '/v1/customers', customer());
  await receiver.waitFor(1);
  const attempts = 'webhook_attempts_total{result="5xx"}';
  await until(async () => (await series()).get(attempts) === 1);
  const { pool } = on.service;
  await until(async () => {
    const { rowCount } = await pool.query("select from deliveries where status = 'retrying'");
    return rowCount === 1;
  });
  await pool.query(`update deliveries set first_attempt_at = first_attempt_at - interval '1 hour',
    next_attempt_at = next_attempt_at - interval '1 hour', due_at = due_at - interval '1 hour'`);
  await on.owner.query(`update attempts set at = at - interval '1 hour'`);
  // A process without the role worker runs none of them.
  await on.workers.stop();
  await pool.query(
    `insert into jobs (tenant_id, name, ref, due_at, wake_at)
     values ($1, 'nothing', gen_random_uuid(), now() - interval '90 s', now() - interval '90 s')`,
    [on.tenant.tenantId],
  );
  // A new scrape: the old one keeps its ages for a while.
  const found = await series(openScrape(on.service));
  const near = (name: string, seconds: number) => {
    expect(found.get(name)).toBeGreaterThanOrEqual(seconds);
    expect(found.get(name)).toBeLessThan(seconds + 30);
  };
  near('webhook_oldest_undelivered_seconds', 3_600);
  near('jobs_oldest_seconds', 90);
  expect(found.get('webhook_overdue_seconds')).toBe(0);
  await pool.query("update deliveries set wake_at = now() - interval '10 s'");
  const late = await series(openScrape(on.service));
  expect(late.get('webhook_overdue_seconds')).toBeGreaterThan(9);
  const at = (endpoint: string) =>
    `webhook_late_seconds{tenant="${on.tenant.tenantId}",endpoint="${endpoint}"}`;
  expect(late.get(at('first')), [...late.keys()].join()).toBeGreaterThan(9);
  await pool.query('update deliveries set wake_at = null, due_at = null');
  const endpoint = '01234567-89ab-7def-8123-456789abcdef';
  await pool.query(
    `insert into further_deliveries (tenant_id, event_id, endpoint_id, created_at, due_at, wake_at)
     values ($1, gen_random_uuid(), $2, now(), now() - interval '50 s', now() - interval '50 s')`,
    [on.tenant.tenantId, endpoint],
  );
  const further = await series(openScrape(on.service));
  for (const name of ['webhook_overdue_seconds', 'webhook_oldest_undelivered_seconds'])
    expect([name, Math.floor((further.get(name) ?? 0) / 50)]).toEqual([name, 1]);
  const lateThere = further.get(at('whe_0123456789ab7def8123456789abcdef'));
  expect(Math.floor((lateThere ?? 0) / 50)).toBe(1);
  expect(further.get(at('first'))).toBeUndefined();
  await pool.query('delete from further_deliveries');
  // The ledger is proven at the end: the retry waits again, for workers that have stopped.
  await pool.query('update deliveries set wake_at = next_attempt_at, due_at = next_attempt_at');
  await pool.query("delete from jobs where name = 'nothing'");
  await receiver.close();
});

test.each([
  ['refuses', false],
  ['does not answer', true],
])('a scrape comes without these gauges while the database %s', async (_how, accepts) => {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  if (!accepts) server.close();
  const away = openPool(`postgresql://nobody@127.0.0.1:${port}/none`, {
    max: 1,
    statementTimeoutMs: 1_000,
  });
  const found = await series(openScrape({ ...on.service, pool: away }));
  expect(found.has('process_cpu_seconds_total')).toBe(true);
  expect(found.get('commands_queued')).toBe(0);
  for (const name of ['webhook_oldest_undelivered', 'webhook_overdue', 'due_oldest'])
    expect(found.has(`${name}_seconds`)).toBe(false);
  server.close();
  void away.end();
});

test('answers livez and readyz, and no other path', async () => {
  expect((await at('/livez')).status).toBe(200);
  expect((await at('/readyz')).status).toBe(200);
  expect((await at('/constructor')).status).toBe(404);
  const bare = await listenForMetrics(
    { environment: 'production', metricsPort: 0, metricsHost: '127.0.0.1' },
    on.service.log,
  );
  const early = await fetch(`http://127.0.0.1:${bare.port}/readyz`);
  expect([early.status, await early.text()]).toEqual([503, 'not ready\n']);
  await bare.close();
});

test('ends the start with one line when its port is taken', async () => {
  const metricsPort = listener.port ?? 0;
  for (const environment of ['sandbox', 'production'] as const)
    await expect(
      listenForMetrics({ environment, metricsPort, metricsHost: '127.0.0.1' }, on.service.log),
    ).rejects.toThrow(
      new RegExp(`^METRICS_PORT: ${metricsPort} is in use on 127.0.0.1; .*set METRICS_PORT\\.$`),
    );
});

test('a sandbox goes without metrics when its default port is taken, and says so in one line', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => {
    // Another sandbox of this machine may have it already.
    taken.once('error', () => resolve());
    taken.listen(9464, '127.0.0.1', () => resolve());
  });
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line) => lines.push(line) });
  const without = await listenForMetrics(
    { environment: 'sandbox', metricsPort: 9464, metricsHost: '127.0.0.1' },
    log,
  );
  expect(without.port).toBeNull();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('METRICS_PORT: 9464 is in use');
  await expect(
    listenForMetrics(
      { environment: 'production', metricsPort: 9464, metricsHost: '127.0.0.1' },
      log,
    ),
  ).rejects.toThrow('METRICS_PORT: 9464 is in use');
  await without.close();
  taken.close();
});

test('passes ten lines a second and counts the others', () => {
  let nowMs = 0;
  const brake = openLineLimit(() => nowMs);
  const first = Array.from({ length: 25 }, () => brake());
  expect(first).toEqual([...Array(10).fill(0), ...Array(15).fill(null)]);
  nowMs = 1_000;
  expect([brake(), brake()]).toEqual([15, 0]);
});

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('the reference explains every metric of the service and no other', () => {
  const ours = on.service.meters.registry.getMetricsAsArray().map(({ name }) => name);
  expect(Object.keys(metricTexts).sort()).toEqual(ours.sort());
});

test('the reference explains every alarm', () => {
  const sources = readdirSync(new URL('..', import.meta.url), { recursive: true })
    .map((name) => `service/${name}`)
    .filter((name) => name.endsWith('.ts') && !name.includes('.test.'));
  const raised = sources.flatMap((name) =>
    [...read(name).matchAll(/\balarm: '(\w+)'/g)].map(([, alarm]) => alarm),
  );
  expect(raised.length).toBeGreaterThan(3);
  const explained = [...read('docs/reference/alarms.md').matchAll(/^\| \[`(\w+)`/gm)];
  expect(explained.map(([, name]) => name)).toEqual(expect.arrayContaining(raised));
});

test('listens at the address that it is given, and says in one line that the machine has no such address', async () => {
  const { log } = on.service;
  const asked = { environment: 'production', metricsPort: 0 } as const;
  const beside = await listenForMetrics({ ...asked, metricsHost: 'localhost' }, log);
  expect((await fetch(`http://localhost:${beside.port}/livez`)).status).toBe(200);
  await beside.close();
  await expect(listenForMetrics({ ...asked, metricsHost: '203.0.113.1' }, log)).rejects.toThrow(
    /^METRICS_HOST: this machine has no address 203\.0\.113\.1; set one it has\.$/,
  );
});
