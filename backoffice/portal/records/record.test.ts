import { lifecycles } from '@tenant-payments/contract/lifecycles.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { openSampleLedger } from '../../../test/kit/ledger/sample_ledger.ts';
import type { TestServer } from '../../../test/kit/server.ts';
import { recordLists } from './lists.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openSampleLedger();
});
afterAll(() => server.stop());

const get = async (path: string): Promise<ReplyBody> => {
  const { status, body } = await server.call('GET', path);
  expect([path, status]).toEqual([path, 200]);
  return body;
};
const page = (id: string) => get(`/portal/api/records/${id}`);
const ofKind = (rows: ReplyBody[], kind: string) => rows.filter((row) => row.kind === kind);

test.each(recordLists.map(({ endpoint, table }) => [endpoint.path, table] as const))(
  'each record of %s has a page with the record, its events and the moves from its status',
  async (path, table) => {
    const { resource, moves } = table.lifecycle;
    for (const record of (await get(`${path}?limit=100`)).data) {
      const found = await page(record.id);
      expect(found).toMatchObject({ id: record.id, resource, record });
      const expected = Object.entries(moves)
        .filter(([, { from }]) => from !== 'new' && from.includes(found.status as never))
        .map(([name]) => name);
      expect(found.moves.map(({ name }: ReplyBody) => name)).toEqual(expected);
      const { data } = await get(`/portal/api/events?limit=100&object_id=${record.id}`);
      const listed = data.map(({ id }: ReplyBody) => id);
      expect(ofKind(found.timeline, 'event').map(({ id }) => id)).toEqual(listed);
    }
  },
);

test('a payment shows its ledger lines, and the request that made it below its first event', async () => {
  const { api } = server;
  const ana = await api.funded('individual', 50_00);
  const cafe = await api.banked('business');
  const made = await server.call('POST', '/v1/payments', {
    key: 'made',
    body: {
      payer_customer_id: ana.customerId,
      payee_customer_id: cafe.customerId,
      amount: 5_00,
      source: 'balance',
    },
  });
  await api.confirmed(made.body);
  await server.service.requestLog.flush();
  const { timeline, related } = await page(made.body.id);
  const entries = (await get(`/portal/api/ledger/entries?source_id=${made.body.id}`)).data;
  expect(ofKind(timeline, 'entry').map(({ id, delta }) => [id, delta])).toEqual(
    entries.map(({ id, delta }: ReplyBody) => [id, delta]),
  );
  expect(timeline.at(-1)).toEqual({
    kind: 'request',
    at: expect.any(String),
    id: made.headers.get('service-request-id'),
    method: 'POST',
    path: '/v1/payments',
    status: 201,
  });
  const names = related.map(({ id }: ReplyBody) => id);
  expect(names).toEqual(
    expect.arrayContaining([ana.customerId, ana.accountId, cafe.customerId, cafe.accountId]),
  );
  expect(related.map(({ resource }: ReplyBody) => resource)).toContain('session');

  const posted = related.find(({ resource }: ReplyBody) => resource === 'transaction');
  const transaction = await page(posted.id);
  expect(transaction).toMatchObject({ resource: 'transaction', status: 'posted' });
  expect(transaction.related.map(({ id }: ReplyBody) => id)).toContain(made.body.id);
});

test('records lead to each other both ways, and to their requests and events', async () => {
  const [refund] = (await get('/portal/api/refunds')).data;
  const ids = async (id: string) => (await page(id)).related.map((one: ReplyBody) => one.id);
  expect(await ids(refund.id)).toContain(refund.payment_id);
  expect(await ids(refund.payment_id)).toContain(refund.id);
  const event = ofKind((await page(refund.id)).timeline, 'event').at(-1);
  expect(await page(event?.id)).toMatchObject({ resource: 'event', moves: [] });
  expect(await ids(event?.id)).toContain(refund.id);
});

test('in the sandbox a move names what simulates it, with the failure codes that it takes', async () => {
  const { data } = await get('/portal/api/loads?status=processing');
  const { moves } = await page(data[0].id);
  const failing = moves.find(({ name }: ReplyBody) => name === 'fail');
  expect(lifecycles.load.moves.fail.simulate).toBe('load.failed');
  expect(failing).toMatchObject({ simulate: 'load.failed', event: 'load.failed' });
  expect(failing.failure_codes).toContain('customer_refused');
});

test('a request leads to the records that it made', async () => {
  const made = await server.call('POST', '/v1/customers', {
    key: 'of-request',
    body: {
      type: 'individual',
      external_ref: 'of-request',
      email: 'eva@example.com',
      mobile_number: '+12025550177',
    },
  });
  await server.service.requestLog.flush();
  const id = made.headers.get('service-request-id') ?? '';
  const found = await page(id);
  expect(found).toMatchObject({ resource: 'request', status: '201', record: { id } });
  expect(found.related).toEqual([{ resource: 'customer', id: made.body.id }]);
  expect(ofKind(found.timeline, 'event')).toHaveLength(1);
});

test("another tenant's record, and an id that nothing has, are not found", async () => {
  const { token } = await server.anotherTenant();
  const [payment] = (await get('/portal/api/payments')).data;
  for (const [id, as] of [
    [payment.id, token],
    ['pay_x', server.token],
    [`adj_${'0'.repeat(32)}`, server.token],
  ])
    expect(await server.call('GET', `/portal/api/records/${id}`, { token: as })).toMatchObject({
      status: 404,
    });
});
