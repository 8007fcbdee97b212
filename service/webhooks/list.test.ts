import { beforeAll, expect, test } from 'vitest';
import { openServer } from '../../test/kit/server.ts';

const refs = ['one', 'two', 'three', 'four', 'five'];

const server = await openServer();
beforeAll(async () => {
  for (const [index, external_ref] of refs.entries()) {
    const body = {
      type: 'individual',
      external_ref,
      email: 'ana@example.com',
      mobile_number: `+1202555012${index}`,
    };
    const reply = await server.call('POST', '/v1/customers', { key: external_ref, body });
    expect(reply.status).toBe(201);
  }
});

const list = async (query = '') => server.call('GET', `/v1/webhook-events${query}`);
const refsOf = async (query: string) =>
  (await list(query)).body.data.map(
    (event: { data: { object: { external_ref: string } } }) => event.data.object.external_ref,
  );

test('events are listed newest first, with a delivery without attempts', async () => {
  expect(await refsOf('')).toEqual(refs.toReversed());
  const [event] = (await list('')).body.data;
  expect(event.delivery).toEqual({
    status: 'pending',
    attempts: 0,
    last_attempt_at: null,
    last_response_status: null,
    next_attempt_at: null,
  });
});

test('pages follow each other without gap or repeat, under the same filters', async () => {
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await list(`?type=customer.created&limit=2${cursor && `&cursor=${cursor}`}`);
    seen.push(...body.data.map((event: { id: string }) => event.id));
    cursor = body.next_cursor;
  }
  expect(seen).toHaveLength(refs.length);
  expect(new Set(seen).size).toBe(refs.length);
});

test('filters narrow the list', async () => {
  const { body } = await list('');
  const third = body.data[2];
  expect(await refsOf(`?from=${third.created_at}`)).toEqual(['five', 'four', 'three']);
  expect(await refsOf('?from=2020-01-01T00:00:00Z')).toHaveLength(refs.length);
  expect(await refsOf('?from=9999-12-31T23:59:59-10:00')).toEqual([]);
  expect(await refsOf('?type=customer.approved')).toEqual([]);
  expect(await refsOf('?delivery_status=pending')).toHaveLength(refs.length);
  for (const status of ['delivered', 'retrying', 'failed'])
    expect(await refsOf(`?delivery_status=${status}`)).toEqual([]);
});

test.each([
  ['?type=customer.unknown', 'type'],
  ['?delivery_status=lost', 'delivery_status'],
  ['?from=yesterday', 'from'],
  ['?from=2026-01-01T23:59:60Z', 'from'],
  ['?limit=0', 'limit'],
  ['?limit=101', 'limit'],
  ['?cursor=nonsense', 'cursor'],
  ['?unknown=1', 'unknown'],
])('%s is refused', async (query, param) => {
  const { status, body } = await list(query);
  expect([status, body.error.code, body.error.param]).toEqual([400, 'parameter_invalid', param]);
});

test("a cursor of other filters, or another tenant's, is refused, and so are its events", async () => {
  const { next_cursor } = (await list('?limit=1')).body;
  expect((await list(`?limit=1&type=customer.created&cursor=${next_cursor}`)).status).toBe(400);
  const other = await server.anotherTenant();
  const theirs = (query: string) =>
    server.call('GET', `/v1/webhook-events${query}`, { token: other.token });
  expect((await theirs(`?limit=1&cursor=${next_cursor}`)).status).toBe(400);
  expect((await theirs('')).body.data).toEqual([]);
});
