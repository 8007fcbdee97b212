import { afterAll, expect, test } from 'vitest';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { startTestReceiver } from '../../../test/kit/http/receiver.ts';
import { openServer, type TestTenant } from '../../../test/kit/server.ts';

const server = await openServer({ manual: true });
const receiver = await startTestReceiver();
afterAll(() => receiver.close());

const overview = async ({ token }: Pick<TestTenant, 'token'>): Promise<ReplyBody> => {
  await server.service.requestLog.flush();
  const { status, body } = await server.call('GET', '/portal/api/overview', { token });
  expect(status).toBe(200);
  return body;
};
const sum = (rows: ReplyBody[], field: string): number =>
  rows.reduce((total, row) => total + row[field], 0);

test('a new tenant has 24 empty hours and nothing done but its token', async () => {
  const { token, tenantId } = await server.anotherTenant({ calendar: false });
  await server.service.requestLog.flush();
  await server.service.pool.query('delete from requests where tenant_id = $1', [tenantId]);
  const found = await overview({ token });
  for (const rows of [found.requests, found.deliveries]) {
    expect(rows).toHaveLength(24);
    const steps = rows.slice(1).map((row: ReplyBody, index: number) => {
      return Date.parse(row.hour) - Date.parse(rows[index].hour);
    });
    expect(new Set(steps)).toEqual(new Set([3_600_000]));
  }
  expect(sum(found.requests, 'ok') + sum(found.deliveries, 'failed')).toBe(0);
  expect(found.requests[0]).toMatchObject({ p50_ms: null, p95_ms: null });
  expect(found.endpoint).toEqual({
    url: null,
    enabled: false,
    last_success_at: null,
    failure_streak: 0,
  });
  const done = Object.entries<{ done: boolean }>(found.checklist).filter(([, one]) => one.done);
  expect(done.map(([name]) => name)).toEqual(['token_fetched']);
  expect(found.refusals).toEqual([]);
});

test('requests, deliveries, refusals and the endpoint are counted, and steps tick by themselves', async () => {
  const tenant = await server.anotherTenant({ calendar: false });
  const api = server.apiOf(tenant);
  const { token } = tenant;
  await api.put('/portal/api/webhook-endpoint', { url: receiver.url });
  await api.post('/portal/api/webhook-endpoint/test', {});
  receiver.answer(500);
  for (let count = 0; count < 2; count += 1)
    await api.post('/portal/api/webhook-endpoint/test', {});
  const ids: (string | null)[] = [];
  for (let count = 0; count < 3; count += 1) {
    const refused = await server.call('GET', '/v1/payments/pay_x', { token });
    ids.push(refused.headers.get('service-request-id'));
  }
  await server.call('GET', '/v1/accounts', { token });
  await server.call('GET', '/v1/webhook-events', { token });
  await api.advance(60);
  const found = await overview(tenant);
  expect(sum(found.requests, 'refused')).toBe(4);
  expect(sum(found.requests, 'ok')).toBeGreaterThan(0);
  expect(sum(found.requests, 'failed')).toBe(0);
  expect(found.requests.at(-1).p95_ms).toBeGreaterThanOrEqual(found.requests.at(-1).p50_ms);
  expect(sum(found.deliveries, 'delivered')).toBe(1);
  expect(sum(found.deliveries, 'failed')).toBeGreaterThanOrEqual(2);
  expect(found.endpoint).toMatchObject({
    url: receiver.url,
    enabled: true,
    last_success_at: expect.any(String),
    failure_streak: sum(found.deliveries, 'failed'),
  });
  expect(found.refusals.find(({ code }: ReplyBody) => code === 'not_found')).toMatchObject({
    count: 3,
    request_id: ids.at(-1),
  });
  const { checklist } = found;
  for (const name of ['endpoint_set', 'first_event_delivered', 'clock_moved'])
    expect([name, checklist[name]]).toEqual([name, { done: true, at: expect.any(String) }]);
  expect(checklist.first_payment_completed).toEqual({ done: false, at: null });
});

test("another tenant's requests and deliveries are not counted", async () => {
  const { token } = await server.anotherTenant({ calendar: false });
  const found = await overview({ token });
  expect(sum(found.requests, 'refused') + sum(found.deliveries, 'delivered')).toBe(0);
});
