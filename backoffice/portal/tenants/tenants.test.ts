import { randomUUID } from 'node:crypto';
import { easternDay } from '@tenant-payments/service/resources/limits/days.ts';
import { expect, test } from 'vitest';
import { fetchToken, type ReplyBody } from '../../../test/kit/http/http.ts';
import { portalPerson } from '../../../test/kit/people.ts';
import { openServer, startTestServer, type TestTenant } from '../../../test/kit/server.ts';

/** The Tenants as staff see and make them (rules/tenants#1). */

const server = await openServer({ workers: false });
const admin = await portalPerson(server, 'platform', ['admin']);
const support = await portalPerson(server, 'platform', ['support']);

const get = async (path: string, by = admin): Promise<ReplyBody> => {
  const { status, body } = await by.ask('GET', path);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
const detail = ({ tenantId }: TestTenant, by = admin) => get(`/tenants/${tenantId}`, by);
const idsIn = ({ data }: ReplyBody): string[] => data.map(({ id }: ReplyBody) => id);

test('a Tenant shows what was paid, asked and refused within 24 hours of its clock, and no more', async () => {
  const tenant = await server.anotherTenant();
  const api = server.apiOf(tenant);
  const [payer, shop] = [await api.funded('individual', 50_00), await api.funded('business', 1_00)];
  await api.confirmed(api.pay(payer, shop, 12_00));
  await api.advance(86_400 + 60);
  await api.confirmed(api.pay(payer, shop, 3_00));
  await api.confirmed(api.pay(payer, shop, 4_00));
  await api.call('GET', '/v1/payments/pay_x');
  await server.service.requestLog.flush();
  const found = await detail(tenant);
  expect(found.last_day).toMatchObject({ payments: 2, volume: 7_00, refused: 1, failed: 0 });
  expect(found).toMatchObject({ customers: 2, open_disputes: 0, active_credentials: 1 });
  expect(found.rate.limit).toBe(60_000);
  expect(found.rate.busiest_minute).toBeGreaterThan(0);
  expect(found.last_day.requests).toBeGreaterThanOrEqual(found.rate.busiest_minute);
  expect(Date.parse(found.now) - Date.now()).toBeGreaterThan(86_400_000);
  expect((await get(`/tenants?q=${tenant.tenantId}`)).data).toEqual([
    expect.objectContaining({ id: tenant.tenantId, last_day: found.last_day }),
  ]);
});

test('a Tenant shows how its notices of 90 days were forwarded, handled and answered', async () => {
  const tenant = await server.anotherTenant();
  const api = server.apiOf(tenant);
  const [payer, shop] = [await api.funded('individual', 90_00), await api.funded('business', 1_00)];
  const old = await api.dispute(payer, { type: 'purchase_dispute' });
  await api.simulate('dispute.resolved_denied', old.id);
  await api.advance(91 * 86_400);
  const { id: payment_id } = await api.confirmed(api.pay(payer, shop, 12_00));
  await api.played(api.dispute(payer, { payment_id }), 'dispute.resolved_denied');
  await api.dispute(payer, { payment_id });
  await api.played(api.dispute(payer, { type: 'purchase_dispute' }), 'dispute.classified');
  await api.dispute(payer, { type: 'purchase_dispute' });
  const { notices } = await detail(tenant);
  expect(notices).toEqual({ total: 4, purchase_disputes: 2, reclassified: 1, reasserted: 1 });
});

test('what is used of the limits today is shown for who has used most, and yesterday counts for nothing', async () => {
  const tenant = await server.anotherTenant();
  const api = server.apiOf(tenant);
  const none = { used: 0, maximum: 10_000_00 };
  const [ana, ben] = [await api.funded('individual', 90_00), await api.funded('individual', 50_00)];
  const shop = await api.funded('business', 1_00);
  await api.advance(2 * 86_400);
  expect((await detail(tenant)).limits_used).toMatchObject({ approvals: none, customers: [] });
  await api.confirmed(api.pay(ana, shop, 12_00));
  await api.confirmed(api.pay(ana, shop, 3_00));
  await api.confirmed(api.pay(ben, shop, 14_00));
  const { now } = await api.get('/portal/api/clock');
  expect((await detail(tenant)).limits_used).toEqual({
    day: easternDay(now),
    approvals: none,
    customers: [
      {
        limit: 'payment_daily',
        customer_type: 'individual',
        customer_id: ana.customerId,
        used: 15_00,
        maximum: 10_000_00,
      },
    ],
  });
});

test('the list shows each Tenant once, newest first, page by page', async () => {
  const name = 'Paged 100 % Café';
  const made: string[] = [];
  for (let count = 0; count < 3; count += 1)
    made.unshift((await server.anotherTenant({ name })).tenantId);
  const path = `/tenants?limit=2&q=${encodeURIComponent('paged 100 % CAFÉ')}`;
  const first = await get(path);
  const second = await get(`${path}&cursor=${first.next_cursor}`);
  expect([...idsIn(first), ...idsIn(second)]).toEqual(made);
  expect(second.has_more).toBe(false);
  expect(idsIn(await get('/tenants?q=nobody'))).toEqual([]);
});

test('Tenants are read by their ids, and what is the id of none is left out', async () => {
  const [one, other] = [await server.anotherTenant(), await server.anotherTenant()];
  const ids = [one.tenantId, 'pay_x', randomUUID(), other.tenantId].join(',');
  expect(idsIn(await get(`/tenants?ids=${ids}`))).toEqual([other.tenantId, one.tenantId]);
  expect(idsIn(await get('/tenants?ids=nobody'))).toEqual([]);
});

test('the list finds who is suspended, and only staff read why', async () => {
  const name = 'Late Payer';
  const [late, other] = [
    await server.anotherTenant({ name }),
    await server.anotherTenant({ name }),
  ];
  await admin.ask('POST', `/tenants/${late.tenantId}/suspend`, { reason: 'unpaid fees' });
  const found = async (status: string) => idsIn(await get(`/tenants?q=${name}&status=${status}`));
  expect(await found('suspended')).toEqual([late.tenantId]);
  expect(await found('active')).toEqual([other.tenantId]);
  expect(await detail(late)).toMatchObject({ suspended_reason: 'unpaid fees' });
});

test('an endpoint shows its host and how its attempts end, and not its path', async () => {
  const tenant = await server.anotherTenant();
  expect((await detail(tenant)).endpoint).toEqual({
    host: null,
    enabled: false,
    last_success_at: null,
    failure_streak: 0,
  });
  const url = 'https://shop.example:8443/hooks/a-secret-path';
  await server.apiOf(tenant).put('/portal/api/webhook-endpoint', { url });
  const [event] = (await server.apiOf(tenant).get('/v1/webhook-events')).data;
  expect(event).toBeUndefined();
  const found = await detail(tenant);
  expect(found.endpoint).toMatchObject({ host: 'shop.example:8443', enabled: true });
  expect(JSON.stringify(found)).not.toContain('a-secret-path');
});

test('what waits for a reviewer and what is disputed is counted', async () => {
  const tenant = await server.anotherTenant();
  const api = server.apiOf(tenant);
  await api.played(api.customer('individual'), 'customer.pending', 'customer.in_review');
  const [payer, shop] = [
    await api.funded('individual', 50_00),
    await api.banked('business', 'savings'),
  ];
  const paid = await api.confirmed(api.pay(payer, shop, 5_00));
  await api.dispute(payer, { payment_id: paid.id });
  expect(await detail(tenant)).toMatchObject({ waiting: 2, open_disputes: 1, customers: 3 });
});

test('owners are named to who sees personal data, and are hidden from support', async () => {
  const tenant = await server.anotherTenant();
  const owner = await portalPerson(server, tenant.tenantId, ['owner']);
  const byAdmin = (await detail(tenant)).owners;
  expect(byAdmin).toContainEqual({ id: owner.id, name: expect.any(String), email: owner.email });
  const seen = (await detail(tenant, support)).owners;
  expect(seen).toContainEqual({ id: owner.id, name: '[redacted]', email: '[redacted]' });
  expect((await detail(tenant, support)).name).toBe('Test Tenant');
});

test("a sandbox's program sees its own Tenant alone, and makes none", async () => {
  const [own, other] = [await server.anotherTenant(), await server.anotherTenant()];
  const ask = (path: string) => server.call('GET', `/portal/api${path}`, { token: own.token });
  expect(idsIn((await ask('/tenants')).body)).toEqual([own.tenantId]);
  expect(idsIn((await ask(`/tenants?q=${other.tenantId}`)).body)).toEqual([]);
  expect((await ask(`/tenants/${own.tenantId}`)).status).toBe(200);
  expect((await ask(`/tenants/${other.tenantId}`)).status).toBe(404);
  const body = { name: 'Mine' };
  const made = await server.call('POST', '/portal/api/tenants', { token: own.token, body });
  expect(made.status).toBe(401);
});

test.each(['sandbox', 'production'] as const)(
  'in the %s an admin makes a Tenant whose client gets a token, and its secrets are told once',
  async (environment) => {
    const lines: string[] = [];
    const one = await startTestServer({
      environment,
      workers: false,
      onLog: (line) => lines.push(line),
    });
    const maker = await portalPerson(one, 'platform', ['admin']);
    const { status, body } = await maker.ask('POST', '/tenants', { name: 'Third', rate_limit: 7 });
    expect([status, body.portal_sign_in_url === null]).toEqual([201, environment === 'production']);
    expect(await fetchToken(one.baseUrl, body)).toMatch(/^tok_/);
    const found = (await maker.ask('GET', `/tenants/${body.tenant_id}`)).body;
    expect(found).toMatchObject({ name: 'Third', active_credentials: 1, rate: { limit: 7 } });
    const told = lines.map((line) => JSON.parse(line));
    expect(told.find(({ security }) => security === 'tenant_made')).toMatchObject({
      actor: 'person',
      tenant_id: body.tenant_id,
      client_address: '127.0.0.1',
    });
    for (const secret of [body.client_secret, body.webhook_secret])
      expect(JSON.stringify([lines, found])).not.toContain(secret);
    const { rows } = await one.owner.query(
      `select actor_id from control.audit where act = 'createTenant' and record = $1`,
      [body.tenant_id],
    );
    expect(rows).toEqual([{ actor_id: maker.id }]);
    await one.stop();
  },
);

test('an admin makes and retires secrets of a Tenant, and invites its owner', async () => {
  const tenant = await server.anotherTenant();
  const headers = { 'tenant-id': tenant.tenantId };
  const ask = (method: string, path: string, body?: object) =>
    admin.ask(method, path, body, { headers });
  const made = await ask('POST', '/credentials');
  expect([made.status, made.body.client_id]).toEqual([201, tenant.client_id]);
  expect((await detail(tenant)).active_credentials).toBe(2);
  expect((await ask('DELETE', `/credentials/${made.body.id}`)).status).toBe(200);
  const invited = await ask('POST', '/invitations', { email: 'o@example.com', roles: ['owner'] });
  expect([invited.status, typeof invited.body.link]).toEqual([201, 'string']);
});
