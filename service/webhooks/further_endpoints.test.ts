import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { webhooks } from '@tenant-payments/sdk-server';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import {
  type ReceivedWebhook,
  startTestReceiver,
  type TestReceiver,
} from '../../test/kit/http/receiver.ts';
import { openServer, type TestTenant } from '../../test/kit/server.ts';
import { until } from '../../test/kit/wait.ts';
import { openDispatcher } from './dispatch/dispatcher.ts';

const server = await openServer({ manual: true });
let first: TestReceiver;
let tenant: TestTenant;
let api: ReturnType<typeof server.apiOf>;

async function receiver(): Promise<TestReceiver> {
  const made = await startTestReceiver();
  onTestFinished(() => made.close());
  return made;
}

beforeEach(async () => {
  first = await startTestReceiver();
  tenant = await server.anotherTenant({ calendar: false });
  api = server.apiOf(tenant);
  await api.put('/portal/api/webhook-endpoint', { url: first.url });
  return () => first.close();
});

const endpoints = '/portal/api/webhook-endpoints';
const call = (method: string, path: string, body?: object) =>
  server.call(method, path, { token: tenant.token, ...(body && { body }) });

async function add({ url }: { url: string }, more: object = {}) {
  const { status, body } = await call('POST', endpoints, { name: 'Books', url, ...more });
  expect(status, JSON.stringify(body)).toBe(201);
  return body as { id: string; secret: string };
}
const change = (id: string, body: object) => api.put(`${endpoints}/${id}`, body);

let count = 0;
/** Makes one event of type `customer.created`. @returns its id */
async function eventMade(): Promise<string> {
  count += 1;
  const mobile_number = `+1213555${String(1000 + count)}`;
  const person = { type: 'individual', external_ref: `f-${count}`, email: 'ana@example.com' };
  const { id } = await api.post('/v1/customers', { ...person, mobile_number });
  const { data } = await api.get(`/portal/api/events?object_id=${id}`);
  return data[0].id;
}

async function deliver(): Promise<void> {
  while ((await server.workers.dispatcher.deliverDue(tenant.tenantId)) > 0);
}
const idsAt = ({ received }: TestReceiver) => received.map(({ event }) => event.id);
/** The clock of the machine, which the server of this file has in the morning. */
const now = () => new Date(server.service.clocks.realNow());
const isSigned = ({ body, headers }: ReceivedWebhook, secrets: string): Promise<boolean> =>
  webhooks.unwrapAsync(body, headers, { secrets, now }).then(
    () => true,
    () => false,
  );
const deliveryTo = async (id: string, event: string) =>
  (await api.get(`/portal/api/events?endpoint_id=${id}&event_id=${event}`)).data[0]?.delivery;

test('each endpoint gets an event once, signed by its own secrets alone', async () => {
  const [books, ads] = [await receiver(), await receiver()];
  const [toBooks, toAds] = [await add(books), await add(ads)];
  const id = await eventMade();
  await deliver();
  const all = [first, books, ads];
  expect(all.map(idsAt)).toEqual([[id], [id], [id]]);
  const secrets = [tenant.webhook_secret, toBooks.secret, toAds.secret];
  const signed = await Promise.all(
    all.map(({ received: [one] }) =>
      Promise.all(secrets.map((secret) => isSigned(one as ReceivedWebhook, secret))),
    ),
  );
  expect(signed).toEqual([
    [true, false, false],
    [false, true, false],
    [false, false, true],
  ]);
  expect(new Set(all.map(({ received: [one] }) => one?.body.toString())).size).toBe(1);
});

test('an endpoint gets the types that it names alone, from the next event on', async () => {
  const books = await receiver();
  const { id } = await add(books, { types: ['payment.completed'] });
  await eventMade();
  await deliver();
  expect(idsAt(books)).toEqual([]);
  await change(id, { types: ['payment.completed', 'customer.created'] });
  const wanted = await eventMade();
  await deliver();
  expect(idsAt(books)).toEqual([wanted]);
  await change(id, { types: null });
  expect((await api.get(endpoints)).data[0].types).toBe(null);
});

test('`delivery` in /v1 speaks of the first endpoint, whatever becomes of the others', async () => {
  const books = await receiver();
  const { id } = await add(books);
  books.answer(500);
  const event = await eventMade();
  await deliver();
  const { data } = await api.get('/v1/webhook-events');
  expect(data[0].delivery).toMatchObject({ status: 'delivered', attempts: 1 });
  expect(await deliveryTo(id, event)).toMatchObject({ status: 'retrying', attempts: 1 });
  expect((await api.get(endpoints)).data[0]).toMatchObject({
    last_success_at: null,
    failure_streak: 1,
  });
  const { endpoint } = await api.get('/portal/api/overview');
  expect(endpoint).toMatchObject({ failure_streak: 0 });
});

test('a further endpoint needs no first one', async () => {
  await api.put('/portal/api/webhook-endpoint', { url: first.url, enabled: false });
  const books = await receiver();
  await add(books);
  const id = await eventMade();
  await deliver();
  expect([idsAt(first), idsAt(books)]).toEqual([[], [id]]);
});

test('an endpoint that is disabled or deleted gets nothing more, also of what was queued', async () => {
  const [books, ads] = [await receiver(), await receiver()];
  const [off, gone] = [await add(books), await add(ads)];
  await eventMade();
  await change(off.id, { enabled: false });
  expect((await call('DELETE', `${endpoints}/${gone.id}`)).status).toBe(200);
  const missed = await eventMade();
  await deliver();
  expect([idsAt(books), idsAt(ads)]).toEqual([[], []]);
  expect(await deliveryTo(off.id, missed)).toBeUndefined();
  await change(off.id, { enabled: true });
  await deliver();
  expect(idsAt(books)).toEqual([]);
  expect((await api.get(endpoints)).data.map(({ id }: { id: string }) => id)).toEqual([off.id]);
  for (const [method, path, body] of [
    ['PUT', '', { enabled: true }],
    ['DELETE', '', undefined],
  ] as const)
    expect((await call(method, `${endpoints}/${gone.id}${path}`, body)).status).toBe(404);
});

test('a Tenant has ten endpoints, the first one included; one that is deleted makes room', async () => {
  const url = 'http://127.0.0.1:9/hooks';
  const added = [];
  for (let made = 1; made < 10; made += 1) added.push(await add({ url }));
  const { status, body } = await call('POST', endpoints, { name: 'Eleventh', url });
  expect([status, body.error.code, body.error.details]).toEqual([
    409,
    'invalid_state',
    { reason: 'too_many_endpoints', maximum: 10 },
  ]);
  await api.call('DELETE', `${endpoints}/${added[4]?.id}`);
  await add({ url });
});

test('an address that webhooks may not have, and a type that there is not, are refused', async () => {
  const refused = async (body: object) => {
    const reply = await call('POST', endpoints, { name: 'Books', ...body });
    return [reply.status, reply.body.error.code, reply.body.error.param];
  };
  const url = 'http://127.0.0.1:9/hooks';
  const invalid = (param: string) => [400, 'parameter_invalid', param];
  expect(await refused({ url: 'http://shop.example/hooks' })).toEqual(invalid('url'));
  expect(await refused({ url, types: ['payment.lost'] })).toEqual(invalid('types.0'));
  expect(await refused({ url, types: [] })).toEqual(invalid('types'));
  expect(await refused({})).toEqual([400, 'parameter_missing', 'url']);
  const { id } = await add({ url });
  const reply = await call('PUT', `${endpoints}/${id}`, { url: 'http://shop.example/hooks' });
  expect([reply.status, reply.body.error.param]).toEqual([400, 'url']);
});

test('each endpoint has three secrets of its own, and keeps its last one', async () => {
  const { id } = await add({ url: 'http://127.0.0.1:9/hooks' });
  const secrets = `/portal/api/webhook-secrets?endpoint_id=${id}`;
  const [own] = (await api.get(secrets)).data;
  const last = await call('DELETE', `/portal/api/webhook-secrets/${own.id}`);
  expect([last.status, last.body.error.details.reason]).toEqual([409, 'last_active']);
  const another = () => call('POST', '/portal/api/webhook-secrets', { endpoint_id: id });
  for (let active = 2; active <= 3; active += 1) expect((await another()).status).toBe(201);
  const fourth = await another();
  expect([fourth.status, fourth.body.error.details.reason]).toEqual([409, 'too_many_active']);
  // The first one's are as they were.
  await api.post('/portal/api/webhook-secrets');
  expect((await api.get('/portal/api/webhook-secrets')).data).toHaveLength(2);
  expect((await call('DELETE', `/portal/api/webhook-secrets/${own.id}`)).status).toBe(200);
  expect((await api.get(secrets)).data).toHaveLength(3);
  for (const unknown of [`whe_${'0'.repeat(32)}`, 'whe_x']) {
    const reply = await call('POST', '/portal/api/webhook-secrets', { endpoint_id: unknown });
    expect([unknown, reply.status]).toEqual([unknown, 404]);
  }
});

test('lists of an endpoint that there is not are empty, and what is done to it is 404', async () => {
  const event = await eventMade();
  for (const unknown of [`whe_${'0'.repeat(32)}`, 'whe_x']) {
    const query = `endpoint_id=${unknown}`;
    for (const list of ['events', 'webhook-secrets'])
      expect((await api.get(`/portal/api/${list}?${query}`)).data).toEqual([]);
    expect(await api.get(`/portal/api/deliveries/counts?${query}`)).toMatchObject({ events: 0 });
    const body = { endpoint_id: unknown };
    const resent = await call('POST', `/portal/api/events/${event}/resend`, body);
    const since = '2020-01-01T00:00:00Z';
    const recovered = await call('POST', '/portal/api/events/recover', { since, ...body });
    const attempts = await call('GET', `/portal/api/events/${event}/attempts?${query}`);
    expect([resent.status, recovered.status, attempts.status]).toEqual([404, 404, 404]);
  }
});

test('a resend reaches the endpoint that it names alone, also with an event of another type', async () => {
  const books = await receiver();
  const { id } = await add(books, { types: ['payment.completed'] });
  const event = await eventMade();
  await deliver();
  const resend = () => call('POST', `/portal/api/events/${event}/resend`, { endpoint_id: id });
  expect((await resend()).body.delivery).toMatchObject({ status: 'pending' });
  await deliver();
  expect([idsAt(first), idsAt(books)]).toEqual([[event], [event]]);
  const attempts = `/portal/api/events/${event}/attempts`;
  expect((await api.get(`${attempts}?endpoint_id=${id}`)).data).toMatchObject([
    { number: 1, url: books.url },
  ]);
  expect((await api.get(attempts)).data).toMatchObject([{ number: 1, url: first.url }]);
  await resend();
  await deliver();
  expect([idsAt(first).length, idsAt(books).length]).toEqual([1, 2]);
  await change(id, { enabled: false });
  const reply = await resend();
  expect([reply.status, reply.body.error.details.reason]).toEqual([409, 'no_endpoint']);
});

test('a recovery of an endpoint sends what failed there, and what was made before it on request', async () => {
  const books = await receiver();
  const missed = await eventMade();
  await deliver();
  const { id } = await add(books, { types: ['customer.created'] });
  books.answer(500);
  const failed = await eventMade();
  await deliver();
  books.answer(200);
  const before = books.received.length;
  const recover = (body: object) =>
    api.post('/portal/api/events/recover', {
      endpoint_id: id,
      since: '2020-01-01T00:00:00Z',
      ...body,
    });
  expect(await recover({})).toMatchObject({ events: 1 });
  expect(await recover({ missed: 'never_sent' })).toMatchObject({ events: 1 });
  await deliver();
  expect(idsAt(books).slice(before).sort()).toEqual([missed, failed].sort());
  expect(idsAt(first)).toEqual([missed, failed]);
  expect(await api.get(`/portal/api/deliveries/counts?endpoint_id=${id}`)).toMatchObject({
    events: 2,
    delivered: 2,
  });
});

test('an advance of the clock runs the schedule of each endpoint', async () => {
  const books = await receiver();
  const { id } = await add(books, { types: ['customer.created'] });
  books.answer(500);
  const event = await eventMade();
  await deliver();
  await api.advance(3 * 60);
  expect(await deliveryTo(id, event)).toMatchObject({ status: 'retrying', attempts: 2 });
  books.answer(200);
  await api.advance(3 * 60);
  expect(await deliveryTo(id, event)).toMatchObject({ status: 'delivered', attempts: 3 });
  expect(idsAt(first).filter((one) => one === event)).toEqual([event]);
});

test('events that are made while endpoints are changed have exactly one delivery to each enabled one', async () => {
  const url = 'http://127.0.0.1:9/hooks';
  const kept = await add({ url });
  const changing = await add({ url });
  const changes = (async () => {
    for (let turn = 0; turn < 10; turn += 1)
      await change(changing.id, { name: `turn ${turn}`, enabled: turn % 2 === 0 });
  })();
  await Promise.all([changes, ...Array.from({ length: 20 }, () => eventMade())]);
  const { rows } = await server.service.pool.query(
    `select count(*)::int as events, count(d.event_id)::int as delivered,
       count(distinct d.event_id)::int as once
     from events e left join further_deliveries d on d.tenant_id = e.tenant_id
       and d.event_id = e.id and d.endpoint_id <> (select id from further_endpoints
         where tenant_id = $1 and name like 'turn%')
     where e.tenant_id = $1`,
    [tenant.tenantId],
  );
  expect(rows).toEqual([{ events: 20, delivered: 20, once: 20 }]);
  expect(kept.id).toMatch(/^whe_[0-9a-f]{32}$/);
});

test('an endpoint that hangs delays neither the first one nor others', async () => {
  const [hanging, books] = [await receiver(), await receiver()];
  hanging.answer(() => {});
  await add(hanging);
  await add(books);
  const dispatcher = openDispatcher(server.service, { pollMs: 20, timeoutMs: 3_000 });
  dispatcher.start();
  onTestFinished(() => dispatcher.drain());
  const made: string[] = [];
  for (let event = 0; event < 12; event += 1) made.push(await eventMade());
  const begun = performance.now();
  await Promise.all([first.waitFor(12), books.waitFor(12)]);
  expect(performance.now() - begun).toBeLessThan(3_000);
  expect([idsAt(first).sort(), idsAt(books).sort()]).toEqual([made.toSorted(), made.toSorted()]);
  expect(hanging.received.length).toBeLessThan(6);
});

/** Runs what is due in a process of its own, until something has come of it. */
async function dispatchUntil(done: () => Promise<boolean>): Promise<void> {
  const dispatcher = openDispatcher(server.service, { pollMs: 20 });
  dispatcher.start();
  await until(done, { what: 'the deliveries' });
  await dispatcher.drain();
}

test('retries that wait for an endpoint are made early when it answers again, and not when another does', async () => {
  const books = await receiver();
  await add(books);
  books.answer(500);
  const waiting = await eventMade();
  await deliver();
  const { pool } = server.service;
  await pool.query(
    `update further_deliveries set next_attempt_at = first_attempt_at + interval '6 hours',
       due_at = first_attempt_at + interval '6 hours', wake_at = first_attempt_at + interval '6 hours'
     where tenant_id = $1`,
    [tenant.tenantId],
  );
  const hastened = async () => {
    const { rows } = await pool.query(
      'select event_id from further_deliveries where tenant_id = $1 and hastened_for is not null',
      [tenant.tenantId],
    );
    return rows.map(({ event_id }) => publicId('event', event_id));
  };
  await eventMade();
  await dispatchUntil(async () => first.received.length === 2 && books.received.length === 2);
  expect(await hastened()).toEqual([]);
  books.answer(200);
  await eventMade();
  await dispatchUntil(async () => (await hastened()).length > 0);
  expect(await hastened()).toContain(waiting);
});
