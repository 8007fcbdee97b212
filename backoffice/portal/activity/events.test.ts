import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { startTestReceiver } from '../../../test/kit/http/receiver.ts';
import { openServer } from '../../../test/kit/server.ts';

const server = await openServer({ manual: true, tenant: { calendar: false } });
const { api, tenant, workers } = server;
const receiver = await startTestReceiver();
afterAll(() => receiver.close());

const list = async (query = ''): Promise<ReplyBody[]> => {
  const { status, body } = await server.call('GET', `/portal/api/events?limit=100${query}`);
  expect([query, status]).toEqual([query, 200]);
  return body.data;
};
const idsOf = async (query: string) => (await list(query)).map(({ id }) => id);
const deliver = () => workers.dispatcher.deliverDue(tenant.tenantId);
const application = (last: number) => ({
  type: 'individual',
  external_ref: `ref-${last}`,
  email: 'ana@example.com',
  mobile_number: `+1202555011${last}`,
});

/** An event each: none, delivered, retrying, failed, pending. */
const ids: Record<string, string> = {};
const customers: Record<string, string> = {};
const requests: Record<string, string | null> = {};
const names = ['none', 'delivered', 'failed', 'retrying', 'pending'];

async function made(name: string): Promise<void> {
  const body = application(names.indexOf(name));
  const reply = await server.call('POST', '/v1/customers', { key: name, body });
  const [event] = await list(`&object_id=${reply.body.id}`);
  ids[name] = event.id;
  customers[name] = reply.body.id;
  requests[name] = reply.headers.get('service-request-id');
}

beforeAll(async () => {
  await made('none');
  await api.put('/portal/api/webhook-endpoint', { url: receiver.url });
  await made('delivered');
  await deliver();
  receiver.answer(500);
  await made('failed');
  await deliver();
  await api.advance(73 * 3_600);
  await made('retrying');
  await deliver();
  await made('pending');
});

test('each event is shown as the API shows it, with its cause and its delivery', async () => {
  const { data } = await api.get('/v1/webhook-events?limit=100');
  const found = await list();
  expect(found.map(({ id }) => id)).toEqual(data.map(({ id }: ReplyBody) => id));
  const { delivery, ...event } = data.find(({ id }: ReplyBody) => id === ids.failed);
  expect(delivery).toMatchObject({ status: 'failed', attempts: 12 });
  expect(found.find(({ id }) => id === ids.failed)).toEqual({
    ...event,
    request_id: requests.failed,
    sample: false,
    delivery,
    further_deliveries: [],
  });
});

test.each(names)('finds what is %s, and nothing else', async (name) => {
  const all = await list();
  const found = await list(`&delivery_status=${name}`);
  expect(found).toEqual(all.filter(({ delivery }) => delivery.status === name));
  expect(found.map(({ id }) => id)).toContain(ids[name]);
});

test('finds events by the request that caused them, by their record and by type', async () => {
  for (const name of names) {
    expect(await idsOf(`&request_id=${requests[name]}`)).toEqual([ids[name]]);
    expect(await idsOf(`&object_id=${customers[name]}&type=customer.created`)).toEqual([ids[name]]);
    expect(await idsOf(`&object_id=${customers[name]}&type=customer.approved`)).toEqual([]);
  }
  for (const unknown of ['object_id=pay_x', `object_id=${ids.none}`, 'request_id=req_x'])
    expect(await idsOf(`&${unknown}`)).toEqual([]);
});

test('finds the samples of a record among its events', async () => {
  const body = { type: 'customer.created', object_id: customers.none };
  const sample = await api.post('/portal/api/sample-events', body);
  const found = await list(`&object_id=${customers.none}`);
  expect(found.map(({ id, sample }) => [id, sample])).toEqual([
    [sample.id, true],
    [ids.none, false],
  ]);
});

test('from is included and to is not', async () => {
  const { created_at } = (await list()).find(({ id }) => id === ids.retrying) ?? {};
  const from = await idsOf(`&from=${created_at}`);
  const to = await idsOf(`&to=${created_at}`);
  expect(from).toContain(ids.retrying);
  expect(from).not.toContain(ids.failed);
  expect(to).toContain(ids.failed);
  expect(to).not.toContain(ids.retrying);
  expect([...from, ...to].sort()).toEqual((await idsOf('')).sort());
});

test('gives the same page by page, and takes a cursor only under its filters', async () => {
  const all = await idsOf('');
  const found: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await server.call('GET', `/portal/api/events?limit=2${cursor}`);
    found.push(...body.data.map(({ id }: ReplyBody) => id));
    if (!body.has_more) break;
    cursor = `&cursor=${body.next_cursor}`;
    const other = await server.call('GET', `/portal/api/events?type=load.settled${cursor}`);
    expect(other.body.error).toMatchObject({ code: 'parameter_invalid', param: 'cursor' });
  }
  expect(found).toEqual(all);
});

describe('another tenant', () => {
  test('finds none of them by any filter', async () => {
    const { token } = await server.anotherTenant();
    const queries = [
      '',
      `?object_id=${customers.none}`,
      `?request_id=${requests.none}`,
      '?delivery_status=failed',
    ];
    for (const query of queries) {
      const { body } = await server.call('GET', `/portal/api/events${query}`, { token });
      expect([query, body.data]).toEqual([query, []]);
    }
  });
});
