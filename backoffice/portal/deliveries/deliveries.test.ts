import { afterAll, beforeEach, expect, test } from 'vitest';
import { webhooks } from '../../../sdk/server/webhooks.ts';
import { startTestReceiver, type TestReceiver } from '../../../test/kit/http/receiver.ts';
import { openServer, type TestTenant } from '../../../test/kit/server.ts';

const server = await openServer({ manual: true });
let receiver: TestReceiver;
let tenant: TestTenant;
let api: ReturnType<typeof server.apiOf>;
const open: TestReceiver[] = [];
afterAll(() => Promise.all(open.map((one) => one.close())));

beforeEach(async () => {
  receiver = await startTestReceiver();
  open.push(receiver);
  tenant = await server.anotherTenant({ calendar: false });
  api = server.apiOf(tenant);
});

const call = (path: string, body: object) =>
  server.call('POST', `/portal/api/${path}`, { token: tenant.token, body });
const recover = async (body: object) => {
  const reply = await call('events/recover', body);
  expect(reply.status).toBe(200);
  return reply.body;
};
const enable = (enabled = true) =>
  api.put('/portal/api/webhook-endpoint', { url: receiver.url, enabled });
const deliver = () => server.workers.dispatcher.deliverDue(tenant.tenantId);
const received = () => receiver.received.map(({ event }) => event.id);

let count = 0;
/** Makes an event. @returns its id */
async function eventMade(): Promise<string> {
  count += 1;
  const body = {
    type: 'individual',
    external_ref: `ref-${count}`,
    email: 'ana@example.com',
    mobile_number: `+120255501${10 + count}`,
  };
  const { id } = await api.post('/v1/customers', body);
  const { data } = await api.get(`/portal/api/events?object_id=${id}`);
  return data[0].id;
}
const since = '2020-01-01T00:00:00Z';

test('one call sends again all that has a failed attempt, retried or given up, each once, and nothing else', async () => {
  await eventMade();
  await enable();
  const arrived = await eventMade();
  await deliver();
  receiver.answer(500);
  const failed = await eventMade();
  await deliver();
  await api.advance(73 * 3_600);
  const retrying = await eventMade();
  await deliver();
  receiver.answer(200);
  const before = receiver.received.length;
  const type = 'customer.created';
  expect(await recover({ since, type })).toEqual({ dry_run: false, events: 2, has_more: false });
  expect(await recover({ since, type })).toMatchObject({ events: 0 });
  await deliver();
  expect(received().slice(before).sort()).toEqual([failed, retrying].sort());
  expect(received().slice(before)).not.toContain(arrived);
  for (const delivery_status of ['failed', 'retrying'])
    expect(
      (await api.get(`/portal/api/events?delivery_status=${delivery_status}&type=${type}`)).data,
    ).toEqual([]);
});

test('a list of events is sent again as it is filtered, and its counts say beforehand how many', async () => {
  const never = await eventMade();
  await enable();
  receiver.answer(500);
  const failed = await eventMade();
  await deliver();
  await api.advance(73 * 3_600);
  const { now: from } = await api.get('/portal/api/clock');
  const retrying = await eventMade();
  await deliver();
  receiver.answer(200);
  const missed = async (query: string) =>
    (await api.get(`/portal/api/deliveries/counts?type=customer.created&${query}`)).missed;
  expect(await missed('')).toEqual({ failed: 2, never_sent: 1 });
  expect(await missed(`from=${from}`)).toEqual({ failed: 1, never_sent: 0 });
  expect(await missed(`to=${from}`)).toEqual({ failed: 1, never_sent: 1 });
  expect(await missed(`event_id=${never}`)).toEqual({ failed: 0, never_sent: 1 });
  const { data } = await api.get(`/portal/api/events?event_id=${failed}`);
  const object_id = data[0].data.object.id;
  expect(await missed(`object_id=${object_id}`)).toEqual({ failed: 1, never_sent: 0 });
  const before = receiver.received.length;
  const count = async (body: object) => (await recover({ since, dry_run: true, ...body })).events;
  expect(await count({ object_id, delivery_status: 'retrying' })).toBe(0);
  expect(await count({ event_id: retrying, delivery_status: 'retrying' })).toBe(1);
  expect(await count({ request_id: 'req_unknown' })).toBe(0);
  expect(await recover({ since, delivery_status: 'failed', object_id })).toMatchObject({
    events: 1,
  });
  await deliver();
  expect(received().slice(before)).toEqual([failed]);
  expect(await missed('')).toEqual({ failed: 1, never_sent: 1 });
});

test('what was never sent is a choice of its own', async () => {
  const missed = await eventMade();
  await enable();
  receiver.answer(500);
  await eventMade();
  await deliver();
  receiver.answer(200);
  const before = receiver.received.length;
  expect(await recover({ since, missed: 'never_sent' })).toMatchObject({ events: 1 });
  await deliver();
  expect(received().slice(before)).toEqual([missed]);
});

test('a recovered retry that fails again keeps its schedule', async () => {
  await enable();
  receiver.answer(500);
  const id = await eventMade();
  await deliver();
  const shown = async () => (await api.get(`/portal/api/events?event_id=${id}`)).data[0].delivery;
  const { next_attempt_at } = await shown();
  expect(await recover({ since })).toMatchObject({ events: 1 });
  await deliver();
  expect(await shown()).toMatchObject({ status: 'retrying', attempts: 2, next_attempt_at });
});

test('a server recovers its events by the Tenant API as a person does by the portal', async () => {
  await enable();
  receiver.answer(500);
  const id = await eventMade();
  await deliver();
  receiver.answer(200);
  const ask = (body: object) => api.post('/v1/webhook-events/recover', body);
  expect(await ask({ since, dry_run: true })).toEqual({
    dry_run: true,
    events: 1,
    has_more: false,
  });
  expect(await ask({ since })).toMatchObject({ dry_run: false, events: 1 });
  await deliver();
  expect(received()).toEqual([id, id]);
  const { status, body } = await server.call('POST', '/v1/webhook-events/recover', {
    token: tenant.token,
    body: { since: 'yesterday' },
  });
  expect([status, body.error.param]).toEqual([400, 'since']);
});

test('an event whose time came while the endpoint was off is sent again', async () => {
  await enable();
  const id = await eventMade();
  await enable(false);
  await deliver();
  await enable();
  expect(await recover({ since, missed: 'never_sent' })).toMatchObject({ events: 1 });
  await deliver();
  expect(received()).toEqual([id]);
});

test('a dry run counts the same and sends nothing, also without an endpoint', async () => {
  await eventMade();
  const missed = { since, missed: 'never_sent' };
  expect(await recover({ ...missed, dry_run: true })).toMatchObject({ dry_run: true, events: 1 });
  await enable();
  await deliver();
  expect(received()).toEqual([]);
  expect(await recover(missed)).toMatchObject({ events: 1 });
});

test('until is not included, and since goes back 30 days at most', async () => {
  const old = await eventMade();
  const { data } = await api.get('/portal/api/events');
  await api.advance(31 * 86_400);
  await eventMade();
  const { created_at } = data.find(({ id }: { id: string }) => id === old);
  const found = async (body: object) =>
    (await recover({ dry_run: true, type: 'customer.created', missed: 'never_sent', ...body }))
      .events;
  expect(await found({ since })).toBe(1);
  expect(await found({ since, until: created_at })).toBe(0);
});

test('without an enabled endpoint nothing is recovered or tried', async () => {
  for (const [path, body] of [
    ['events/recover', { since }],
    ['webhook-endpoint/test', {}],
  ] as const) {
    const reply = await call(path, body);
    expect(reply.status).toBe(409);
    expect(reply.body.error).toMatchObject({
      code: 'invalid_state',
      details: { reason: 'no_endpoint' },
    });
  }
});

test('a test delivery answers what came back, and is a sample among the events', async () => {
  await enable();
  receiver.answer((_request, response) => response.writeHead(418, { 'x-own': 'yes' }).end('tea'));
  const { status, body } = await call('webhook-endpoint/test', { type: 'load.settled' });
  expect(status).toBe(200);
  expect(received()).toEqual([body.event_id]);
  expect(receiver.received[0]?.headers['service-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
  expect(body.attempt).toMatchObject({
    number: 1,
    response_status: 418,
    response_body: 'tea',
    response_headers: { 'x-own': 'yes' },
    error: null,
  });
  const { data } = await api.get('/portal/api/events');
  expect(data).toMatchObject([{ id: body.event_id, type: 'load.settled', sample: true }]);
});

/** The clock of the machine, which the server of this file has in the morning. */
const now = () => new Date(server.service.clocks.realNow());

test('one secret alone signs a test delivery, and all sign what comes after it', async () => {
  await enable();
  const { body: added } = await call('webhook-secrets', {});
  const signedBy = (index: number) => {
    const { body, headers } = receiver.received[index] ?? {};
    const unwrap = (secret: string) => () =>
      webhooks.unwrap(body ?? '', headers ?? {}, { secrets: secret, now });
    return { unwrap, items: String(headers?.['service-signature']).split(',').length - 1 };
  };
  const { body } = await call('webhook-endpoint/test', { secret_id: added.id });
  expect(body.attempt).toMatchObject({ response_status: 200 });
  expect(signedBy(0).items).toBe(1);
  expect(signedBy(0).unwrap(added.secret)).not.toThrow();
  expect(signedBy(0).unwrap(tenant.webhook_secret)).toThrow('signature_mismatch');
  await call('webhook-endpoint/test', {});
  expect(signedBy(1).items).toBe(2);
  await server.call('DELETE', `/portal/api/webhook-secrets/${added.id}`, { token: tenant.token });
  const other = await server.anotherTenant({ calendar: false });
  const foreign = await server.call('GET', '/portal/api/webhook-secrets', { token: other.token });
  for (const secret_id of [added.id, foreign.body.data[0].id, 'whs_x']) {
    const refused = await call('webhook-endpoint/test', { secret_id });
    expect([refused.status, refused.body.error.param]).toEqual([404, 'secret_id']);
  }
});

test('an event is sent again by its id as by the API, and not without an endpoint', async () => {
  const id = await eventMade();
  const resend = (name: string) => call(`events/${name}/resend`, {});
  expect((await resend(id)).body.error).toMatchObject({ details: { reason: 'no_endpoint' } });
  await enable();
  const { status, body } = await resend(id);
  expect([status, body.id, body.delivery.status]).toEqual([202, id, 'pending']);
  await deliver();
  expect((await resend(id)).status).toBe(202);
  await deliver();
  expect(received()).toEqual([id, id]);
  expect((await resend('evt_x')).status).toBe(404);
});

test('deliveries are counted by status, with the next attempt', async () => {
  const counted = () => api.get('/portal/api/deliveries/counts');
  expect(await counted()).toMatchObject({ events: 0, since: null, next_attempt_at: null });
  await eventMade();
  await enable();
  await eventMade();
  await deliver();
  receiver.answer(500);
  const failing = await eventMade();
  await deliver();
  await eventMade();
  const counts = await counted();
  const { data } = await api.get(`/portal/api/events?event_id=${failing}`);
  expect(data).toHaveLength(1);
  expect(counts).toMatchObject({
    events: 4,
    none: 1,
    delivered: 1,
    retrying: 1,
    pending: 1,
    failed: 0,
    next_attempt_at: data[0].delivery.next_attempt_at,
  });
});

test('a sample shows the record that was written, if it is a whole one of its kind', async () => {
  await enable();
  const example = (await api.get('/portal/api/event-types/payment.completed')).example.data.object;
  const object = { ...example, amount: 77_00, description: 'edited' };
  const { body } = await call('webhook-endpoint/test', { type: 'payment.completed', object });
  expect(body.attempt).toMatchObject({ response_status: 200 });
  const { data } = JSON.parse(String(receiver.received[0]?.body));
  expect(data.object).toEqual(object);
  expect(data.previous_attributes).toEqual({ status: expect.any(String) });
  for (const [wrong, param] of [
    [{ ...object, amount: 'much' }, 'object.amount'],
    [{ ...object, more: 1 }, 'object.more'],
    [{ id: object.id }, 'object.object'],
  ] as const) {
    const sample = { type: 'payment.completed', object: wrong };
    const refused = await call('sample-events', sample);
    expect([refused.status, refused.body.error.param]).toEqual([400, param]);
  }
  const { id } = await api.post('/v1/customers', {
    type: 'individual',
    external_ref: 'ref-edited',
    email: 'ana@example.com',
    mobile_number: '+12025550190',
  });
  const kept = await api.get(`/v1/customers/${id}`);
  const shown = { type: 'customer.created', object_id: id };
  expect((await call('sample-events', { ...shown, object: kept })).status).toBe(201);
  const other = { ...kept, id: `cus_${'0'.repeat(32)}` };
  const refused = await call('sample-events', { ...shown, object: other });
  expect(refused.body.error).toMatchObject({ param: 'object.id' });
});

test('a test delivery to an address where nobody listens says why', async () => {
  await enable();
  await receiver.close();
  const { body } = await call('webhook-endpoint/test', {});
  expect(body.attempt).toMatchObject({ response_status: null, error: 'connection_refused' });
});
