import { afterAll, expect, test } from 'vitest';
import { startTestReceiver } from '../../test/kit/http/receiver.ts';
import { openHostedPages, pin } from '../../test/kit/pages/hosted.ts';
import { openServer, type TestTenant } from '../../test/kit/server.ts';
import { staffActor } from '../../test/kit/staff.ts';
import { until } from '../../test/kit/wait.ts';
import { resumeTenant, suspendTenant } from './suspension.ts';

const server = await openServer({ answerAfterSeconds: 1 });
const second = await openServer({ beside: server, workers: false });
const receiver = await startTestReceiver();
afterAll(() => receiver.close());
const { engine } = server.service;
const actor = await staffActor(server, 'admin');
const act = (name: string, record: string) => ({ act: name, record, scope: 'platform' });

async function suspend({ tenantId }: TestTenant): Promise<number> {
  const input = { reason: 'a test' };
  const of = { tenantId, actor, act: act('suspendTenant', tenantId), input };
  const { body } = await engine.submit(suspendTenant(server.service), of);
  return JSON.parse(body).tokens_ended;
}
const resume = ({ tenantId }: TestTenant) =>
  engine.submit(resumeTenant, { tenantId, actor, act: act('resumeTenant', tenantId), input: {} });

const tokenOf = ({ client_id, client_secret }: TestTenant, at = server) =>
  at.call('POST', '/oauth/token', {
    token: null,
    body: `${new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const isTaken = async (token: string, at = server) =>
  (await at.call('GET', '/v1/payments/pay_x', { token })).status !== 401;

test('a suspended Tenant gets no token, and its tokens end in every process within a second', async () => {
  const tenant = await server.anotherTenant();
  expect([await isTaken(tenant.token), await isTaken(tenant.token, second)]).toEqual([true, true]);
  expect(await suspend(tenant)).toBe(1);
  const endedAtMs = performance.now();
  for (const at of [server, second])
    await until(async () => !(await isTaken(tenant.token, at)), { what: 'the end of a token' });
  expect(performance.now() - endedAtMs).toBeLessThan(3_000);
  for (const at of [server, second]) {
    const { status, body } = await tokenOf(tenant, at);
    expect([status, body.error.code, body.error.message]).toEqual([
      401,
      'invalid_client',
      'the Tenant is suspended',
    ]);
  }
  expect(await isTaken(server.token)).toBe(true);
});

test('a resumed Tenant gets tokens again, and those from before stay ended', async () => {
  const tenant = await server.anotherTenant();
  await suspend(tenant);
  await until(async () => !(await isTaken(tenant.token)));
  await resume(tenant);
  const { status, body } = await tokenOf(tenant, second);
  expect([status, await isTaken(body.access_token)]).toEqual([200, true]);
  expect(await isTaken(tenant.token)).toBe(false);
});

test('a token that is being given while its Tenant is suspended is refused', async () => {
  const tenant = await server.anotherTenant();
  const held = await server.owner.connect();
  await held.query('begin');
  await held.query('select from client_secrets where tenant_id = $1 for update', [tenant.tenantId]);
  const asked = tokenOf(tenant);
  await until(async () => {
    const { rows } = await server.owner.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%access_tokens%'`,
    );
    return rows.length > 0;
  });
  await suspend(tenant);
  await held.query('commit');
  held.release();
  expect((await asked).status).toBe(401);
});

test('a second suspension and a second resumption are refused, and say why', async () => {
  const tenant = await server.anotherTenant();
  await expect(resume(tenant)).rejects.toMatchObject({ details: { reason: 'not_suspended' } });
  await suspend(tenant);
  await expect(suspend(tenant)).rejects.toMatchObject({
    code: 'invalid_state',
    details: { reason: 'already_suspended', suspended_at: expect.any(String) },
  });
});

test('what is under way ends while its Tenant is suspended: sessions, jobs and webhooks', async () => {
  const { call, api, tenant } = server;
  await call('PUT', '/portal/api/webhook-endpoint', { body: { url: receiver.url } });
  const ana = await api.banked('individual');
  const pages = openHostedPages(server);
  await pages.givePins();
  await call('PUT', '/portal/api/settings', { body: { sandbox_mode: 'automatic' } });
  const page = await pages.load(ana);
  await suspend(tenant);
  await until(async () => !(await isTaken(tenant.token)));
  expect((await page.ask('/confirm/pin', { pin })).status).toBe(200);
  const statusOf = async () => {
    const { rows } = await server.owner.query(
      `select status from loads where tenant_id = $1 order by created_at desc limit 1`,
      [tenant.tenantId],
    );
    return rows[0].status;
  };
  await until(async () => (await statusOf()) === 'settled', { what: 'the load' });
  await until(() => receiver.received.some(({ event }) => event.type === 'load.settled'));
  const made = await call('POST', '/v1/sessions', {
    key: 'new',
    body: { flow: 'pin_reset', customer_id: ana.customerId },
  });
  expect(made.status).toBe(401);
});
