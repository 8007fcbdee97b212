import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import type { Person } from '../../test/kit/person.ts';
import { application } from '../../test/kit/person.ts';
import { openServer } from '../../test/kit/server.ts';

const server = await openServer();
const { api } = server;
const metadata = { order: '4711', 'till number': 'Ü "3", ;' };

let payer: Person;
let shop: Person;
let completed: ReplyBody;
beforeAll(async () => {
  payer = await api.funded('individual', 500_00);
  shop = await api.banked('business');
  completed = await api.confirmed(api.pay(payer, shop, 100_00));
});

/** Each record that a Tenant creates: where, and by which body. */
const creations: readonly (readonly [string, string, () => object | Promise<object>])[] = [
  ['customer', '/v1/customers', () => application('individual')],
  ['load', '/v1/loads', () => ({ customer_id: payer.customerId, amount: 1_00 })],
  [
    'payment request',
    '/v1/payment-requests',
    () => ({ type: 'dynamic', merchant_customer_id: shop.customerId, amount: 1_00 }),
  ],
  [
    'payment',
    '/v1/payments',
    () => ({
      payer_customer_id: payer.customerId,
      payee_customer_id: shop.customerId,
      amount: 1_00,
      source: 'balance',
    }),
  ],
  ['withdrawal', '/v1/withdrawals', () => ({ customer_id: payer.customerId, amount: 1_00 })],
  [
    'refund',
    '/v1/refund-requests',
    () => ({ payment_id: completed.id, amount: 1, reason: 'other' }),
  ],
  [
    'dispute',
    '/v1/disputes',
    async () => ({
      customer_id: payer.customerId,
      type: 'error',
      description: 'Twice',
      notice_received_at: (await api.get('/portal/api/clock')).now,
    }),
  ],
];

const eventsOf = async ({ id }: ReplyBody): Promise<ReplyBody[]> =>
  (await api.get(`/portal/api/events?object_id=${id}`)).data;

describe.each(creations)('a %s', (kind, path, bodyOf) => {
  test('shows the metadata that it was created with, in every reply and event', async () => {
    const made = await api.post(path, { ...(await bodyOf()), metadata });
    expect(made.metadata).toEqual(metadata);
    expect((await api.get(`${path}/${made.id}`)).metadata).toEqual(metadata);
    const events = await eventsOf(made);
    expect(events.length).toBeGreaterThan(0);
    for (const event of events) expect(event.data.object.metadata).toEqual(metadata);
  });

  test('that was created without has no such field anywhere', async () => {
    const made = await api.post(path, await bodyOf());
    expect(made).not.toHaveProperty('metadata');
    expect(await api.get(`${path}/${made.id}`)).not.toHaveProperty('metadata');
    for (const event of await eventsOf(made))
      expect(event.data.object).not.toHaveProperty('metadata');
  });

  test('is found by it, by each key and by all, and by no other value', async () => {
    const own = { order: `${kind} 1`, shop: 'north [1]' };
    const made = await api.post(path, { ...(await bodyOf()), metadata: own });
    await api.post(path, { ...(await bodyOf()), metadata: { ...own, order: `${kind} 2` } });
    const found = async (query: Readonly<Record<string, string>>): Promise<string[]> =>
      (await api.get(`${path}?${new URLSearchParams(query)}`)).data.map(({ id }: ReplyBody) => id);
    expect(await found({ 'metadata[order]': own.order })).toEqual([made.id]);
    expect(await found({ 'metadata[order]': own.order, 'metadata[shop]': own.shop })).toEqual([
      made.id,
    ]);
    expect(await found({ 'metadata[shop]': own.shop, limit: '100' })).toHaveLength(2);
    expect(await found({ 'metadata[order]': 'north' })).toEqual([]);
    expect(await found({ 'metadata[shop]': own.shop, 'metadata[none]': 'x' })).toEqual([]);
  });
});

test("disputes are found by metadata together with the list's other filters, page by page", async () => {
  const { now } = await api.get('/portal/api/clock');
  const metadata = { desk: 'two' };
  const notice = {
    customer_id: payer.customerId,
    type: 'error',
    description: 'Twice',
    notice_received_at: now,
    metadata,
  };
  const made = [];
  for (let count = 0; count < 3; count += 1) made.unshift(await api.post('/v1/disputes', notice));
  await api.played(made[1] as ReplyBody, 'dispute.resolved_denied');
  const found = async (query: string) => {
    const { data, next_cursor } = await api.get(`/v1/disputes?metadata[desk]=two${query}`);
    return { ids: data.map(({ id }: ReplyBody) => id), next_cursor };
  };
  const ids = made.map(({ id }) => id);
  expect((await found(`&customer_id=${payer.customerId}`)).ids).toEqual(ids);
  expect((await found('&status=closed')).ids).toEqual([ids[1]]);
  for (const other of [`&customer_id=${shop.customerId}`, '&customer_id=cus_x'])
    expect((await found(other)).ids).toEqual([]);
  const first = await found('&limit=2');
  expect(first.ids).toEqual(ids.slice(0, 2));
  expect((await found(`&limit=2&cursor=${first.next_cursor}`)).ids).toEqual(ids.slice(2));
});

test('a linked account shows the metadata that it was created with, and is found by it', async () => {
  const { customerId } = await api.approved('individual');
  const link = { public_token: 'public-sandbox-standard', metadata };
  const made = await api.post(`/v1/customers/${customerId}/linked-accounts`, link);
  const path = '/v1/linked-accounts';
  // The aggregator is asked between; another call makes the link.
  expect((await api.get(`${path}/${made.id}`)).metadata).toEqual(metadata);
  const { data } = await api.get(`${path}?metadata[order]=4711`);
  expect(data.map(({ id }: ReplyBody) => id)).toEqual([made.id]);
});

test.each([
  [
    '21 keys',
    Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, 'x'])),
    'metadata',
    'too_many',
  ],
  ['a key of 41 characters', { ['k'.repeat(41)]: 'x' }, 'metadata', 'too_long'],
  ['a key without characters', { '': 'x' }, 'metadata', 'empty'],
  ['a value of 501 characters', { order: 'x'.repeat(501) }, 'metadata.order', 'too_long'],
  ['a value without characters', { order: '' }, 'metadata.order', 'empty'],
  ['a value that is a number', { order: 7 }, 'metadata.order', 'type'],
  ['a value that is an object', { order: {} }, 'metadata.order', 'type'],
  ['text', 'order=7', 'metadata', 'type'],
  ['a list', ['order'], 'metadata', 'type'],
])('metadata with %s is refused by name', async (_, wrong, param, reason) => {
  const body = { customer_id: payer.customerId, amount: 1_00, metadata: wrong };
  const reply = await api.call('POST', '/v1/loads', { body, key: randomUUID() });
  expect([reply.status, reply.body.error]).toMatchObject([
    400,
    { code: 'parameter_invalid', param, details: { reason } },
  ]);
});

test('the largest metadata is kept as it is, also with names of JavaScript', async () => {
  const keys = Array.from({ length: 18 }, (_, n) => `${n + 10}${'\u{1f600}'.repeat(38)}`);
  const pairs = keys.map((key) => [key, '\u{1f600}'.repeat(500)]);
  const text = JSON.stringify(Object.fromEntries(pairs)).replace(
    '{',
    '{"__proto__":"a","constructor":"b",',
  );
  const body = `{"customer_id":"${payer.customerId}","amount":100,"metadata":${text}}`;
  const made = await api.call('POST', '/v1/loads', { body, key: randomUUID() });
  expect([made.status, JSON.stringify(made.body.metadata).length]).toEqual([201, text.length]);
});

test('the log of calls keeps no value of metadata', async () => {
  const canary = 'blue-canary-in-metadata';
  await api.post('/v1/loads', {
    customer_id: payer.customerId,
    amount: 1_00,
    metadata: { note: canary },
  });
  await server.service.requestLog.flush();
  const { data } = await api.get('/portal/api/requests?limit=5');
  const { rows } = await server.service.pool.query('select * from requests where tenant_id = $1', [
    server.tenant.tenantId,
  ]);
  expect(JSON.stringify([data, rows])).not.toContain(canary);
});
