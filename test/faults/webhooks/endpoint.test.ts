import { setTimeout as sleep } from 'node:timers/promises';
import { deliveryOffsetsSeconds } from '@tenant-payments/contract/resources/webhook_events.ts';
import { webhooks } from '@tenant-payments/sdk-server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { fetchToken } from '../../kit/http/http.ts';
import { startTestReceiver, type TestReceiver } from '../../kit/http/receiver.ts';
import { refusalOf } from '../../kit/refusal.ts';
import { type Deliveries, openDeliveries, type Subscriber, subscriberOf } from './deliveries.ts';

/** Endpoints, secrets and resends that come and go between attempts (rules/webhooks#3). */
let deliveries: Deliveries;
let receiver: TestReceiver;
let ana: Subscriber;
let skewMs = 0;

const daySeconds = 86_400;

beforeAll(async () => {
  deliveries = await openDeliveries({ realNow: () => Date.now() + skewMs });
});
beforeEach(async () => {
  skewMs = 0;
  receiver = await startTestReceiver();
  ana = await deliveries.subscriber(receiver.url);
});
afterEach(async () => {
  await receiver.close();
  await deliveries.drain();
});
afterAll(() => deliveries.stop());

const resend = async (id: string) =>
  (await ana.api.post(`/v1/webhook-events/${id}/resend`)).delivery;
/** The requests of one event; an advance brings others, too, as when a session expires. */
const sent = (id: string) => receiver.received.filter(({ event }) => event.id === id);
/** Long enough for several looks of a dispatcher. */
const awhile = () => sleep(200);

/** Spoils what is sealed, as under another SEALING_KEY. */
const spoilSecrets = () =>
  deliveries.server.service.pool.query(
    `update webhook_secrets set sealed = 'spoiled' where tenant_id = $1`,
    [ana.tenant.tenantId],
  );

/** An event in a state, and what a resend there makes of it. */
interface ResendCase {
  readonly state: string;
  /** @returns the event's id */
  prepare(): Promise<string>;
  /** The event as the resend's reply shows it. */
  readonly shown: object;
  /** The event's state in the end, and the requests that came for the resend. */
  readonly ends: { readonly status: string; readonly attempts: number };
  readonly requests: number;
}

async function refusedOnce(): Promise<string> {
  receiver.answer(500);
  deliveries.dispatch();
  const id = await ana.makeEvent();
  await ana.until(id, { status: 'retrying', attempts: 1 });
  receiver.answer(200);
  return id;
}

async function deliveredOnce(): Promise<string> {
  deliveries.dispatch();
  const id = await ana.makeEvent();
  await ana.until(id, { status: 'delivered' });
  return id;
}

async function withoutEndpoint(): Promise<string> {
  ana = await deliveries.subscriber();
  deliveries.dispatch();
  return ana.makeEvent();
}

const resends: readonly ResendCase[] = [
  {
    state: 'pending, and there never was an endpoint',
    prepare: withoutEndpoint,
    shown: { status: 'pending', attempts: 0 },
    ends: { status: 'pending', attempts: 0 },
    requests: 0,
  },
  {
    state: 'pending, and the endpoint is disabled',
    prepare: async () => {
      await ana.setEndpoint(receiver.url, false);
      deliveries.dispatch();
      return ana.makeEvent();
    },
    shown: { status: 'pending', attempts: 0 },
    ends: { status: 'pending', attempts: 0 },
    requests: 0,
  },
  {
    state: 'pending from a time without an endpoint, and there is one now',
    prepare: async () => {
      const id = await withoutEndpoint();
      await ana.setEndpoint(receiver.url);
      await awhile();
      return id;
    },
    shown: { status: 'pending', attempts: 0 },
    ends: { status: 'delivered', attempts: 1 },
    requests: 1,
  },
  {
    state: 'pending, resent before in vain while the endpoint was disabled',
    prepare: async () => {
      await ana.setEndpoint(receiver.url, false);
      deliveries.dispatch();
      const id = await ana.makeEvent();
      await resend(id);
      await awhile();
      await ana.setEndpoint(receiver.url);
      await awhile();
      return id;
    },
    shown: { status: 'pending', attempts: 0 },
    ends: { status: 'delivered', attempts: 1 },
    requests: 1,
  },
  {
    state: 'retrying',
    prepare: refusedOnce,
    shown: { status: 'retrying', attempts: 1 },
    ends: { status: 'delivered', attempts: 2 },
    requests: 1,
  },
  {
    state: 'retrying, and the endpoint is disabled',
    prepare: async () => {
      const id = await refusedOnce();
      await ana.setEndpoint(receiver.url, false);
      return id;
    },
    shown: { status: 'retrying', attempts: 1 },
    ends: { status: 'retrying', attempts: 1 },
    requests: 0,
  },
  {
    state: 'delivered',
    prepare: deliveredOnce,
    shown: { status: 'pending', attempts: 1 },
    ends: { status: 'delivered', attempts: 2 },
    requests: 1,
  },
  {
    state: 'delivered twenty-nine days ago',
    prepare: async () => {
      const id = await deliveredOnce();
      await ana.api.advance(29 * daySeconds);
      return id;
    },
    shown: { status: 'pending', attempts: 1 },
    ends: { status: 'delivered', attempts: 2 },
    requests: 1,
  },
  {
    state: 'failed',
    prepare: async () => {
      const id = await refusedOnce();
      receiver.answer(500);
      await ana.api.advance(3 * daySeconds);
      await ana.until(id, { status: 'failed', attempts: 12 });
      receiver.answer(200);
      return id;
    },
    shown: { status: 'pending', attempts: 12, next_attempt_at: null },
    ends: { status: 'delivered', attempts: 13 },
    requests: 1,
  },
];

test.each(resends)('a resend of what is $state', async ({ prepare, shown, ends, requests }) => {
  const id = await prepare();
  const before = sent(id).length;
  expect(await resend(id)).toMatchObject(shown);
  await ana.until(id, ends);
  await awhile();
  expect(await ana.delivery(id)).toMatchObject(ends);
  expect(sent(id).length - before).toBe(requests);
});

test('a resend of what is on its way for the first time adds nothing', async () => {
  let release = () => {};
  receiver.answer((_request, response) => {
    release = () => void response.writeHead(200).end();
  });
  deliveries.dispatch();
  const id = await ana.makeEvent();
  await receiver.waitFor(1);
  expect(await resend(id)).toMatchObject({ status: 'pending', attempts: 0 });
  release();
  await ana.until(id, { status: 'delivered', attempts: 1 });
  await awhile();
  expect(sent(id)).toHaveLength(1);
});

test('a failed delivery that is resent begins a whole new schedule', async () => {
  const id = await refusedOnce();
  receiver.answer(500);
  await ana.api.advance(3 * daySeconds);
  await ana.until(id, { status: 'failed', attempts: 12 });
  await resend(id);
  const again = await ana.until(id, { status: 'retrying', attempts: 13 });
  expect(Date.parse(again.next_attempt_at) - Date.parse(again.last_attempt_at)).toBe(60_000);
  await ana.api.advance(3 * daySeconds);
  await ana.until(id, { status: 'failed', attempts: 24 });
});

test('past thirty days an event is neither listed nor sent again', async () => {
  const id = await deliveredOnce();
  await ana.api.advance(30 * daySeconds + 60);
  expect(await refusalOf(resend(id))).toMatchObject({ code: 'not_found' });
  expect(await ana.delivery(id)).toBeUndefined();
  await awhile();
  expect(sent(id)).toHaveLength(1);
});

test('each attempt goes to the endpoint of its moment', async () => {
  const id = await refusedOnce();
  const second = await startTestReceiver();
  second.answer(500);
  await ana.setEndpoint(second.url);
  await awhile();
  expect(second.received).toHaveLength(0);
  await ana.api.advance(60);
  await ana.setEndpoint(receiver.url);
  await ana.api.advance(240);
  await second.close();
  expect(
    (await ana.attempts(id)).map(({ url, response_status }) => [url, response_status]),
  ).toEqual([
    [receiver.url, 500],
    [second.url, 500],
    [receiver.url, 200],
  ]);
  expect([sent(id).length, second.received.length]).toEqual([2, 1]);
});

test('a schedule runs on while the endpoint is disabled, and enabling it sends nothing by itself', async () => {
  const id = await refusedOnce();
  const first = (await ana.delivery(id)).last_attempt_at;
  await ana.setEndpoint(receiver.url, false);
  await ana.api.advance(2 * 3_600);
  await ana.setEndpoint(receiver.url);
  await awhile();
  const waiting = await ana.delivery(id);
  expect(waiting).toMatchObject({ status: 'retrying', attempts: 1 });
  expect(Date.parse(waiting.next_attempt_at) - Date.parse(first)).toBe(6 * 3_600_000);
  expect(sent(id)).toHaveLength(1);
  await ana.api.advance(4 * 3_600);
  expect(await ana.delivery(id)).toMatchObject({ status: 'delivered', attempts: 2 });
});

test('a schedule that ends without an endpoint has failed, and says how often it was tried', async () => {
  const id = await refusedOnce();
  await ana.setEndpoint(receiver.url, false);
  await ana.api.advance(3 * daySeconds);
  expect(await ana.delivery(id)).toMatchObject({
    status: 'failed',
    attempts: 1,
    next_attempt_at: null,
  });
});

test('under an advance each attempt is made at its offset: one event, the same bytes, a fresh signature', async () => {
  receiver.answer(500);
  const id = await ana.makeEvent();
  await ana.api.advance(3 * daySeconds);
  const made = await ana.attempts(id);
  const firstMs = Date.parse(made[0].at);
  expect(made.map(({ at }) => (Date.parse(at) - firstMs) / 1_000)).toEqual(deliveryOffsetsSeconds);
  expect(await ana.delivery(id)).toMatchObject({ status: 'failed', attempts: 12 });
  const requests = sent(id);
  expect(requests).toHaveLength(12);
  const [one] = requests;
  for (const [index, { body, headers }] of requests.entries()) {
    expect(body.equals(one?.body ?? Buffer.alloc(0))).toBe(true);
    // Signed by real time, whatever the tenant's clock says, or this would be refused.
    expect(webhooks.unwrap(body, headers, { secrets: ana.tenant.webhook_secret }).id).toBe(id);
    expect(made[index].request_headers['service-signature']).toBe(headers['service-signature']);
    expect(made[index].request_body).toBe(body.toString('utf8'));
  }
});

test('in real time overdue attempts collapse into one, signed afresh', async () => {
  const id = await refusedOnce();
  receiver.answer(500);
  skewMs = 3 * 3_600_000;
  const { server } = deliveries;
  const token = await fetchToken(server.baseUrl, ana.tenant);
  ana = subscriberOf(server, { ...ana.tenant, token });
  const { next_attempt_at } = await ana.until(id, { status: 'retrying', attempts: 2 });
  await awhile();
  const made = await ana.attempts(id);
  expect(made).toHaveLength(2);
  expect(Date.parse(next_attempt_at) - Date.parse(made[0].at)).toBe(6 * 3_600_000);
  const [first, second] = sent(id).map(({ headers }) => headers['service-signature']);
  expect(second).not.toBe(first);
  const [, last] = sent(id);
  const secrets = ana.tenant.webhook_secret;
  const now = () => new Date(Date.now() + skewMs);
  expect(webhooks.unwrap(last?.body ?? '', last?.headers ?? {}, { secrets, now }).id).toBe(id);
});

test('without a secret that can be opened nothing is sent and each attempt says why; with one again it is', async () => {
  await spoilSecrets();
  const id = await ana.makeEvent();
  await ana.api.advance(300);
  expect(receiver.received).toHaveLength(0);
  const unsent = await ana.attempts(id);
  expect(unsent.map(({ error, response_status }) => [error, response_status])).toEqual(
    Array(3).fill(['no_active_secret', null]),
  );
  const { secret } = await ana.api.post('/portal/api/webhook-secrets');
  await ana.api.advance(1_500);
  expect(await ana.delivery(id)).toMatchObject({ status: 'delivered', attempts: 4 });
  const [request] = sent(id);
  const shown = webhooks.unwrap(request?.body ?? '', request?.headers ?? {}, { secrets: secret });
  expect(shown.id).toBe(id);
});
