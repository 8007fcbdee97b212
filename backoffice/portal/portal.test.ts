import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { obeying } from '@tenant-payments/engine/production.ts';
import { beforeEach, expect, test } from 'vitest';
import { openServer, type TestTenant } from '../../test/kit/server.ts';
import { portalEndpoints } from '../contract/catalog.ts';
import { checkSettings } from '../settings/checks.ts';

let tenant: TestTenant;

const server = await openServer();
beforeEach(async () => {
  tenant = await server.anotherTenant();
});

const endpoints = Object.values(portalEndpoints);

const call = (method: string, path: string, body?: object, token = tenant.token) =>
  server.call(method, `/portal/api/${path}`, { token, ...(body ? { body } : {}) });

const refusal = async (...request: Parameters<typeof call>) => {
  const { status, body } = await call(...request);
  return { status, code: body.error?.code, param: body.error?.param };
};

test('there is no endpoint at first, and then the one that was saved', async () => {
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
      await server.service.pool.query(
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
  ['https://shop.example/\u0000', 'format'],
])('%j is no address for webhooks: %s', async (url, reason) => {
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

test('of many requests for the last secret at once, one gets it', async () => {
  await call('POST', 'webhook-secrets');
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => call('POST', 'webhook-secrets')),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
});

test("another tenant's secret is not found", async () => {
  const other = await server.anotherTenant();
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

const branding = { name: 'Shop', logo_url: null, primary_color: '#1f5eff' };

test.each([
  ['an unknown key', { unknown: 1 }, 'unknown'],
  ['an unknown key of an object', { branding: { ...branding, slogan: 'x' } }, 'branding.slogan'],
  ['a wrong type', { refund_window_days: '30' }, 'refund_window_days'],
  ['a value out of range', { refund_window_days: 366 }, 'refund_window_days'],
  ['half an object', { flows: { loads: false } }, 'flows.customers_individual'],
  ['two fee rules for one thing', { fees: [fee, { ...fee, fixed: 1 }] }, 'fees'],
  [
    'a fee that a bank payer bears',
    { fees: [{ ...fee, source: 'bank_account', paid_by: 'payer' }] },
    'fees',
  ],
  ['what is no address', { return_urls: ['shop'] }, 'return_urls.0'],
])('settings refuse %s', async (_what, changes, param) => {
  const before = (await call('GET', 'settings')).body;
  const { status, body } = await call('PUT', 'settings', { ...changes, withdrawal_hold_hours: 1 });
  expect(status).toBe(400);
  expect(body.error.param).toBe(param);
  expect((await call('GET', 'settings')).body).toEqual(before);
});

test.each([
  [{ return_urls: ['https://shop.example/done?from=pay', 'http://localhost:3000/done'] }],
  [{ return_urls: ['com.shop.example:/done', 'com.shop.example://done'] }],
  [{ link_redirect_uris: ['https://shop.example/linked'] }],
  [{ frame_origins: ['https://shop.example', 'https://shop.example:8443', 'http://127.0.0.1:80'] }],
  [{ branding: { ...branding, logo_url: 'https://shop.example/logo.svg' } }],
  [{ branding: { ...branding, primary_color: '#767676' } }],
])('settings take %j', async (changes) => {
  // The default port is not written in an origin.
  const given = JSON.parse(JSON.stringify(changes).replace('127.0.0.1:80"', '127.0.0.1"'));
  const { status, body } = await call('PUT', 'settings', given);
  expect([status, body.error]).toEqual([200, undefined]);
  expect(body).toMatchObject(given);
});

const returns = ['return_urls', 'link_redirect_uris'] as const;

test.each([
  ...returns.flatMap((key) =>
    [
      ['http://shop.example/done', 'scheme'],
      ['javascript:alert(1)', 'scheme'],
      ['data:text/html,hello', 'scheme'],
      ['file:///etc/passwd', 'scheme'],
      ['shop:/done', 'scheme'],
      ['https://me:secret@shop.example/', 'credentials'],
      ['https://shop.example/done#top', 'fragment'],
      ['https://shop.example/done#', 'fragment'],
    ].map(([url = '', reason]) => [{ [key]: ['https://fine.example/', url] }, key, reason]),
  ),
  ...[
    ['https://shop.example/', 'not_an_origin'],
    ['https://shop.example/page', 'not_an_origin'],
    ['https://shop.example:443', 'not_an_origin'],
    ['https://SHOP.example', 'not_an_origin'],
    ['https://*.shop.example', 'not_an_origin'],
    ["https://shop.example;script-src'self'", 'not_an_origin'],
    ['https://a,https://b', 'not_an_origin'],
    ['http://[::1]:3000', 'not_an_origin'],
    ['http://shop.example', 'scheme'],
    ['com.shop.example:/', 'scheme'],
  ].map(([url = '', reason]) => [
    { frame_origins: ['https://fine.example', url] },
    'frame_origins',
    reason,
  ]),
  ...[
    ['http://shop.example/logo.svg', 'scheme'],
    ['data:image/png;base64,AAAA', 'scheme'],
    ['https://me@shop.example/logo.svg', 'credentials'],
  ].map(([url, reason]) => [
    { branding: { ...branding, logo_url: url } },
    'branding.logo_url',
    reason,
  ]),
  ...['#777777', '#ffff00', '#ffffff'].map((primary_color) => [
    { branding: { ...branding, primary_color } },
    'branding.primary_color',
    'unreadable',
  ]),
] as [object, string, string][])('settings make no sense of %j', async (changes, param, reason) => {
  const { status, body } = await call('PUT', 'settings', changes);
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ code: 'parameter_invalid', param, details: { reason } });
});

test.each([
  [{ frame_origins: ['https://shop.example/'] }, 'https://host[:port]'],
  [{ return_urls: ['shop:/done'] }, 'https://host/path'],
  [{ link_redirect_uris: ['shop:/done'] }, 'https://host/path'],
  [{ branding: { ...branding, logo_url: 'ftp://shop.example' } }, 'https://host/path'],
  [{ branding: { ...branding, primary_color: 'plum' } }, '^#[0-9a-fA-F]{6}$'],
])('the refusal of %j gives the expected form', async (changes, right) => {
  const { error } = (await call('PUT', 'settings', changes)).body;
  expect(error.details.expected).toContain(right);
  expect(error.message).toContain(error.details.expected);
});

test('a name that the database cannot hold, and a limit beyond any amount, are refused', async () => {
  for (const name of ['a\u0000b', '\ud800'])
    expect(await refusal('PUT', 'settings', { branding: { ...branding, name } })).toMatchObject({
      status: 400,
      param: 'branding.name',
    });
  const { limits } = (await call('GET', 'settings')).body;
  const load_daily = { individual: 1e300, business: null };
  expect(await refusal('PUT', 'settings', { limits: { ...limits, load_daily } })).toEqual({
    status: 400,
    code: 'parameter_invalid',
    param: 'limits.load_daily.individual',
  });
});

test('production takes no plain http, not on loopback either', () => {
  const local = 'http://127.0.0.1:3000';
  const changes: Partial<Settings>[] = [
    { return_urls: [local] },
    { link_redirect_uris: [local] },
    { frame_origins: [local] },
    { branding: { ...branding, logo_url: local } },
  ];
  for (const change of changes) {
    expect(() => checkSettings(change, obeying('sandbox'))).not.toThrow();
    expect(() => checkSettings(change, obeying('production'))).toThrow(/scheme/);
  }
});

test('the clock is shown and advanced', async () => {
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

test('the ledger is shown by account and record, page by page, and verified', async () => {
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

test('without a token the portal refuses all, and attempts of a foreign event are not found', async () => {
  for (const { method, path, may } of endpoints) {
    if (may === 'anybody') continue;
    const reply = await server.call(method, path.replace(':id', 'evt_x'), { token: null });
    expect([method, path, reply.status]).toEqual([method, path, 401]);
  }
  expect(await refusal('GET', 'events/evt_unknown/attempts')).toMatchObject({ status: 404 });
});
