import { randomUUID } from 'node:crypto';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { lifecycles } from '@tenant-payments/contract/lifecycles.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { openSampleLedger } from '../../test/kit/ledger/sample_ledger.ts';
import type { TestServer } from '../../test/kit/server.ts';
import { recordLists } from './records/lists.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openSampleLedger();
});
afterAll(() => server.stop());

const get = (path: string, token?: string) =>
  server.call('GET', path, token === undefined ? {} : { token });

const data = async (path: string): Promise<ReplyBody[]> => {
  const { status, body } = await get(path);
  expect([path, status]).toEqual([path, 200]);
  return body.data;
};

const refusal = async (path: string, token?: string) => {
  const { status, body } = await get(path, token);
  return { status, code: body.error?.code, param: body.error?.param };
};

/** Every record of a list, a page at a time. */
async function walk(path: string, limit: number): Promise<ReplyBody[]> {
  const found: ReplyBody[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await get(`${path}?limit=${limit}${cursor && `&cursor=${cursor}`}`);
    expect(body.data.length).toBeLessThanOrEqual(limit);
    expect(body.has_more).toBe(body.next_cursor !== null);
    found.push(...body.data);
    cursor = body.next_cursor;
  }
  return found;
}

const lists = recordLists.map(({ endpoint, table }) => ({
  path: endpoint.path,
  name: table.name,
  states: table.lifecycle.states as readonly string[],
}));

describe.each(lists)('$path', ({ path, name, states }) => {
  test('gives all of the tenant, newest first', async () => {
    const { pool } = server.service;
    const { rows } = await pool.query(
      `select id from ${name} where tenant_id = $1 order by id desc`,
      [server.tenant.tenantId],
    );
    expect(rows.length).toBeGreaterThan(1);
    const digits = (await data(`${path}?limit=100`)).map(({ id }) => id.split('_').at(-1));
    expect(digits).toEqual(rows.map(({ id }) => id.replaceAll('-', '')));
  });

  test('gives the same page by page', async () => {
    expect(await walk(path, 1)).toEqual(await data(`${path}?limit=100`));
  });

  test('takes every status of its resource, and lists only those records', async () => {
    const all = await data(`${path}?limit=100`);
    const statusOf = (record: ReplyBody) => record.status ?? record.verification.status;
    for (const status of states)
      expect(await data(`${path}?limit=100&status=${status}`)).toEqual(
        all.filter((record) => statusOf(record) === status),
      );
  });

  test('refuses a status that its resource does not have', async () => {
    expect(await refusal(`${path}?status=nonsense`)).toEqual({
      status: 400,
      code: 'parameter_invalid',
      param: 'status',
    });
  });

  test.each(['limit=0', 'limit=101', 'limit=many', 'cursor=nonsense', 'from=yesterday', 'type=x'])(
    'refuses %s',
    async (query) => {
      const [param] = query.split('=');
      expect(await refusal(`${path}?${query}`)).toMatchObject({ status: 400, param });
    },
  );

  test('takes a cursor only for its list, its filter and its tenant', async () => {
    const { body } = await get(`${path}?limit=1`);
    const cursor = `cursor=${body.next_cursor}`;
    const refused = { status: 400, code: 'parameter_invalid', param: 'cursor' };
    const elsewhere = lists.find((other) => other.path !== path)?.path;
    expect(await refusal(`${elsewhere}?${cursor}`)).toEqual(refused);
    expect(await refusal(`${path}?${cursor}&status=${states[0]}`)).toEqual(refused);
    const other = await server.anotherTenant();
    expect(await refusal(`${path}?${cursor}`, other.token)).toEqual(refused);
    expect((await get(`${path}?limit=2&${cursor}`)).status).toBe(200);
  });

  test('shows nothing of another tenant', async () => {
    const other = await server.anotherTenant();
    expect((await get(path, other.token)).body).toEqual({
      object: 'list',
      data: [],
      has_more: false,
      next_cursor: null,
    });
  });

  test('shows no secret', async () => {
    for (const record of await data(`${path}?limit=100`)) {
      expect(record.token ?? null).toBeNull();
      expect(record.confirmation_session ?? record.onboarding_session ?? null).toBeNull();
    }
  });
});

test.each(['customers', 'payments', 'loads', 'withdrawals', 'payment-requests'])(
  'a record among %s is the one that the API gets by its id',
  async (resource) => {
    const listed = await data(`/portal/api/${resource}?limit=100`);
    for (const record of listed)
      expect((await get(`/v1/${resource}/${record.id}`)).body).toEqual(record);
  },
);

test('the lifecycles are the tables that the service runs', async () => {
  const tables = await data('/portal/api/lifecycles');
  expect(tables.map(({ resource }) => resource)).toEqual(Object.keys(lifecycles));
  const payment = tables.find(({ resource }) => resource === 'payment');
  expect(payment.states).toEqual([...lifecycles.payment.states]);
  expect(payment.moves.map((move: ReplyBody) => move.name)).toEqual(
    Object.keys(lifecycles.payment.moves),
  );
  expect(payment.moves.find((move: ReplyBody) => move.name === 'create')).toEqual({
    name: 'create',
    from: null,
    to: 'requires_confirmation',
    by: ['tenant'],
    event: 'payment.created',
    posts: ['payment_held'],
    simulate: null,
  });
  const load = tables.find(({ resource }) => resource === 'load');
  expect(load.moves.find((move: ReplyBody) => move.name === 'settle')).toMatchObject({
    from: ['processing'],
    simulate: 'load.settled',
  });
});

describe('the request log', () => {
  /** Ids of the far future, so that no request of this test is newer. */
  const uuidAt = (index: number) => `ffffffff-fff${index}-7000-8000-${randomUUID().slice(-12)}`;
  const uuids = [0, 1, 2].map(uuidAt);
  const idOf = (index: number) => publicId('request', uuids[index] ?? '');

  beforeAll(async () => {
    for (const [index, uuid] of uuids.entries())
      await server.service.pool.query(
        `insert into requests (tenant_id, id, at, method, path, status, code, param, replayed,
          duration_ms, request_body, response_body)
        values ($1, $2, $3, 'POST', '/v1/loads', $4, $5, $6, $7, 12, $8, '{"x":1}')`,
        index === 1
          ? [server.tenant.tenantId, uuid, at(index), 400, 'parameter_missing', 'a', false, '{}']
          : [server.tenant.tenantId, uuid, at(index), 201, null, null, true, null],
      );
  });
  const at = (index: number) => `2026-11-21T00:00:0${index}.000Z`;

  test('is read newest first, page by page', async () => {
    const first = await get('/portal/api/requests?limit=2');
    expect(first.body.data.map(({ id }: ReplyBody) => id)).toEqual([idOf(2), idOf(1)]);
    const rest = await data(`/portal/api/requests?limit=2&cursor=${first.body.next_cursor}`);
    expect(rest[0]).toEqual({
      id: idOf(0),
      at: at(0),
      method: 'POST',
      path: '/v1/loads',
      status: 201,
      code: null,
      param: null,
      keyed: false,
      user_agent: null,
      replayed: true,
      refused_in_production: null,
      duration_ms: 12,
      request_body: null,
      response_body: '{"x":1}',
    });
  });

  test('finds one request by its id', async () => {
    const found = await data(`/portal/api/requests?request_id=${idOf(1)}`);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ id: idOf(1), code: 'parameter_missing', param: 'a' });
  });

  test.each(['req_unknown', 'pay_x', `req_${'0'.repeat(32)}`])(
    'knows no request %s',
    async (requestId) => {
      expect(await data(`/portal/api/requests?request_id=${requestId}`)).toEqual([]);
    },
  );

  test.each([
    ['status=400', [1]],
    ['status=4xx', [1]],
    ['status=201', [2, 0]],
    ['status=2xx&method=POST', [2, 0]],
    ['status=5xx', []],
    ['method=DELETE', []],
    ['code=parameter_missing', [1]],
    ['code=unknown', []],
    ['path=/v1/loads', [2, 1, 0]],
    ['path=/v1/%', []],
    ['path=/v1/loads/', []],
  ])('is filtered by %s', async (query, found) => {
    const all = await data(`/portal/api/requests?limit=100&${query}`);
    const mine = all.filter(({ id }) => uuids.some((_, index) => idOf(index) === id));
    expect(mine.map(({ id }) => id)).toEqual(found.map(idOf));
  });

  test('is found by the Idempotency-Key of the call, of which the hash alone is kept', async () => {
    const key = `order-${crypto.randomUUID()}`;
    const send = () =>
      server.call('POST', '/v1/loads', { key, body: {}, headers: { 'user-agent': 'shop/1.2' } });
    const sent = [await send(), await send()];
    await server.service.requestLog.flush();
    const found = await data(`/portal/api/requests?idempotency_key=${key}`);
    expect(found.map(({ id }) => id)).toEqual(
      sent.map(({ headers }) => headers.get('service-request-id')).toReversed(),
    );
    expect(found[0]).toMatchObject({ keyed: true, user_agent: 'shop/1.2' });
    expect(await data('/portal/api/requests?idempotency_key=another')).toEqual([]);
    const { rows } = await server.owner.query('select r::text as text from requests r');
    expect(rows.map(({ text }) => text).join()).not.toContain(key);
    const other = await server.anotherTenant();
    const foreign = await get(`/portal/api/requests?idempotency_key=${key}`, other.token);
    expect(foreign.body.data).toEqual([]);
  });

  test('is read from a time on and before one', async () => {
    const reply = await get('/v1/webhook-events?limit=1');
    await server.service.requestLog.flush();
    const id = reply.headers.get('service-request-id');
    const [{ at: time }] = await data(`/portal/api/requests?request_id=${id}`);
    const idsIn = async (query: string) =>
      (await data(`/portal/api/requests?limit=100&path=/v1&${query}`)).map((row) => row.id);
    expect(await idsIn(`from=${time}`)).toContain(id);
    expect(await idsIn(`to=${time}`)).not.toContain(id);
  });

  test.each(['status=600', 'status=6xx', 'status=ok', 'method=get', 'from=now', 'to=x'])(
    'refuses %s',
    async (query) => {
      const [param] = query.split('=');
      const refused = { status: 400, code: 'parameter_invalid', param };
      expect(await refusal(`/portal/api/requests?${query}`)).toEqual(refused);
    },
  );

  test('shows no request of another tenant, and refuses its cursors', async () => {
    const other = await server.anotherTenant();
    const found = await get(`/portal/api/requests?request_id=${idOf(0)}`, other.token);
    expect(found.body.data).toEqual([]);
    const { next_cursor } = (await get('/portal/api/requests?limit=1')).body;
    const path = `/portal/api/requests?limit=1&cursor=${next_cursor}`;
    expect(await refusal(path, other.token)).toMatchObject({ status: 400, param: 'cursor' });
  });
});
