import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { openSampleLedger } from '../../../test/kit/ledger/sample_ledger.ts';
import { portalPerson } from '../../../test/kit/people.ts';
import type { TestServer } from '../../../test/kit/server.ts';
import { portalEndpoints } from '../../contract/catalog.ts';
import { recordLists } from '../records/lists.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openSampleLedger();
});
afterAll(() => server.stop());

const get = (path: string): Promise<ReplyBody> => server.api.get(`/portal/api${path}`);
const movesOf = async (id: string): Promise<ReplyBody[]> =>
  (await get(`/records/${id}/moves`)).data;
const simulate = ({ event, failure_codes }: ReplyBody, object_id: string) =>
  server.call('POST', `/portal/api/simulate/${event}`, {
    body: { object_id, failure_code: failure_codes[0] ?? null },
  });
const statusAfter = ({ effect }: ReplyBody, object_id: string) =>
  effect.changes.find(({ id, field }: ReplyBody) => id === object_id && field === 'status')?.after;

const lists = recordLists.map(({ endpoint }) => endpoint.path);

test.each(lists)('what %s cannot do now is refused with the code that is listed', async (path) => {
  for (const { id } of (await server.api.get(`${path}?limit=100`)).data)
    for (const move of (await movesOf(id)).filter(({ obstacle }) => obstacle)) {
      const { status, body } = await simulate(move, id);
      expect([id, move.event, status >= 400, body.error?.code]).toEqual([
        id,
        move.event,
        true,
        move.obstacle.code,
      ]);
    }
});

test.each(lists)('listing the moves of %s changes no record', async (path) => {
  const { data } = await server.api.get(`${path}?limit=100`);
  for (const { id } of data) {
    const before = await get(`/records/${id}`);
    await movesOf(id);
    expect(await get(`/records/${id}`)).toEqual(before);
  }
});

test.each(lists)('what %s can do now happens as it was listed', async (path) => {
  const done = new Set<string>();
  for (const { id } of (await server.api.get(`${path}?limit=100`)).data) {
    const [move] = (await movesOf(id)).filter(
      ({ obstacle, event }) => !obstacle && !done.has(event),
    );
    if (!move) continue;
    done.add(move.event);
    const { status, body } = await simulate(move, id);
    expect([id, move.event, status]).toEqual([id, move.event, 202]);
    expect(body).toMatchObject({ object: 'simulation', event: move.event, object_id: id });
    const { data } = await get(`/events?request_id=${body.request_id}&limit=100`);
    const expected = statusAfter(move, id);
    const own = data.find(({ data: { object } }: ReplyBody) => object.id === id);
    if (expected !== undefined && own?.data.object.status)
      expect([id, move.event, own.data.object.status]).toEqual([id, move.event, expected]);
  }
});

test('a move that fails a record takes each code of the bank, its default first', async () => {
  const { api } = server;
  const ana = await api.funded('individual', 50_00);
  const load = await api.confirmed(api.load(ana, 5_00));
  const failing = (await movesOf(load.id)).find(({ event }) => event === 'load.failed');
  expect(failing).toMatchObject({ by: ['bank', 'service'], obstacle: null });
  expect(failing?.failure_codes[0]).toBe('customer_refused');
  expect(failing?.failure_codes).toContain('account_closed');
  const body = { object_id: load.id, failure_code: 'account_closed' };
  await api.post('/portal/api/simulate/load.failed', body);
  expect(await api.get(`/v1/loads/${load.id}`)).toMatchObject({
    status: 'failed',
    failure_code: 'account_closed',
  });
});

test('the effect tells the postings, and that a customer may leave a flow or decline it', async () => {
  const { api } = server;
  const ana = await api.funded('individual', 50_00);
  const cafe = await api.approved('business');
  const payment = await api.pay(ana, cafe, 5_00);
  const moves = await movesOf(payment.id);
  const named = (event: string) => moves.filter((move) => move.event === event);
  const [complete] = named('session.completed');
  expect(complete).toMatchObject({ by: ['customer'], failure_codes: [] });
  const holder = `${ana.accountId}.pending_outgoing`;
  expect(complete?.effect.postings).toEqual([
    { from: holder, to: `${cafe.accountId}.available`, amount: payment.net_amount },
    { from: holder, to: 'tenant.fees_platform', amount: 3 },
    { from: holder, to: 'tenant.fees_tenant', amount: 25 },
  ]);
  const ends = named('session.canceled').map((move) => [
    move.failure_codes,
    statusAfter(move, payment.id),
  ]);
  expect(ends).toEqual([
    [[], undefined],
    [['confirmation_declined'], 'canceled'],
  ]);
});

test('a developer who is signed in simulates, and a reader does not', async () => {
  const { tenantId } = server.tenant;
  const [developer, reader] = [
    await portalPerson(server, tenantId, ['developer']),
    await portalPerson(server, tenantId, ['reader']),
  ];
  const { id } = await server.api.applied('individual');
  const path = '/simulate/customer.approved';
  expect((await reader.ask('POST', path, { object_id: id })).body.error.code).toBe('forbidden');
  expect((await reader.ask('GET', `/records/${id}/moves`)).status).toBe(403);
  const reply = await developer.ask('POST', path, { object_id: id });
  expect([reply.status, reply.body.request_id]).toEqual([
    portalEndpoints.simulateMove.success.status,
    reply.headers.get('service-request-id'),
  ]);
});

test("another tenant's record is not found, and an event has no moves", async () => {
  const { token } = await server.anotherTenant();
  const [payment] = (await get('/payments')).data;
  for (const [method, path, body] of [
    ['GET', `/records/${payment.id}/moves`, undefined],
    ['POST', '/simulate/payment.completed', { object_id: payment.id }],
  ] as const) {
    const reply = await server.call(method, `/portal/api${path}`, { token, ...(body && { body }) });
    expect([path, reply.status]).toEqual([path, 404]);
  }
  const [event] = (await get('/events')).data;
  expect(await movesOf(event.id)).toEqual([]);
});
