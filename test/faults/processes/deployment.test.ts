import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TenantFacts } from '../../../backoffice/tenants/create.ts';
import { caller, fetchToken } from '../../kit/http/http.ts';
import {
  type ReceivedWebhook,
  startTestReceiver,
  type TestReceiver,
} from '../../kit/http/receiver.ts';
import { uuid } from '../../kit/ids.ts';
import { application } from '../../kit/person.ts';
import {
  callerAt,
  type Deployment,
  openDeployment,
  type ServiceProcess,
  terminate,
} from '../../kit/processes/processes.ts';
import { until } from '../../kit/wait.ts';

type Call = ReturnType<typeof caller>;

/** How long a change of settings, secrets or endpoints may take to be known everywhere. */
const knownWithinMs = 1_100;

let deployment: Deployment;
let receiver: TestReceiver;
let facts: TenantFacts;
let apis: ServiceProcess[];
let workers: ServiceProcess[];
/** The sample tenant at the first and at the second API. */
let first: Call;
let second: Call;
let shopId: string;

beforeAll(async () => {
  deployment = await openDeployment();
  receiver = await startTestReceiver();
  const started = await Promise.all(
    ['api', 'api', 'worker', 'worker'].map((roles) => deployment.start(roles)),
  );
  apis = started.slice(0, 2);
  workers = started.slice(2);
  facts = await deployment.facts();
  [first, second] = (await Promise.all(apis.map((api) => callerAt(api, facts)))) as [Call, Call];
  const { body } = await first('GET', '/v1/customers?external_ref=sample-books');
  shopId = body.data[0].id;
});
afterAll(async () => {
  await receiver.close();
  await deployment.stop();
});

async function rowsOf<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
  return (await deployment.pool.query<Row>(sql, values)).rows;
}

const customers = (call: Call) => {
  const body = application('individual');
  return call('POST', '/v1/customers', { key: body.external_ref, body });
};

const isDelivered = async () =>
  (await rowsOf(`select from deliveries where status <> 'delivered'`)).length === 0;

/** The events that came in since then, by event. */
function seenSince(since: number): Map<string, ReceivedWebhook[]> {
  const seen = new Map<string, ReceivedWebhook[]>();
  for (const one of receiver.received.slice(since))
    seen.set(one.event.id, [...(seen.get(one.event.id) ?? []), one]);
  return seen;
}

test('processes that start together on an empty database make one sample', async () => {
  expect(await rowsOf('select from tenants')).toHaveLength(1);
  const body = await first('GET', '/v1/customers?external_ref=sample-ana');
  expect(body.body.data).toHaveLength(1);
});

test('each knows the others by their roles', async () => {
  for (const one of [...apis, ...workers])
    await until(async () => {
      const live = await one.metrics();
      return ['api', 'worker'].every((role) => live.get(`processes_live{role="${role}"}`) === 2);
    });
});

test('a worker answers to its supervisor and opens no other port', async () => {
  const [worker] = workers;
  expect(await worker?.status('/readyz')).toBe(200);
  await expect(fetch(`${worker?.baseUrl}/livez`)).rejects.toThrow();
});

test('a port that is taken stops the start with one line', async () => {
  const { port } = new URL(apis[0]?.baseUrl ?? '');
  const refused = (name: string, roles: string) =>
    expect(deployment.start(roles, { [name]: port })).rejects.toThrow(
      new RegExp(`^ended with 1: ${name}: ${port} is in use on 127.0.0.1; [^\\n]*\\n$`),
    );
  await Promise.all([refused('METRICS_PORT', 'worker'), refused('PORT', 'api')]);
});

test('endpoint, secrets and settings that one process changes hold in all within a second', async () => {
  const endpoint = { url: receiver.url, enabled: true };
  await first('PUT', '/portal/api/webhook-endpoint', { body: endpoint });
  const before = receiver.received.length;
  await customers(second);
  await receiver.waitFor(before + 1);
  const signatures = () =>
    String(receiver.received.at(-1)?.headers['service-signature']).match(/v1=/g)?.length;
  expect(signatures()).toBe(1);

  const added = await second('POST', '/portal/api/webhook-secrets');
  await sleep(knownWithinMs);
  for (const call of [first, second, first, second]) {
    const count = receiver.received.length;
    await customers(call);
    await receiver.waitFor(count + 1);
    expect(signatures()).toBe(2);
  }
  await first('DELETE', `/portal/api/webhook-secrets/${added.body.id}`);

  const { body: settings } = await first('GET', '/portal/api/settings');
  const flows = (payment_requests: boolean) => ({
    body: { flows: { ...settings.flows, payment_requests } },
  });
  await first('PUT', '/portal/api/settings', flows(false));
  const request = { type: 'dynamic', merchant_customer_id: shopId, amount: 100 };
  for (const call of [second, first]) {
    const reply = await call('POST', '/v1/payment-requests', { key: 'off', body: request });
    expect(reply.body.error.code).toBe('flow_not_enabled');
  }
  await second('PUT', '/portal/api/settings', flows(true));
  expect((await first('POST', '/v1/payment-requests', { key: 'on', body: request })).status).toBe(
    201,
  );
});

const sumOf = async (series: string) => {
  const found = await Promise.all(workers.map((worker) => worker.metrics()));
  return found.reduce((sum, metrics) => sum + (metrics.get(series) ?? 0), 0);
};

test('what falls due is run by one worker, and every event is delivered once', async () => {
  await until(isDelivered);
  const since = receiver.received.length;
  const count = 60;
  const ran = await sumOf('jobs_run_total{name="payment_request_expiry"}');
  const body = { type: 'dynamic', merchant_customer_id: shopId, amount: 100, expires_in: 1 };
  const made = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      (index % 2 ? first : second)('POST', '/v1/payment-requests', { key: `due-${index}`, body }),
    ),
  );
  const ids = made.map((reply) => uuid('payment_request', reply.body.id));
  const expired = () =>
    rowsOf<{ id: string; count: number }>(
      `select object_id as id, count(*)::int as count from events
       where type = 'payment_request.expired' group by 1`,
    );
  await until(async () => (await expired()).length >= count && (await isDelivered()));
  const mine = (await expired()).filter(({ id }) => ids.includes(id));
  expect(mine).toHaveLength(count);
  expect(mine.every((one) => one.count === 1)).toBe(true);
  expect(await sumOf('jobs_run_total{name="payment_request_expiry"}')).toBe(ran + count);
  expect(await sumOf('jobs_failed_total{name="payment_request_expiry"}')).toBe(0);
  const seen = seenSince(since);
  expect(seen.size).toBe(2 * count);
  expect([...seen.values()].filter((copies) => copies.length > 1)).toEqual([]);
});

/** A further tenant, at both APIs. */
async function tenantWith(rate_limit: number): Promise<[Call, Call]> {
  const operator = `Bearer ${await deployment.operatorKey()}`;
  const reply = await fetch(`${apis[0]?.baseUrl}/portal/api/tenants`, {
    method: 'POST',
    headers: { authorization: operator, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Limited', rate_limit }),
  });
  const its = (await reply.json()) as TenantFacts;
  return (await Promise.all(apis.map((api) => callerAt(api, its)))) as [Call, Call];
}

const numberOf = (headers: Headers, name: string) => Number(headers.get(`ratelimit-${name}`));

test.each([41, 100])(
  'two processes together let through a limit of %i, within a tenth',
  async (limit) => {
    const calls = await tenantWith(limit);
    let passed = 0;
    for (let asked = 0; asked < 1.5 * limit; asked += 1) {
      const call = calls[asked % 2] as Call;
      const { status, headers } = await call('GET', '/v1/payments/pay_x');
      expect(numberOf(headers, 'limit')).toBe(limit);
      const remaining = numberOf(headers, 'remaining');
      expect(remaining).toBeLessThan(limit);
      if (status === 429) expect(remaining).toBe(0);
      else passed += 1;
      // The header says what is left, as far as one process can know.
      if (asked < limit) expect(Math.abs(limit - asked - 1 - remaining)).toBeLessThanOrEqual(2);
    }
    expect(passed).toBeGreaterThanOrEqual(0.9 * limit);
    expect(passed).toBeLessThanOrEqual(1.1 * limit);
  },
);

test('requests for tokens share their limit too', async () => {
  const headersOf = async ({ baseUrl }: ServiceProcess) => {
    const reply = await fetch(`${baseUrl}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: `cl_${'0'.repeat(32)}`,
        client_secret: 'wrong',
      }),
    });
    return reply.headers;
  };
  for (const api of apis) {
    const headers = await headersOf(api);
    // The limit of wrong secrets: a share of 15, of which one is spent.
    expect(numberOf(headers, 'limit')).toBe(30);
    expect(numberOf(headers, 'remaining')).toBe(2 * 14);
  }
});

test('a worker that is killed loses nothing: its leases end, and only what it had under way comes twice', async () => {
  await until(isDelivered);
  const since = receiver.received.length;
  const hanging: ServerResponse[] = [];
  receiver.answer((_request, response) => void hanging.push(response));
  const made = await Promise.all(
    Array.from({ length: 24 }, (_, index) => customers(index % 2 ? first : second)),
  );
  expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
  const [killed, survivor] = workers as [ServiceProcess, ServiceProcess];
  const inFlight = async (worker: ServiceProcess) =>
    Number((await worker.metrics()).get('webhook_attempts_in_flight'));
  // Either may have taken them; the one with more of them is killed.
  await until(async () => {
    const begun = (await inFlight(killed)) + (await inFlight(survivor));
    // Each of them has reached the receiver: what is cut is counted there.
    return begun > 0 && hanging.length === begun;
  });
  const more = (await inFlight(killed)) >= (await inFlight(survivor)) ? killed : survivor;
  const other = more === killed ? survivor : killed;
  more.child.kill('SIGKILL');
  expect(await more.ended).toBe('SIGKILL');

  // Its sockets ended with it: what is still open at the receiver is of the other.
  const isOpen = ({ destroyed }: ServerResponse) => !destroyed;
  await until(async () => hanging.filter(isOpen).length === (await inFlight(other)));
  const held = () =>
    rowsOf<{ left_ms: number }>(
      `select extract(epoch from lease_until - clock_timestamp())::float8 * 1000 as left_ms
       from deliveries where lease_until is not null and status <> 'delivered'`,
    );
  const ofDead = (await held()).length - (await inFlight(other));
  receiver.answer(200);
  const cut = hanging.filter((one) => !isOpen(one)).length;
  expect(cut).toBeGreaterThan(0);
  for (const response of hanging) response.writeHead(200).end();
  // Also written down: the lease of an answer that is not would be cut short with the others.
  await until(async () => (await inFlight(other)) === 0 && (await held()).length <= ofDead);
  // The lease is the longest that anything waits for a worker that died; here it is cut short.
  for (const { left_ms } of await held()) expect(left_ms).toBeLessThanOrEqual(30_000);
  await deployment.pool.query(
    'update deliveries set lease_until = now() where lease_until > now()',
  );
  await until(isDelivered);

  const seen = seenSince(since);
  expect(seen.size).toBe(24);
  const copies = [...seen.values()].filter((each) => each.length > 1);
  expect(copies.length).toBeLessThanOrEqual(cut);
  for (const each of copies) {
    expect(each).toHaveLength(2);
    expect(new Set(each.map(({ body }) => body.toString('utf8'))).size).toBe(1);
  }
  workers = [other];
});

test('jobs that a killed worker held are run by another', async () => {
  const body = { type: 'dynamic', merchant_customer_id: shopId, amount: 100, expires_in: 1 };
  const { body: request } = await first('POST', '/v1/payment-requests', { key: 'held', body });
  // As a worker that died with it leaves it.
  const held = await deployment.pool.query(
    `update jobs set lease_until = now() + interval '2 s'
     where name = 'payment_request_expiry' and wake_at > now()`,
  );
  expect(held.rowCount).toBeGreaterThan(0);
  const status = async () =>
    (await second('GET', `/v1/payment-requests/${request.id}`)).body.status;
  await until(async () => (await status()) === 'expired');
});

test('who ends in good order leaves the others its share at once', async () => {
  const [staying, leaving] = apis as [ServiceProcess, ServiceProcess];
  expect(await terminate(leaving)).toBe(0);
  expect(await rowsOf(`select from processes where roles = 'api'`)).toHaveLength(1);
  await until(async () => (await staying.metrics()).get('processes_live{role="api"}') === 1);
  const operator = `Bearer ${await deployment.operatorKey()}`;
  const reply = await fetch(`${staying.baseUrl}/portal/api/tenants`, {
    method: 'POST',
    headers: { authorization: operator, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Alone', rate_limit: 10 }),
  });
  const token = await fetchToken(staying.baseUrl, (await reply.json()) as TenantFacts);
  const call = caller(staying.baseUrl, token);
  const statuses: number[] = [];
  for (let asked = 0; asked < 12; asked += 1)
    statuses.push((await call('GET', '/v1/payments/pay_x')).status);
  expect(statuses.filter((status) => status !== 429)).toHaveLength(10);
});
