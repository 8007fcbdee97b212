import { randomUUID } from 'node:crypto';
import { webhooks } from '@tenant-payments/sdk-server';
import { pino } from 'pino';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import {
  type ReceivedWebhook,
  startTestReceiver,
  type TestReceiver,
} from '../../../test/kit/http/receiver.ts';
import { openServer, type TestTenant } from '../../../test/kit/server.ts';
import { openFeed } from '../stream/feed.ts';
import { openStreams } from '../stream/streams.ts';

const server = await openServer({ manual: true });
let first: TestReceiver;
let books: TestReceiver;
let tenant: TestTenant;
let api: ReturnType<typeof server.apiOf>;
/** The endpoint beside the first one. */
let added: { readonly id: string; readonly secret: string };

beforeEach(async () => {
  [first, books] = await Promise.all([startTestReceiver(), startTestReceiver()]);
  tenant = await server.anotherTenant({ calendar: false });
  api = server.apiOf(tenant);
  await api.put('/portal/api/webhook-endpoint', { url: first.url });
  const further = { name: 'Books', url: books.url, types: ['customer.created'] };
  added = await api.post('/portal/api/webhook-endpoints', further);
  return () => Promise.all([first.close(), books.close()]).then(() => {});
});

const call = (path: string, body: object) =>
  server.call('POST', `/portal/api/${path}`, { token: tenant.token, body });

let made = 0;
async function customerMade(): Promise<void> {
  made += 1;
  const person = { type: 'individual', external_ref: randomUUID(), email: 'ana@example.com' };
  await api.post('/v1/customers', { ...person, mobile_number: `+1212555${1000 + made}` });
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

test('an event shows its delivery to each endpoint, by name', async () => {
  books.answer(500);
  await customerMade();
  await deliver();
  const { data } = await api.get('/portal/api/events');
  expect(data).toMatchObject([
    {
      delivery: { status: 'delivered', attempts: 1, last_response_status: 200 },
      further_deliveries: [
        {
          endpoint_id: added.id,
          endpoint_name: 'Books',
          status: 'retrying',
          attempts: 1,
          last_response_status: 500,
        },
      ],
    },
  ]);
});

test('the live feed tells of each attempt whose it is, with the delivery there, each once', async () => {
  const isReady = () => true;
  const { db } = server.service;
  const times = { pollMs: 20, beatMs: 60, askMs: 1_000, stallMs: 2_000 };
  const streams = openStreams(openFeed(db), pino({ level: 'silent' }), isReady, times);
  onTestFinished(() => streams.close());
  const { stream } = await streams.open({
    tenantId: tenant.tenantId,
    caller: `person ${randomUUID()}`,
    types: new Set(['events', 'attempts']),
    resume: null,
    isAllowed: async () => true,
    show: (row) => row,
  });
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const rows = (type: string): ReplyBody[] =>
    text
      .split('\n\n')
      .filter((part) => part.includes(`\nevent: ${type}\n`))
      .map((part) => JSON.parse(part.slice(part.indexOf('\ndata: ') + '\ndata: '.length)));
  books.answer(500);
  await customerMade();
  await deliver();
  await expect.poll(() => rows('attempts').length, { timeout: 5_000 }).toBe(2);
  const told = rows('attempts').map((row) => ({
    endpoint: [row.endpoint_id, row.endpoint_name],
    url: row.url,
    status: row.delivery.status,
  }));
  expect(told).toHaveLength(2);
  expect(told).toEqual(
    expect.arrayContaining([
      { endpoint: [null, null], url: first.url, status: 'delivered' },
      { endpoint: [added.id, 'Books'], url: books.url, status: 'retrying' },
    ]),
  );
  expect(rows('events')).toMatchObject([
    { further_deliveries: [{ endpoint_id: added.id, endpoint_name: 'Books' }] },
  ]);
  // Each can be gone on behind: its id is one that the feed takes.
  const ids = text.match(/(?<=^id: ).+$/gm) ?? [];
  for (const id of ids) {
    const path = `/portal/api/stream?types=attempts`;
    const headers = { authorization: `Bearer ${tenant.token}`, 'last-event-id': id };
    const reply = await fetch(server.baseUrl + path, { headers });
    expect([id, reply.status]).toEqual([id, 200]);
    await reply.body?.cancel();
  }
});

test('the overview counts the attempts at every endpoint, and says whose they are', async () => {
  books.answer(500);
  await customerMade();
  await customerMade();
  await deliver();
  const { deliveries, delivered_to, checklist } = await api.get('/portal/api/overview');
  expect(delivered_to).toEqual([
    { endpoint_id: null, endpoint_name: null, delivered: 2, failed: 0 },
    { endpoint_id: added.id, endpoint_name: 'Books', delivered: 0, failed: 2 },
  ]);
  expect(deliveries.at(-1)).toMatchObject({ delivered: 2, failed: 2 });
  expect(checklist.first_event_delivered.done).toBe(true);
});

test('a test delivery goes to the endpoint that it names alone, whatever its types', async () => {
  const { status, body } = await call('webhook-endpoint/test', {
    type: 'load.settled',
    endpoint_id: added.id,
  });
  expect([status, body.attempt?.url, body.attempt?.response_status]).toEqual([200, books.url, 200]);
  await deliver();
  expect([idsAt(first), idsAt(books)]).toEqual([[], [body.event_id]]);
  const [received] = books.received as [ReceivedWebhook];
  expect(await isSigned(received, added.secret)).toBe(true);
  // Without one it is as any other event, and the first one's attempt is answered.
  const any = await call('webhook-endpoint/test', { type: 'load.settled' });
  expect(any.body.attempt.url).toBe(first.url);
  await deliver();
  expect([idsAt(first), idsAt(books).length]).toEqual([[any.body.event_id], 1]);
});

test('a test delivery is refused for an endpoint that is unknown or off, and for a secret of another', async () => {
  const refused = async (body: object) => {
    const reply = await call('webhook-endpoint/test', body);
    const { code, param, details } = reply.body.error;
    return [reply.status, code, param ?? details?.reason];
  };
  for (const endpoint_id of ['whe_x', `whe_${'0'.repeat(32)}`])
    expect(await refused({ endpoint_id })).toEqual([404, 'not_found', 'endpoint_id']);
  const secretOf = async (query: string) =>
    (await api.get(`/portal/api/webhook-secrets${query}`)).data[0].id;
  const [own, theirs] = [await secretOf(''), await secretOf(`?endpoint_id=${added.id}`)];
  const wrong = [404, 'not_found', 'secret_id'];
  expect(await refused({ secret_id: theirs })).toEqual(wrong);
  expect(await refused({ secret_id: own, endpoint_id: added.id })).toEqual(wrong);
  await api.put(`/portal/api/webhook-endpoints/${added.id}`, { enabled: false });
  expect(await refused({ endpoint_id: added.id })).toEqual([409, 'invalid_state', 'no_endpoint']);
});

test('a sample that one secret of an endpoint signs alone is signed at another by its own', async () => {
  const another = await api.post('/portal/api/webhook-secrets', { endpoint_id: added.id });
  const { body } = await call('webhook-endpoint/test', {
    endpoint_id: added.id,
    secret_id: another.id,
  });
  expect(body.attempt.response_status).toBe(200);
  const [there] = books.received as [ReceivedWebhook];
  expect([await isSigned(there, another.secret), await isSigned(there, added.secret)]).toEqual([
    true,
    false,
  ]);
  await call(`events/${body.event_id}/resend`, {});
  await deliver();
  const [here] = first.received as [ReceivedWebhook];
  expect(await isSigned(here, tenant.webhook_secret)).toBe(true);
});
