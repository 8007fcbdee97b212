import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type ReceivedWebhook,
  startTestReceiver,
  type TestReceiver,
} from '../../../test/kit/http/receiver.ts';
import { startTestServer, type TestServer, type TestTenant } from '../../../test/kit/server.ts';
import { type Dispatcher, type DispatcherOptions, openDispatcher } from './dispatcher.ts';
import { usualLimits } from './lanes.ts';

const timeoutMs = 400;
let server: TestServer;
let receiver: TestReceiver;
let tenant: TestTenant;
let skewMs = 0;
const dispatchers: Dispatcher[] = [];

beforeAll(async () => {
  server = await startTestServer({ workers: false, realNow: () => Date.now() + skewMs });
});

/** Each test has its own tenant, receiver and dispatcher. */
beforeEach(async () => {
  skewMs = 0;
  receiver = await startTestReceiver();
  tenant = await server.anotherTenant();
  await call('PUT', '/portal/api/webhook-endpoint', { url: receiver.url, enabled: true });
  return async () => {
    // First, so that hanging requests need not be waited for.
    await receiver.close();
    await Promise.all(dispatchers.splice(0).map((dispatcher) => dispatcher.drain()));
  };
});

afterAll(() => server.stop());

function dispatch(options: DispatcherOptions = {}): Dispatcher {
  const dispatcher = openDispatcher(server.service, { timeoutMs, pollMs: 20, ...options });
  dispatchers.push(dispatcher);
  dispatcher.start();
  return dispatcher;
}

async function call(method: string, path: string, body?: object, of: TestTenant = tenant) {
  const reply = await server.call(method, path, { token: of.token, ...(body ? { body } : {}) });
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
  return reply.body;
}

let customers = 0;
/** Creates a customer, which makes one event. */
async function makeEvent(of: TestTenant = tenant): Promise<void> {
  customers += 1;
  const body = {
    type: 'individual',
    external_ref: `ref-${customers}`,
    email: 'ana@example.com',
    mobile_number: `+1202${5_550_100 + customers}`,
  };
  const key = `key-${customers}`;
  const reply = await server.call('POST', '/v1/customers', { key, body, token: of.token });
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
}

const listed = async (of: TestTenant = tenant) =>
  (await call('GET', '/v1/webhook-events', undefined, of)).data;
const attemptsOf = async (id: string) =>
  (await call('GET', `/portal/api/events/${id}/attempts`)).data;

/** The newest event, once its delivery has this status. */
async function event(status: string, of: TestTenant = tenant) {
  for (let tries = 0; tries < 400; tries += 1) {
    const [newest] = await listed(of);
    if (newest?.delivery.status === status) return newest;
    await sleep(10);
  }
  throw new Error(`the event did not become ${status}: ${JSON.stringify(await listed(of))}`);
}

const header = (request: ReceivedWebhook | undefined, name: string) =>
  String(request?.headers[name] ?? '');

/** The signature check as a Tenant writes it, without the SDK. */
function signedBy(request: ReceivedWebhook, secret: string): boolean {
  const items = header(request, 'service-signature').split(',');
  const time = items[0]?.replace('t=', '') ?? '';
  const expected = createHmac('sha256', secret)
    .update(Buffer.concat([Buffer.from(`${time}.`), request.body]))
    .digest('hex');
  return items.slice(1).includes(`v1=${expected}`);
}

const first = (): ReceivedWebhook => {
  const [request] = receiver.received;
  if (!request) throw new Error('nothing came');
  return request;
};

test('an event arrives at once, byte for byte as it is listed, signed, and is delivered', async () => {
  dispatch();
  await makeEvent();
  await receiver.waitFor(1);
  const request = first();
  const { delivery, ...shown } = await event('delivered');
  expect(request.body.toString('utf8')).toBe(JSON.stringify(shown));
  expect(request.method).toBe('POST');
  expect(request.path).toBe('/hooks?from=test');
  expect(header(request, 'content-type')).toBe('application/json');
  expect(header(request, 'user-agent')).toMatch(/^tenant-payments-webhooks\/\d+$/);
  expect(signedBy(request, tenant.webhook_secret)).toBe(true);
  const seconds = Number(/^t=(\d+),/.exec(header(request, 'service-signature'))?.[1]);
  expect(Math.abs(seconds - Date.now() / 1000)).toBeLessThan(5);
  expect(delivery).toMatchObject({
    status: 'delivered',
    attempts: 1,
    last_response_status: 200,
    next_attempt_at: null,
  });
});

test('an attempt is recorded with what was sent and what came back', async () => {
  receiver.answer((_request, response) =>
    response.writeHead(202, { 'x-seen': 'yes' }).end('thank\u0000you'),
  );
  dispatch();
  await makeEvent();
  const { id } = await event('delivered');
  const attempts = await attemptsOf(id);
  expect(attempts).toEqual([
    {
      number: 1,
      at: expect.any(String),
      url: receiver.url,
      request_headers: {
        'content-type': 'application/json',
        'user-agent': header(first(), 'user-agent'),
        'service-signature': header(first(), 'service-signature'),
      },
      request_body: first().body.toString('utf8'),
      response_status: 202,
      response_headers: expect.objectContaining({ 'x-seen': 'yes' }),
      response_body: 'thank\uFFFDyou',
      duration_ms: expect.any(Number),
      error: null,
    },
  ]);
});

test.each([301, 302, 307, 400, 410, 429, 500, 503])(
  '%i is retried a minute later',
  async (status) => {
    receiver.answer((_request, response) =>
      response.writeHead(status, { location: receiver.url, 'retry-after': '1' }).end(),
    );
    dispatch();
    await makeEvent();
    const { delivery } = await event('retrying');
    const at = Date.parse(delivery.last_attempt_at);
    expect(delivery).toMatchObject({ attempts: 1, last_response_status: status });
    expect(Date.parse(delivery.next_attempt_at) - at).toBe(60_000);
    // A redirect is an answer like any other.
    expect(receiver.received).toHaveLength(1);
  },
);

test('an answer that comes too late does not count', async () => {
  receiver.answer((_request, response) => {
    setTimeout(() => response.writeHead(200).end(), timeoutMs * 2);
  });
  dispatch();
  await makeEvent();
  const { id, delivery } = await event('retrying');
  expect(delivery.last_response_status).toBeNull();
  const [attempt] = await attemptsOf(id);
  expect(attempt).toMatchObject({ error: 'timeout', response_status: null });
  expect(attempt.duration_ms).toBeGreaterThanOrEqual(timeoutMs - 5);
  expect(attempt.duration_ms).toBeLessThan(timeoutMs * 2);
});

test('a missing connection, a broken one and invalid HTTP are retried, and the reason is kept', async () => {
  receiver.answer((_request, response) => response.socket?.destroy());
  dispatch();
  await makeEvent();
  expect((await attemptsOf((await event('retrying')).id))[0].error).toBe('connection_reset');
  receiver.answer((_request, response) => response.socket?.end('SSH-2.0-nonsense\r\n\r\n'));
  await makeEvent();
  await receiver.waitFor(2);
  expect((await attemptsOf((await event('retrying')).id))[0].error).toBe('malformed_answer');
  await receiver.close();
  await makeEvent();
  expect((await attemptsOf((await event('retrying')).id))[0].error).toBe('connection_refused');
});

test('an endless body is read to 64 kB, and its 2xx counts', async () => {
  let sent = 0;
  receiver.answer((_request, response) => {
    response.writeHead(200);
    const more = () => {
      while (response.write(Buffer.alloc(16_384, 'x'))) sent += 16_384;
      response.once('drain', more);
    };
    more();
  });
  dispatch();
  await makeEvent();
  const { id } = await event('delivered');
  const [attempt] = await attemptsOf(id);
  expect(attempt.response_body).toBe('x'.repeat(65_536));
  expect(sent).toBeLessThan(50_000_000);
});

test('a body that comes too slowly is cut at the time limit, and its 2xx counts', async () => {
  receiver.answer((_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(timer));
  });
  dispatch();
  await makeEvent();
  const { id } = await event('delivered');
  const [attempt] = await attemptsOf(id);
  expect(attempt.error).toBe('timeout');
  expect(attempt.duration_ms).toBeLessThan(timeoutMs * 2);
});

test('every active secret signs; a retired one does not a second later', async () => {
  const added = await call('POST', '/portal/api/webhook-secrets', {});
  dispatch();
  await makeEvent();
  await receiver.waitFor(1);
  expect(header(receiver.received[0], 'service-signature')).toMatch(
    /^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/,
  );
  expect(signedBy(first(), tenant.webhook_secret)).toBe(true);
  expect(signedBy(first(), added.secret)).toBe(true);
  const { data } = await call('GET', '/portal/api/webhook-secrets');
  const old = data.find(({ id }: { id: string }) => id !== added.id);
  await call('DELETE', `/portal/api/webhook-secrets/${old.id}`);
  await sleep(1_000);
  await makeEvent();
  await receiver.waitFor(2);
  const [, last] = receiver.received;
  expect(header(last, 'service-signature')).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
  expect(last && signedBy(last, added.secret)).toBe(true);
  await event('delivered');
});

test('without an endpoint an event waits; enabling one sends nothing, a resend does', async () => {
  await call('PUT', '/portal/api/webhook-endpoint', { url: receiver.url, enabled: false });
  dispatch();
  await makeEvent();
  const { id } = await event('pending');
  await call('PUT', '/portal/api/webhook-endpoint', { url: receiver.url, enabled: true });
  await sleep(100);
  expect(receiver.received).toHaveLength(0);
  const resent = await call('POST', `/v1/webhook-events/${id}/resend`);
  expect(resent.delivery).toMatchObject({ status: 'pending', attempts: 0 });
  await receiver.waitFor(1);
  expect(first().event.id).toBe(id);
  expect((await event('delivered')).delivery.attempts).toBe(1);
});

test('an event resent while no endpoint is enabled still waits', async () => {
  await call('PUT', '/portal/api/webhook-endpoint', { url: receiver.url, enabled: false });
  dispatch();
  await makeEvent();
  const { id } = await event('pending');
  await call('POST', `/v1/webhook-events/${id}/resend`);
  await sleep(150);
  expect((await event('pending')).delivery.attempts).toBe(0);
  const { rows } = await server.service.pool.query(
    'select wake_at from deliveries where tenant_id = $1',
    [tenant.tenantId],
  );
  expect(rows).toEqual([{ wake_at: null }]);
});

test('a delivered event is resent with the same bytes and a new signature, and its attempts count on', async () => {
  dispatch();
  await makeEvent();
  const { id } = await event('delivered');
  await sleep(1_100);
  const resent = await call('POST', `/v1/webhook-events/${id}/resend`);
  expect(resent).toMatchObject({ id, delivery: { status: 'pending', attempts: 1 } });
  await receiver.waitFor(2);
  const [one, two] = receiver.received;
  expect(two?.body.equals(one?.body ?? Buffer.alloc(0))).toBe(true);
  expect(header(two, 'service-signature')).not.toBe(header(one, 'service-signature'));
  expect(two && signedBy(two, tenant.webhook_secret)).toBe(true);
  expect((await event('delivered')).delivery.attempts).toBe(2);
});

test('a resend while retrying is one extra attempt, and the schedule stays', async () => {
  receiver.answer(500);
  dispatch();
  await makeEvent();
  const before = await event('retrying');
  await call('POST', `/v1/webhook-events/${before.id}/resend`);
  await receiver.waitFor(2);
  let { delivery } = await event('retrying');
  for (let tries = 0; delivery.attempts < 2 && tries < 100; tries += 1) {
    await sleep(10);
    ({ delivery } = await event('retrying'));
  }
  expect(delivery.attempts).toBe(2);
  expect(delivery.next_attempt_at).toBe(before.delivery.next_attempt_at);
  receiver.answer(200);
  await call('POST', `/v1/webhook-events/${before.id}/resend`);
  expect((await event('delivered')).delivery.attempts).toBe(3);
});

test('a resend of a queued event adds no attempt', async () => {
  await makeEvent();
  const { id } = await event('pending');
  await call('POST', `/v1/webhook-events/${id}/resend`);
  await call('POST', `/v1/webhook-events/${id}/resend`);
  dispatch();
  await event('delivered');
  await sleep(60);
  expect(receiver.received).toHaveLength(1);
});

test('a resend requested during an attempt that fails is made', async () => {
  let release = () => {};
  receiver.answer(500);
  dispatch();
  await makeEvent();
  const { id } = await event('retrying');
  receiver.answer((_request, response) => {
    release = () => void response.writeHead(500).end();
  });
  await call('POST', `/v1/webhook-events/${id}/resend`);
  await receiver.waitFor(2);
  // The attempt is under way; a resend now adds one more.
  await call('POST', `/v1/webhook-events/${id}/resend`);
  receiver.answer(200);
  release();
  const { delivery } = await event('delivered');
  expect(delivery.attempts).toBe(3);
});

test('a resend honours its Idempotency-Key', async () => {
  dispatch();
  await makeEvent();
  const { id } = await event('delivered');
  const path = `/v1/webhook-events/${id}/resend`;
  const [one, two] = [
    await server.call('POST', path, { key: 'again', token: tenant.token }),
    await server.call('POST', path, { key: 'again', token: tenant.token }),
  ];
  expect(two.body).toEqual(one.body);
  expect(two.headers.get('idempotent-replayed')).toBe('true');
  await event('delivered');
  await sleep(60);
  expect(receiver.received).toHaveLength(2);
});

test("another tenant's event, an unknown one and one of 31 days are not found", async () => {
  const other = await server.anotherTenant();
  await makeEvent();
  const [{ id }] = await listed();
  const resend = (token: string, of: string) =>
    server.call('POST', `/v1/webhook-events/${of}/resend`, { token });
  expect((await resend(other.token, id)).status).toBe(404);
  expect((await resend(tenant.token, 'evt_unknown')).status).toBe(404);
  await server.service.pool.query(
    'update tenants set clock_offset_ms = $2, revision = revision + 1 where tenant_id = $1',
    [tenant.tenantId, 31 * 86_400_000],
  );
  expect((await resend(tenant.token, id)).status).toBe(404);
  expect(await listed()).toEqual([]);
});

test('a delivery claimed by a dead worker is attempted when its lease has ended, not before', async () => {
  await makeEvent();
  await server.service.pool.query('update deliveries set lease_until = $2 where tenant_id = $1', [
    tenant.tenantId,
    new Date(Date.now() + 30_000).toISOString(),
  ]);
  dispatch();
  await sleep(150);
  expect(receiver.received).toHaveLength(0);
  skewMs = 30_500;
  await receiver.waitFor(1);
  expect((await event('delivered')).delivery.attempts).toBe(1);
});

test('an attempt that outlives its lease writes nothing over the one that follows', async () => {
  let release = () => {};
  receiver.answer((_request, response) => {
    release = () => void response.writeHead(500).end();
  });
  dispatch();
  await makeEvent();
  await receiver.waitFor(1);
  receiver.answer(200);
  skewMs = 31_000;
  dispatch();
  const { delivery } = await event('delivered');
  release();
  await sleep(100);
  expect(delivery.attempts).toBe(1);
  expect((await event('delivered')).delivery.attempts).toBe(1);
});

test('several dispatchers share the work, and each event is sent once', async () => {
  for (let count = 0; count < 60; count += 1) await makeEvent();
  // On a busy machine a burst of 60 may be answered later than the other tests wait.
  for (let count = 0; count < 3; count += 1) dispatch({ timeoutMs: 10_000 });
  await receiver.waitFor(60);
  await event('delivered');
  await sleep(100);
  expect(new Set(receiver.received.map(({ event: { id } }) => id)).size).toBe(60);
  expect(receiver.received).toHaveLength(60);
});

test('drain waits for an attempt under way, records it, and begins no other', async () => {
  receiver.answer((_request, response) => {
    setTimeout(() => response.writeHead(200).end(), 150);
  });
  const dispatcher = dispatch();
  await makeEvent();
  await receiver.waitFor(1);
  const drained = dispatcher.drain();
  await makeEvent();
  await drained;
  const [newer, older] = await listed();
  expect(older.delivery.status).toBe('delivered');
  expect(newer.delivery).toMatchObject({ status: 'pending', attempts: 0 });
  expect(receiver.received).toHaveLength(1);
});

test('a receiver that hangs delays no other tenant', async () => {
  receiver.answer(() => {});
  const quick = await startTestReceiver();
  const other = await server.anotherTenant();
  await call('PUT', '/portal/api/webhook-endpoint', { url: quick.url, enabled: true }, other);
  for (let count = 0; count < 40; count += 1) await makeEvent();
  dispatch({ timeoutMs: 20_000, limits: { ...usualLimits, total: 20, held: 40, heldEach: 30 } });
  await receiver.waitFor(1);
  const began = performance.now();
  for (let count = 0; count < 20; count += 1) await makeEvent(other);
  await quick.waitFor(20);
  expect(performance.now() - began).toBeLessThan(5_000);
  await event('delivered', other);
  await quick.close();
});
