import { randomBytes, randomUUID } from 'node:crypto';
import { rates } from '@tenant-payments/contract/core/numbers.ts';
import { openMarkedSecrets } from '@tenant-payments/engine/marked_secrets.ts';
import pg from 'pg';
import { beforeEach, expect, it, vi } from 'vitest';
import { openBrowser, portalPerson } from '../../../test/kit/people.ts';
import { openServer } from '../../../test/kit/server.ts';

/** Every statement that any client of this process sends, the engine's included: a connection keeps what it began with. */
const query = vi.spyOn(pg.Client.prototype, 'query');
const server = await openServer({
  own: true,
  workers: false,
  alone: true,
  tenant: { rateLimit: 60_000 },
});
const { tenantId } = server.tenant;
const other = openMarkedSecrets(randomBytes(32));
const tenantInPath = tenantId.replaceAll('-', '');

const database = new URL(server.databaseUrl).pathname.slice(1);
/** Statements to the database of this service; another file's service may be at work beside it. */
const sent = () =>
  query.mock.calls.filter((_, at) => (query.mock.contexts[at] as pg.Client).database === database);
beforeEach(async () => {
  await server.service.requestLog.flush();
  query.mockClear();
});

/** Everything that someone may write who knows the form of a secret of this kind, and the Tenant. */
function madeUp(prefix: string): string[] {
  const real = server.service.vault.newSecret(tenantId, prefix);
  const last = real.at(-2) === 'A' ? 'B' : 'A';
  return [
    other.newSecret(tenantId, prefix),
    `${real.slice(0, -2)}${last}${real.slice(-1)}`,
    real.slice(0, -11),
    `${real}AAAA`,
    `${prefix}_${Buffer.concat([Buffer.from(tenantInPath, 'hex'), randomBytes(32)]).toString('base64url')}`,
    server.service.vault.newSecret(tenantId, 'ok').replace('ok_', `${prefix}_`),
    `${prefix}_${'x'.repeat(200)}`,
    prefix,
  ];
}

it.each([
  ['GET', '/v1/payments/pay_x'],
  ['POST', '/v1/payments'],
  ['GET', '/portal/api/settings'],
  ['POST', '/portal/api/clock/advance'],
])('%s %s with a made-up access token is 401 without a query', async (method, path) => {
  for (const token of madeUp('tok'))
    expect((await server.call(method, path, { token })).status).toBe(401);
  expect(sent()).toEqual([]);
});

it('the bearer of a page that was made up is 401 without a query', async () => {
  for (const token of madeUp('fb'))
    for (const path of ['/hosted/api/session', '/hosted/api/confirm/pin']) {
      const method = path.endsWith('session') ? 'GET' : 'POST';
      const reply = await server.call(method, path, {
        token,
        body: method === 'GET' ? undefined : { pin: '284617' },
      });
      expect(reply.status).toBe(401);
    }
  expect(sent()).toEqual([]);
});

it.each([
  ['/hosted/api/open', 'st', 'token'],
  ['/hosted/api/owner/open', 'ol', 'token'],
  ['/hosted/api/bank/open', 'link-sandbox', 'link_token'],
])('POST %s with a made-up token opens nothing without a query', async (path, prefix, field) => {
  for (const token of madeUp(prefix)) {
    const { body } = await server.call('POST', path, { token: null, body: { [field]: token } });
    expect([body.error.code, body.error.details]).toEqual([
      'session_invalid',
      { reason: 'unknown' },
    ]);
  }
  expect(sent()).toEqual([]);
});

it.each([
  ['/accept-invitation/open', 'tpi', 'token'],
  ['/accept-invitation/begin', 'tpi', 'token'],
  ['/accept-invitation/finish', 'tpi', 'token'],
  ['/sign-in/link', 'tpl', 'token'],
  ['/device-sign-in/token', 'tpd', 'device_code'],
])(
  'POST %s of the portal with a made-up token opens nothing without a query',
  async (path, prefix, field) => {
    for (const token of madeUp(prefix)) {
      const more = path.endsWith('finish') && { credential: {} };
      const reply = await openBrowser(server).ask('POST', path, { [field]: token, ...more });
      expect([400, 404, 409]).toContain(reply.status);
    }
    expect(sent()).toEqual([]);
  },
);

it('a made-up state of a provider signs nobody in without a query', async () => {
  for (const state of madeUp('tpa')) {
    const url = `${server.baseUrl}/portal/sign-in/callback/${tenantId}?code=x&state=${state}`;
    const { status, headers } = await fetch(url, { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/#failure=unknown_attempt$/),
    ]);
  }
  expect(sent()).toEqual([]);
});

const byCookie = (token: string) =>
  server.call('GET', '/portal/api/session', { token: null, headers: { cookie: `tp=${token}` } });

it('a made-up session of another form than that of ours is 401 without a query', async () => {
  for (const token of madeUp('tps')) expect((await byCookie(token)).status).toBe(401);
  expect(sent()).toEqual([]);
});

it('made-up sessions of our form are looked for so often from one network, which shuts nobody out', async () => {
  const ana = await portalPerson(server, tenantId, ['reader']);
  query.mockClear();
  const limit = rates.hostedAddress;
  const tokens = Array.from(
    { length: limit + 20 },
    () => `tps_${randomBytes(32).toString('base64url')}`,
  );
  const statuses = await Promise.all(tokens.map(async (token) => (await byCookie(token)).status));
  const count = (wanted: number) => statuses.filter((status) => status === wanted).length;
  expect([count(401), count(429)]).toEqual([limit, 20]);
  const looked = sent().filter(([statement]) => JSON.stringify(statement).includes('person_id'));
  expect(looked).toHaveLength(limit);
  expect((await ana.ask('GET', '/session')).status).toBe(200);
});

const pageOf = async (tenant: string) => {
  const page = await fetch(`${server.baseUrl}/hosted/${tenant}`);
  return { status: page.status, html: await page.text() };
};

it('two hundred pages of made-up Tenants cost no query each, and show a page of nobody', async () => {
  expect((await pageOf(tenantInPath)).html).toContain('<title>Test Tenant</title>');
  query.mockClear();
  const ids = Array.from({ length: 200 }, () => randomUUID().replaceAll('-', ''));
  const pages = await Promise.all([...ids, 'x', 'A'.repeat(32)].map(pageOf));
  for (const { status, html } of pages) {
    expect(status).toBe(200);
    expect(html).toContain('<title>Tenant Payments</title>');
  }
  // Beside them the Tenants are read anew once a second, and what earlier requests left is written.
  expect(sent().length).toBeLessThan(pages.length / 5);
});

it("shows a new Tenant's page at once", async () => {
  await pageOf(randomUUID().replaceAll('-', ''));
  const next = await server.anotherTenant({ name: 'Newest' });
  expect(sent().length).toBeGreaterThan(0);
  expect((await pageOf(next.tenantId.replaceAll('-', ''))).html).toContain('<title>Newest</title>');
});
