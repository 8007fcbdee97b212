import { createHmac } from 'node:crypto';
import { getChaos, putChaos } from '@tenant-payments/backoffice/portal/sandbox/chaos.ts';
import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { Chaos } from '@tenant-payments/contract/sandbox/chaos.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestReceiver, type TestReceiver } from '../../../test/kit/http/receiver.ts';
import { startTestServer, type TestServer, type TestTenant } from '../../../test/kit/server.ts';
import { until } from '../../../test/kit/wait.ts';
import type { ReadContext } from '../../read_context.ts';
import { openChaos } from './chaos.ts';
import { draw, faultOf, strikes } from './draw.ts';

const none = {
  duplicate: 0,
  out_of_order: 0,
  fail_first_attempt: 0,
  api_503: 0,
  seed: 1,
  ends_at: null,
};
const seed = 20_261_121;

let server: TestServer;
let receiver: TestReceiver;
/** The machine's clock stands still until a test moves it. */
let nowMs = Date.now();

beforeAll(async () => {
  server = await startTestServer({ realNow: () => nowMs });
});
beforeEach(async () => {
  receiver = await startTestReceiver();
});
afterEach(() => receiver.close());
afterAll(() => server.stop());

const call = (of: TestTenant, method: string, path: string, body?: object, key?: string) =>
  server.call(method, path, {
    token: of.token,
    ...(body ? { body } : {}),
    ...(key ? { key } : {}),
  });

async function put(of: TestTenant, setting: Partial<Chaos>) {
  const reply = await call(of, 'PUT', '/portal/api/chaos', setting);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body;
}

/** A tenant whose events arrive under its own path. */
async function listening(): Promise<TestTenant> {
  const tenant = await server.anotherTenant();
  const body = { url: `${receiver.url}&tenant=${tenant.tenantId}`, enabled: true };
  expect((await call(tenant, 'PUT', '/portal/api/webhook-endpoint', body)).status).toBe(200);
  return tenant;
}

const received = (of: TestTenant) =>
  receiver.received.filter(({ path }) => path.endsWith(of.tenantId));

let customers = 0;
const application = () => {
  customers += 1;
  return {
    type: 'individual',
    external_ref: `ref-${customers}`,
    email: 'ana@example.com',
    mobile_number: `+1202${5_550_100 + customers}`,
  };
};

/** Creates a customer, which makes one event of version 1. */
async function makeEvent(of: TestTenant): Promise<string> {
  const body = application();
  const reply = await call(of, 'POST', '/v1/customers', body, body.external_ref);
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body.id;
}

async function makeEvents(of: TestTenant, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) await makeEvent(of);
}

/** The tenant's listed events, oldest first. */
const listed = async (of: TestTenant) =>
  (await call(of, 'GET', '/v1/webhook-events?limit=100')).body.data.reverse();

async function settled(of: TestTenant, statuses: readonly string[]) {
  await until(
    async () =>
      (await listed(of)).every(({ delivery }: { delivery: { status: string } }) =>
        statuses.includes(delivery.status),
      ),
    { what: `all ${statuses}` },
  );
  return listed(of);
}

const attemptsOf = async (of: TestTenant, id: string) =>
  (await call(of, 'GET', `/portal/api/events/${id}/attempts`)).body.data;

const rowOf = async (of: TestTenant) =>
  (await server.service.pool.query('select * from chaos where tenant_id = $1', [of.tenantId]))
    .rows[0];

describe('a draw', () => {
  const ordinals = Array.from({ length: 2_000 }, (_, index) => index + 1);
  const share = (rate: number, of = seed) =>
    ordinals.filter((n) => strikes({ ...none, duplicate: rate, seed: of }, 'duplicate', n)).length /
    ordinals.length;

  test('strikes never at 0, always at 1, and about at the given rate between', () => {
    expect([share(0), share(1)]).toEqual([0, 1]);
    for (const rate of [0.1, 0.5, 0.9]) expect(Math.abs(share(rate) - rate)).toBeLessThan(0.04);
  });

  test('is the same for the same seed, and differs by seed, kind of fault and place', () => {
    expect(draw(7, 'duplicate', 3)).toBe(draw(7, 'duplicate', 3));
    const others = [draw(8, 'duplicate', 3), draw(7, 'api_503', 3), draw(7, 'duplicate', 4)];
    expect(new Set([draw(7, 'duplicate', 3), ...others]).size).toBe(4);
  });

  test('holds back odd versions alone, by 2 to 5 seconds', () => {
    const always = { ...none, out_of_order: 1, seed };
    for (const ordinal of ordinals.slice(0, 200)) {
      const { delayMs } = faultOf(always, ordinal, 1 + 2 * (ordinal % 3));
      expect(delayMs).toBeGreaterThanOrEqual(2_000);
      expect(delayMs).toBeLessThanOrEqual(5_000);
      expect(faultOf(always, ordinal, 2).delayMs).toBe(0);
      expect(faultOf(none, ordinal, 1).delayMs).toBe(0);
    }
  });
});

describe('the setting', () => {
  test('strikes nothing until it is put, and is then read as it was put', async () => {
    const tenant = await server.anotherTenant();
    expect((await call(tenant, 'GET', '/portal/api/chaos')).body).toEqual(none);
    const ends_at = instantOf(nowMs + 60_000);
    const whole = { ...none, duplicate: 0.25, out_of_order: 1, seed, ends_at };
    expect(await put(tenant, whole)).toEqual(whole);
    expect((await call(tenant, 'GET', '/portal/api/chaos')).body).toEqual(whole);
    expect(await put(tenant, { duplicate: 1 })).toEqual({ ...none, duplicate: 1 });
  });

  test.each([
    [{ duplicate: 1.01 }, 'duplicate'],
    [{ api_503: -0.1 }, 'api_503'],
    [{ out_of_order: '1' }, 'out_of_order'],
    [{ fail_first_attempt: null }, 'fail_first_attempt'],
    [{ seed: 1.5 }, 'seed'],
    [{ seed: 2 ** 53 }, 'seed'],
    [{ api_500: 1 }, 'api_500'],
    [{ api_503: 1, ends_at: '2026-01-01T00:00:00.000Z' }, 'ends_at'],
    [{ api_503: 1, ends_at: 'soon' }, 'ends_at'],
  ])('refuses %j', async (body, param) => {
    const tenant = await server.anotherTenant();
    const reply = await call(tenant, 'PUT', '/portal/api/chaos', body);
    expect(reply.status).toBe(400);
    expect(reply.body.error).toMatchObject({ code: 'parameter_invalid', param });
    expect(await rowOf(tenant)).toBeUndefined();
  });

  test('does not exist in production', async () => {
    const { engine } = server.service;
    const { tenantId } = await server.anotherTenant();
    await expect(getChaos({ sandboxTools: null })({} as ReadContext)).rejects.toMatchObject({
      code: 'sandbox_only',
    });
    const put = putChaos({ sandboxTools: null });
    await expect(engine.submit(put, { tenantId, input: {} })).rejects.toMatchObject({
      code: 'sandbox_only',
    });
  });

  test('put in one process is in force in another within about a second', async () => {
    const tenant = await server.anotherTenant();
    const elsewhere = openChaos(server.service);
    await elsewhere.strikeCall(tenant.tenantId);
    await put(tenant, { api_503: 1 });
    await until(
      () =>
        elsewhere.strikeCall(tenant.tenantId).then(
          () => false,
          () => true,
        ),
      { what: 'struck elsewhere too' },
    );
  });
});

describe('an end', () => {
  test('comes by itself: calls and events are struck before it and no more after it', async () => {
    const tenant = await listening();
    const ends_at = instantOf(nowMs + 3_600_000);
    await put(tenant, { api_503: 1, fail_first_attempt: 1, seed, ends_at });
    expect((await call(tenant, 'GET', '/v1/webhook-events')).status).toBe(503);
    nowMs += 3_599_999;
    expect((await call(tenant, 'GET', '/v1/webhook-events')).status).toBe(503);
    nowMs += 1;
    await makeEvent(tenant);
    const [event] = await settled(tenant, ['delivered']);
    expect(event.delivery.attempts).toBe(1);
    const read = (await call(tenant, 'GET', '/portal/api/chaos')).body;
    expect(read).toEqual({ ...none, seed, ends_at });
  });

  test('is that of the setting that was put last', async () => {
    const tenant = await server.anotherTenant();
    await put(tenant, { api_503: 1, ends_at: instantOf(nowMs + 1_000) });
    await put(tenant, { api_503: 1 });
    nowMs += 2_000;
    expect((await call(tenant, 'GET', '/v1/webhook-events')).status).toBe(503);
  });
});

describe('503 errors of the API', () => {
  test('come before any effect, and the same key succeeds once they are over', async () => {
    const tenant = await server.anotherTenant();
    const before = await rowsOf(tenant);
    await put(tenant, { api_503: 1 });
    const body = application();
    for (let tries = 1; tries <= 3; tries += 1) {
      const reply = await call(tenant, 'POST', '/v1/customers', body, 'the-key');
      expect(reply.status).toBe(503);
      expect(reply.body.error).toMatchObject({
        code: 'internal_error',
        details: { reason: 'chaos' },
      });
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(reply.headers.has('ratelimit-remaining')).toBe(true);
    }
    expect((await call(tenant, 'GET', '/v1/webhook-events')).status).toBe(503);
    expect(await rowsOf(tenant)).toEqual(before);
    await put(tenant, { api_503: 0 });
    const reply = await call(tenant, 'POST', '/v1/customers', body, 'the-key');
    expect(reply.status).toBe(201);
    expect(reply.headers.get('idempotent-replayed')).toBeNull();
  });

  test('strike neither the token endpoint nor the portal nor another tenant', async () => {
    const [tenant, other] = [await server.anotherTenant(), await server.anotherTenant()];
    await put(tenant, { api_503: 1 });
    expect((await call(tenant, 'GET', '/portal/api/clock')).status).toBe(200);
    expect((await call(tenant, 'GET', '/v1/webhook-events')).status).toBe(503);
    expect((await call(other, 'GET', '/v1/webhook-events')).status).toBe(200);
    const { client_id, client_secret } = tenant;
    const token = await fetch(`${server.baseUrl}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
    });
    expect(token.status).toBe(200);
    expect(await rowOf(other)).toBeUndefined();
  });

  test('come after authentication and rate limit, which they do not count', async () => {
    // Calls of the portal count apart.
    const tenant = await server.anotherTenant({ settings: { rate_limit_per_minute: 1 } });
    await put(tenant, { api_503: 1 });
    expect((await server.call('GET', '/v1/webhook-events', { token: 'tok_none' })).status).toBe(
      401,
    );
    expect((await call(tenant, 'GET', '/v1/webhook-events')).status).toBe(503);
    expect((await call(tenant, 'GET', '/v1/webhook-events')).status).toBe(429);
    expect((await rowOf(tenant)).requests_seen).toBe(1);
  });

  test('at rate 0.5 strike the same calls of two tenants with the same seed', async () => {
    const statuses = async (of: TestTenant) => {
      const found: number[] = [];
      for (let calls = 0; calls < 40; calls += 1)
        found.push((await call(of, 'GET', '/v1/webhook-events')).status);
      return found;
    };
    const [first, second] = [await server.anotherTenant(), await server.anotherTenant()];
    await put(first, { api_503: 0.5, seed });
    await put(second, { api_503: 0.5, seed });
    const met = await statuses(first);
    const setting = { ...none, api_503: 0.5, seed };
    expect(met).toEqual(
      met.map((_, index) => (strikes(setting, 'api_503', index + 1) ? 503 : 200)),
    );
    expect(new Set(met)).toEqual(new Set([200, 503]));
    expect(await statuses(second)).toEqual(met);
    // Putting it again begins anew.
    await put(first, { api_503: 0.5, seed });
    expect(await statuses(first)).toEqual(met);
  });

  test('at rate 0 strike nothing and count nothing', async () => {
    const tenant = await server.anotherTenant();
    await put(tenant, { duplicate: 1 });
    for (let calls = 0; calls < 10; calls += 1)
      expect((await call(tenant, 'GET', '/v1/webhook-events')).status).toBe(200);
    expect((await rowOf(tenant)).requests_seen).toBe(0);
  });

  async function rowsOf(of: TestTenant) {
    const { rows } = await server.service.pool.query(
      `select (select count(*) from customers where tenant_id = $1) as customers,
        (select count(*) from idempotency where tenant_id = $1) as keys,
        (select count(*) from events where tenant_id = $1) as events`,
      [of.tenantId],
    );
    return rows[0];
  }
});

describe('a failed first attempt', () => {
  test('is recorded but not sent, and the retry a minute later arrives', async () => {
    const tenant = await listening();
    await put(tenant, { fail_first_attempt: 1, seed });
    await makeEvent(tenant);
    const [{ id, delivery }] = await settled(tenant, ['retrying']);
    expect(delivery).toMatchObject({ attempts: 1, last_response_status: null });
    expect(Date.parse(delivery.next_attempt_at) - Date.parse(delivery.last_attempt_at)).toBe(
      60_000,
    );
    expect(received(tenant)).toHaveLength(0);
    const [attempt] = await attemptsOf(tenant, id);
    expect(attempt).toMatchObject({ number: 1, error: 'chaos_failed_first_attempt' });
    expect((await call(tenant, 'POST', '/portal/api/clock/advance', { seconds: 60 })).status).toBe(
      200,
    );
    const [after] = await settled(tenant, ['delivered']);
    expect(after.delivery.attempts).toBe(2);
    expect(received(tenant)).toHaveLength(1);
  });

  test('at rate 0.5 strikes the same events of two tenants with the same seed', async () => {
    const setting = { ...none, fail_first_attempt: 0.5, seed };
    const [first, second] = [await listening(), await listening()];
    for (const tenant of [first, second]) {
      await put(tenant, setting);
      await makeEvents(tenant, 12);
    }
    const statuses = async (of: TestTenant) =>
      (await settled(of, ['delivered', 'retrying'])).map(
        (event: { delivery: { status: string } }) => event.delivery.status,
      );
    const met = await statuses(first);
    expect(met).toEqual(
      met.map((_: string, index: number) =>
        strikes(setting, 'fail_first_attempt', index + 1) ? 'retrying' : 'delivered',
      ),
    );
    expect(new Set(met).size).toBe(2);
    expect(await statuses(second)).toEqual(met);
  });
});

describe('a duplicate', () => {
  test('has the same id and bytes and a new signature, and both attempts are recorded', async () => {
    const tenant = await listening();
    await put(tenant, { duplicate: 1, seed });
    await makeEvent(tenant);
    await until(() => received(tenant).length === 2, { what: 'it came twice' });
    const [event] = await settled(tenant, ['delivered']);
    expect(event.delivery).toMatchObject({ attempts: 2, last_response_status: 200 });
    const [one, two] = received(tenant);
    expect(one?.body.equals(two?.body ?? Buffer.alloc(0))).toBe(true);
    for (const request of received(tenant)) {
      const [t = '', v1] = String(request.headers['service-signature']).split(',');
      const signed = Buffer.concat([Buffer.from(`${t.slice(2)}.`), request.body]);
      const hmac = createHmac('sha256', tenant.webhook_secret).update(signed).digest('hex');
      expect(v1).toBe(`v1=${hmac}`);
    }
    expect(await attemptsOf(tenant, event.id)).toHaveLength(2);
    // The event is sent no third time, and a resend is not duplicated.
    await call(tenant, 'POST', `/v1/webhook-events/${event.id}/resend`);
    await until(() => received(tenant).length === 3, { what: 'the resend came' });
    const [resent] = await settled(tenant, ['delivered']);
    expect(resent.delivery.attempts).toBe(3);
  });

  test('at rate 0.5 strikes the same events of two tenants, at rate 0 none', async () => {
    const setting = { ...none, duplicate: 0.5, seed };
    const [first, second, third] = [await listening(), await listening(), await listening()];
    for (const [tenant, rate] of [
      [first, 0.5],
      [second, 0.5],
      [third, 0],
    ] as const) {
      await put(tenant, { ...setting, duplicate: rate, api_503: 0 });
      await makeEvents(tenant, 12);
    }
    const wanted = Array.from({ length: 12 }, (_, index) =>
      strikes(setting, 'duplicate', index + 1) ? 2 : 1,
    );
    const total = wanted.reduce((sum, one) => sum + one, 0);
    expect(new Set(wanted).size).toBe(2);
    for (const [tenant, expected] of [
      [first, wanted],
      [second, wanted],
      [third, wanted.map(() => 1)],
    ] as const) {
      const count = tenant === third ? 12 : total;
      await until(() => received(tenant).length >= count, { what: 'all came' });
      const attempts = (await settled(tenant, ['delivered'])).map(
        (event: { delivery: { attempts: number } }) => event.delivery.attempts,
      );
      expect(attempts).toEqual(expected);
      expect(received(tenant)).toHaveLength(count);
    }
  });

  test('does not follow an attempt that the receiver refused', async () => {
    const tenant = await listening();
    receiver.answer(500);
    await put(tenant, { duplicate: 1, seed });
    await makeEvent(tenant);
    await settled(tenant, ['retrying']);
    receiver.answer(200);
    await call(tenant, 'POST', '/portal/api/clock/advance', { seconds: 60 });
    const [event] = await settled(tenant, ['delivered']);
    expect(event.delivery.attempts).toBe(2);
  });
});

describe('events out of order', () => {
  const types = (of: TestTenant) =>
    received(of).flatMap(({ event }) => (event.type.startsWith('customer.') ? event.type : []));

  async function twoVersions(of: TestTenant): Promise<void> {
    const object_id = await makeEvent(of);
    const path = '/v1/sandbox/simulate/customer.pending';
    expect((await call(of, 'POST', path, { object_id })).status).toBe(202);
  }

  test('at rate 1 the next version of a record arrives before an odd version', async () => {
    const tenant = await listening();
    await put(tenant, { out_of_order: 1, seed });
    await twoVersions(tenant);
    await until(() => types(tenant).includes('customer.pending'), {
      what: 'the second version came',
    });
    expect(types(tenant)).toEqual(['customer.pending']);
    const [held] = await listed(tenant);
    expect(held).toMatchObject({
      type: 'customer.created',
      delivery: { status: 'pending', attempts: 0 },
    });
    nowMs += 5_000;
    await until(() => types(tenant).length === 2, { what: 'the first version came' });
    expect(types(tenant)).toEqual(['customer.pending', 'customer.created']);
    await settled(tenant, ['delivered']);
  });

  test('a held back event is also sent in an advance of the clock', async () => {
    const tenant = await listening();
    await put(tenant, { out_of_order: 1, seed });
    await twoVersions(tenant);
    await until(() => types(tenant).includes('customer.pending'), {
      what: 'the second version came',
    });
    const early = await call(tenant, 'POST', '/portal/api/clock/advance', { seconds: 1 });
    expect(early.body.pending).toBe(0);
    expect(types(tenant)).toEqual(['customer.pending']);
    const late = await call(tenant, 'POST', '/portal/api/clock/advance', { seconds: 10 });
    expect(late.body.pending).toBe(0);
    expect(types(tenant)).toEqual(['customer.pending', 'customer.created']);
    await settled(tenant, ['delivered']);
  });

  test('at rate 0.5 the same events of two tenants are held back, at rate 0 none', async () => {
    const setting = { ...none, out_of_order: 0.5, seed };
    const [first, second, third] = [await listening(), await listening(), await listening()];
    for (const [tenant, rate] of [
      [first, 0.5],
      [second, 0.5],
      [third, 0],
    ] as const) {
      await put(tenant, { ...setting, out_of_order: rate });
      await makeEvents(tenant, 12);
    }
    const late = Array.from({ length: 12 }, (_, index) => faultOf(setting, index + 1, 1).delayMs);
    const isLate = late.map((delayMs) => delayMs > 0);
    expect(new Set(isLate).size).toBe(2);
    for (const [tenant, expected] of [
      [first, isLate],
      [second, isLate],
      [third, isLate.map(() => false)],
    ] as const) {
      const pending = async () =>
        (await listed(tenant)).map(
          (event: { delivery: { attempts: number } }) => event.delivery.attempts === 0,
        );
      // An attempt is written down after the receiver has answered.
      await expect.poll(pending).toEqual(expected);
      expect(received(tenant)).toHaveLength(expected.filter((one) => !one).length);
    }
    nowMs += 5_000;
    for (const tenant of [first, second]) await settled(tenant, ['delivered']);
  });
});

test('with all faults an event is held back, failed, sent and sent again', async () => {
  const tenant = await listening();
  const setting = { ...none, duplicate: 1, out_of_order: 1, fail_first_attempt: 1, seed };
  await put(tenant, setting);
  await makeEvent(tenant);
  await call(tenant, 'POST', '/portal/api/clock/advance', { seconds: 120 });
  const [event] = await settled(tenant, ['delivered']);
  const attempts = await attemptsOf(tenant, event.id);
  expect(attempts.map((one: { response_status: number }) => one.response_status)).toEqual([
    null,
    200,
    200,
  ]);
  const { delayMs } = faultOf(setting, 1, 1);
  expect(Date.parse(attempts[0].at) - Date.parse(event.created_at)).toBe(delayMs);
  expect(received(tenant)).toHaveLength(2);
});

test('events made before the setting, and those of another tenant, are delivered as usual', async () => {
  const [tenant, other] = [await listening(), await listening()];
  await makeEvent(tenant);
  await settled(tenant, ['delivered']);
  const [old] = await listed(tenant);
  await put(tenant, { fail_first_attempt: 1, duplicate: 1, seed });
  await call(tenant, 'POST', `/v1/webhook-events/${old.id}/resend`);
  await makeEvent(other);
  await until(() => received(tenant).length === 2, { what: 'the resend came' });
  const [event] = await settled(other, ['delivered']);
  expect(event.delivery.attempts).toBe(1);
  expect(received(other)).toHaveLength(1);
  expect((await settled(tenant, ['delivered']))[0].delivery.attempts).toBe(2);
  expect((await rowOf(tenant)).events_seen).toBe(0);
});

test('the places of events stay the same while the point they are counted from moves on', async () => {
  const tenant = await server.anotherTenant();
  const { tenantId } = tenant;
  const chaos = openChaos(server.service, { stride: 3 });
  const setting = { ...none, duplicate: 0.5, out_of_order: 0.5, fail_first_attempt: 0.5, seed };
  await server.service.engine.submit(chaos.put, { tenantId, input: setting });
  await makeEvents(tenant, 20);
  const events = (await listed(tenant)).map(({ id }: { id: string }) => uuidOf('event', id) ?? '');
  for (const [index, eventId] of events.entries()) {
    const faults = await chaos.faultsOf([{ tenantId, eventId }]);
    expect(faults.get(eventId), `event ${index + 1}`).toEqual(faultOf(setting, index + 1, 1));
  }
  const { events_seen } = await rowOf(tenant);
  expect(events_seen).toBeGreaterThan(9);
  // In any order of the query; events before the point have no place.
  const [last = '', first = ''] = [events.at(-1), events[0]];
  const both = [last, first].map((eventId) => ({ tenantId, eventId }));
  expect([...(await chaos.faultsOf(both))]).toEqual([[last, faultOf(setting, 20, 1)]]);
});
