import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService, type TestTenant } from '../../test/harness/service.ts';
import * as contract from './contract.ts';

let house: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  house = await startTestService();
});
beforeEach(async () => {
  tenant = await house.anotherTenant();
});
afterAll(() => house.stop());

const ajv = new Ajv({ strict: true, keywords: ['x-secret'] });
addFormats.default(ajv);
const endpoints = Object.values(contract);

/** Calls, and holds a success against the portal's own contract. */
async function call(method: string, path: string, body?: object, token = tenant.token) {
  const url = `/portal/api/${path}`;
  const reply = await house.call(method, url, { token, ...(body ? { body } : {}) });
  const endpoint = endpoints.find(
    (one) =>
      one.method === method &&
      new RegExp(`^${one.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(url.split('?')[0] ?? ''),
  );
  if (endpoint && reply.status === endpoint.success.status) {
    const validate = ajv.compile(endpoint.success.schema);
    expect(validate(reply.body), ajv.errorsText(validate.errors)).toBe(true);
  }
  return reply;
}

const refusal = async (...request: Parameters<typeof call>) => {
  const { status, body } = await call(...request);
  return { status, code: body.error?.code, param: body.error?.param };
};

test('the endpoint is none at first, and then what was put', async () => {
  expect((await call('GET', 'webhook-endpoint')).body).toEqual({ url: null, enabled: false });
  const set = { url: 'https://shop.example/hooks', enabled: true };
  expect((await call('PUT', 'webhook-endpoint', set)).body).toEqual(set);
  expect((await call('GET', 'webhook-endpoint')).body).toEqual(set);
  const off = { ...set, enabled: false };
  expect((await call('PUT', 'webhook-endpoint', off)).body).toEqual(off);
});

test('events are made for delivery exactly while an endpoint is enabled', async () => {
  const delivers = async () =>
    (
      await house.service.pool.query(
        'select delivers, revision from tenants where tenant_id = $1',
        [tenant.tenantId],
      )
    ).rows[0];
  const before = await delivers();
  await call('PUT', 'webhook-endpoint', { url: 'https://shop.example/hooks', enabled: true });
  const on = await delivers();
  await call('PUT', 'webhook-endpoint', { url: 'https://shop.example/hooks', enabled: false });
  const off = await delivers();
  expect([before.delivers, on.delivers, off.delivers]).toEqual([false, true, false]);
  expect([on.revision, off.revision]).toEqual([before.revision + 1, before.revision + 2]);
});

test.each([
  ['http://shop.example/hooks', 'scheme'],
  ['https://10.0.0.1/hooks', 'address'],
  ['https://me@shop.example/', 'credentials'],
  ['nonsense', 'malformed'],
])('%s is no address for webhooks: %s', async (url, reason) => {
  const { status, body } = await call('PUT', 'webhook-endpoint', { url, enabled: true });
  expect(status).toBe(400);
  expect(body.error).toMatchObject({
    code: 'parameter_invalid',
    param: 'url',
    details: { reason },
  });
});

test('a secret is shown once, and at most three are active', async () => {
  const [first] = (await call('GET', 'webhook-secrets')).body.data;
  expect(first).toEqual({ id: first.id, created_at: first.created_at, retired_at: null });
  const made = await call('POST', 'webhook-secrets', {});
  expect(made.status).toBe(201);
  expect(made.body.secret).toMatch(/^whsec_[\w-]{43}$/);
  expect((await call('POST', 'webhook-secrets')).status).toBe(201);
  expect(await refusal('POST', 'webhook-secrets')).toMatchObject({
    status: 409,
    code: 'invalid_state',
  });
  const retired = await call('DELETE', `webhook-secrets/${first.id}`);
  expect(retired.status).toBe(200);
  expect(retired.body.retired_at).not.toBeNull();
  expect((await call('DELETE', `webhook-secrets/${first.id}`)).body).toEqual(retired.body);
  expect((await call('POST', 'webhook-secrets')).status).toBe(201);
  const listed = (await call('GET', 'webhook-secrets')).body.data;
  expect(listed).toHaveLength(4);
  expect(JSON.stringify(listed)).not.toContain('whsec_');
});

test('of many who ask for the last secret at once, one gets it', async () => {
  await call('POST', 'webhook-secrets');
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => call('POST', 'webhook-secrets')),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
});

test("another tenant's secret is not found", async () => {
  const other = await house.anotherTenant();
  const [theirs] = (await call('GET', 'webhook-secrets', undefined, other.token)).body.data;
  for (const id of [theirs.id, 'whs_unknown'])
    expect(await refusal('DELETE', `webhook-secrets/${id}`)).toMatchObject({ status: 404 });
});

test('settings are replaced by top-level key, and the rest stays', async () => {
  const before = (await call('GET', 'settings')).body;
  const changes = { refund_window_days: 30, flows: { ...before.flows, loads: false } };
  const after = (await call('PUT', 'settings', changes)).body;
  expect(after).toEqual({ ...before, ...changes });
  expect(Object.keys(after)).toEqual(Object.keys(before));
  expect((await call('GET', 'settings')).body).toEqual(after);
  expect((await call('PUT', 'settings', {})).body).toEqual(after);
});

const fee = {
  type: 'platform',
  payment_type: 'consumer_to_merchant',
  source: 'balance',
  basis_points: 50,
  fixed: 0,
  paid_by: 'payee',
};

test.each([
  ['an unknown key', { unknown: 1 }, 'unknown'],
  ['a wrong type', { refund_window_days: '30' }, 'refund_window_days'],
  ['a value out of range', { refund_window_days: 366 }, 'refund_window_days'],
  ['half an object', { flows: { loads: false } }, 'flows.customers_individual'],
  ['two fee rules for one thing', { fees: [fee, { ...fee, fixed: 1 }] }, 'fees'],
  [
    'a fee that a bank payer bears',
    { fees: [{ ...fee, source: 'bank_account', paid_by: 'payer' }] },
    'fees',
  ],
])('settings refuse %s', async (_what, changes, param) => {
  const { status, body } = await call('PUT', 'settings', changes);
  expect(status).toBe(400);
  expect(body.error.param).toBe(param);
});

test('the clock is shown and moved', async () => {
  const { body: before } = await call('GET', 'clock');
  expect(before).toMatchObject({ fired: 0, pending: 0 });
  expect(Math.abs(Date.parse(before.now) - Date.now())).toBeLessThan(5_000);
  const { status, body: after } = await call('POST', 'clock/advance', { seconds: 3600 });
  expect(status).toBe(200);
  expect(Date.parse(after.now) - Date.parse(before.now)).toBeGreaterThanOrEqual(3_600_000);
  expect(Math.abs(Date.parse(after.real_now) - Date.now())).toBeLessThan(5_000);
});

test.each([
  [{}, 'parameter_missing', 'seconds'],
  [{ seconds: -1 }, 'parameter_invalid', 'seconds'],
  [{ seconds: 1.5 }, 'parameter_invalid', 'seconds'],
  [{ seconds: 1e12 }, 'parameter_invalid', 'seconds'],
  [{ to: '2020-01-01T00:00:00Z' }, 'parameter_invalid', 'to'],
  [{ to: '9999-01-01T00:00:00Z' }, 'parameter_invalid', 'to'],
  [{ to: 'tomorrow' }, 'parameter_invalid', 'to'],
  [{ seconds: 1, to: '2999-01-01T00:00:00Z' }, 'parameter_invalid', 'to'],
])('an advance by %j is refused', async (body, code, param) => {
  expect(await refusal('POST', 'clock/advance', body)).toEqual({ status: 400, code, param });
});

test('the book is shown by account and record, page by page, and proven', async () => {
  const { body } = await call('GET', 'ledger/entries');
  // The sandbox has funded the reserve.
  expect(
    body.data.map((entry: { pocket: string; delta: number }) => [entry.pocket, entry.delta]),
  ).toEqual(expect.arrayContaining([['reserve', 1_000_000]]));
  const [entry] = body.data;
  const mine = await call('GET', `ledger/entries?source_id=${entry.source_id}&limit=1`);
  expect(mine.body.data).toHaveLength(1);
  expect(mine.body.has_more).toBe(true);
  const rest = `ledger/entries?source_id=${entry.source_id}&cursor=${mine.body.next_cursor}`;
  expect((await call('GET', rest)).body.data).toHaveLength(body.data.length - 1);
  expect((await call('GET', 'ledger/entries?account_id=acct_unknown')).body.data).toEqual([]);
  expect((await call('GET', 'ledger/entries?cursor=nonsense')).status).toBe(400);
  const verified = await call('GET', 'ledger/verify');
  expect(verified.body).toEqual({ ok: true, checked: expect.any(Number), violations: [] });
  expect(verified.body.checked).toBeGreaterThan(0);
});

test('without a token nothing of the portal answers, and attempts of a foreign event are not found', async () => {
  for (const { method, path } of endpoints) {
    const reply = await house.call(method, path.replace(':id', 'evt_x'), { token: null });
    expect([method, path, reply.status]).toEqual([method, path, 401]);
  }
  expect(await refusal('GET', 'events/evt_unknown/attempts')).toMatchObject({ status: 404 });
});

test('in production no bearer token opens the portal', async () => {
  const production = await startTestService({ environment: 'production' });
  const reply = await production.call('GET', '/portal/api/settings');
  expect(reply.status).toBe(401);
  await production.stop();
});
