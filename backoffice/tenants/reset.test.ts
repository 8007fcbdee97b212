import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { webhooks } from '@tenant-payments/sdk-server';
import { verifyLedger } from '@tenant-payments/service/invariants/verify.ts';
import { beforeEach, expect, test } from 'vitest';
import { sandboxSample } from '../../start/composition.ts';
import { fetchToken } from '../../test/kit/http/http.ts';
import { type ReceivedWebhook, startTestReceiver } from '../../test/kit/http/receiver.ts';
import { portalPerson } from '../../test/kit/people.ts';
import { openServer, startTestServer, type TestTenant } from '../../test/kit/server.ts';
import { until } from '../../test/kit/wait.ts';
import { sandboxTenant } from './sandbox_file.ts';

const server = await openServer();
const { pool } = server.service;
const path = '/portal/api/sandbox/reset';

let tenant: TestTenant;
beforeEach(async () => {
  tenant = await server.anotherTenant({ name: 'Harbor', sample: true });
});

const send = (token: string, method: string, to: string, body?: object) =>
  server.call(method, to, { token, ...(body ? { body } : {}) });
const reset = () => send(tenant.token, 'POST', path, { name: 'Harbor' });
const customersOf = async (token: string): Promise<string[]> =>
  (await send(token, 'GET', '/portal/api/customers')).body.data.map(
    ({ external_ref }: { external_ref: string }) => external_ref,
  );

test('a reset leaves the sample people alone, with the same credentials, and the old ledger proven', async () => {
  const before = server.apiOf(tenant);
  await before.load(await before.banked('individual'), 50_00);
  const { status, body } = await reset();
  expect([status, body]).toEqual([
    200,
    { id: body.id, object: 'tenant', name: 'Harbor', replaced_id: tenant.tenantId },
  ]);
  const token = await fetchToken(server.baseUrl, tenant);
  expect((await customersOf(token)).sort()).toEqual([
    'sample-ana',
    'sample-ben',
    'sample-books',
    'sample-cafe',
    'sample-cleo',
  ]);
  for (const tenantId of [tenant.tenantId, body.id]) {
    const proof = await verifyLedger(pool, { tenantId });
    expect([proof.ok, proof.violations]).toEqual([true, []]);
    expect(proof.checked).toBeGreaterThan(0);
  }
  const { rows } = await pool.query('select 1 from entries where tenant_id = $1', [
    tenant.tenantId,
  ]);
  expect(rows.length).toBeGreaterThan(0);
});

test('settings, endpoint and signing secrets go over, and nothing is sent about the sample', async () => {
  const receiver = await startTestReceiver();
  const endpoint = { url: receiver.url, enabled: true };
  await send(tenant.token, 'PUT', '/portal/api/webhook-endpoint', endpoint);
  await send(tenant.token, 'PUT', '/portal/api/settings', { payment_request_expires_in: 600 });
  const books = await startTestReceiver();
  const further = { name: 'Books', url: books.url, types: ['load.settled'] };
  const added = await send(tenant.token, 'POST', '/portal/api/webhook-endpoints', further);
  await reset();
  const token = await fetchToken(server.baseUrl, tenant);
  expect((await send(token, 'GET', '/portal/api/webhook-endpoint')).body).toEqual(endpoint);
  expect((await send(token, 'GET', '/portal/api/settings')).body).toMatchObject({
    payment_request_expires_in: 600,
  });
  expect(receiver.received).toEqual([]);
  const made = await send(token, 'POST', '/portal/api/sample-events', { type: 'load.settled' });
  expect(made.status).toBe(201);
  await until(() => receiver.received.length === 1, { what: 'the event' });
  await until(() => books.received.length === 1, { what: 'the event at the further endpoint' });
  const [atBooks] = books.received as [ReceivedWebhook];
  expect(webhooks.unwrap(atBooks.body, atBooks.headers, added.body.secret).type).toBe(
    'load.settled',
  );
  expect((await send(token, 'GET', '/portal/api/webhook-endpoints')).body.data).toMatchObject([
    { id: added.body.id, ...further, enabled: true },
  ]);
  const [request] = receiver.received;
  const [t = '', v1] = String(request?.headers['service-signature']).split(',');
  const signed = Buffer.concat([Buffer.from(`${t.slice(2)}.`), request?.body ?? Buffer.alloc(0)]);
  const hmac = createHmac('sha256', tenant.webhook_secret).update(signed).digest('hex');
  expect(v1).toBe(`v1=${hmac}`);
  await receiver.close();
  await books.close();
});

test('people keep their roles and go on in the fresh Tenant; API keys and old tokens end', async () => {
  const person = await portalPerson(server, tenant.tenantId, ['developer']);
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const key = await person.ask('POST', '/api-keys', { name: 'CI', roles: ['reader'], expires_at });
  expect(key.status).toBe(201);
  const { status, body } = await person.ask('POST', '/sandbox/reset', { name: 'Harbor' });
  expect(status).toBe(200);
  const session = (await person.ask('GET', '/session')).body;
  expect(session).toMatchObject({ scope: body.id, roles: ['developer'] });
  expect(session.scopes).toEqual([{ scope: body.id, name: 'Harbor', roles: ['developer'] }]);
  const customers = (await person.ask('GET', '/customers')).body.data;
  expect(customers).toHaveLength(5);
  await until(
    async () =>
      (await send(key.body.key, 'GET', '/portal/api/session')).status === 401 &&
      (await send(tenant.token, 'GET', '/v1/customers')).status === 401,
    { what: 'the old keys and tokens end' },
  );
});

test('the name must be typed, and what was replaced is not replaced again', async () => {
  const wrong = await send(tenant.token, 'POST', path, { name: 'harbor' });
  expect([wrong.status, wrong.body.error]).toMatchObject([
    400,
    { code: 'parameter_invalid', param: 'name', details: { reason: 'not_the_name' } },
  ]);
  const [first, second] = await Promise.all([reset(), reset()]);
  const statuses = [first.status, second.status].sort();
  expect(statuses[0]).toBe(200);
  expect([401, 409]).toContain(statuses[1]);
  const { rows } = await pool.query('select tenant_id from clients where client_id = $1', [
    tenant.client_id,
  ]);
  const winner = [first, second].find(({ status }) => status === 200);
  expect(rows).toEqual([{ tenant_id: winner?.body.id }]);
});

test('a Tenant with single sign-on is not reset: its redirect address would change', async () => {
  await pool.query(
    `insert into control.sign_on_providers (scope, issuer, client_id, client_secret_sealed, required,
       created_at, updated_at) values ($1, 'https://idp.example', 'c', 'x', false, now(), now())`,
    [tenant.tenantId],
  );
  const { status, body } = await reset();
  expect([status, body.error.details.reason]).toEqual([409, 'single_sign_on']);
  expect(await customersOf(tenant.token)).toEqual([]);
});

test('whoever makes a further Tenant owns it, gets its credentials once and can act in it', async () => {
  const person = await portalPerson(server, tenant.tenantId, ['developer']);
  const made = (await person.ask('POST', '/sandbox/tenants', { name: 'Checkout tests' })).body;
  expect(made).toMatchObject({ object: 'tenant', name: 'Checkout tests' });
  expect((await person.ask('POST', '/session/act', { scope: made.id })).body).toMatchObject({
    scope: made.id,
    roles: ['owner'],
  });
  expect(await customersOf(await fetchToken(server.baseUrl, made))).toHaveLength(5);
  const empty = await person.ask('POST', '/sandbox/tenants', { name: 'Empty', sample: false });
  expect(await customersOf(await fetchToken(server.baseUrl, empty.body))).toEqual([]);
});

test('a start after a reset finds the fresh sandbox, by its file and without it', async () => {
  const own = await startTestServer({ workers: false, tenant: { calendar: false } });
  const dataDir = await mkdtemp(join(tmpdir(), 'reset-'));
  const service = { ...own.service, config: { ...own.service.config, dataDir } };
  const start = async () =>
    (await sandboxTenant(service, sandboxSample(own.service, own.rails))).facts;
  const first = await start();
  const token = await fetchToken(own.baseUrl, first);
  const body = { name: 'Sample Tenant' };
  const replaced = await own.call('POST', path, { token, body });
  expect(replaced.status).toBe(200);
  const tenantOf = async (facts: { client_id: string; client_secret: string }) => {
    const { scope } = (
      await own.call('GET', '/portal/api/session', { token: await fetchToken(own.baseUrl, facts) })
    ).body;
    return scope;
  };
  const again = await start();
  expect(again.client_secret).toBe(first.client_secret);
  expect(await tenantOf(again)).toBe(replaced.body.id);
  await rm(join(dataDir, 'sandbox.json'));
  expect(await tenantOf(await start())).toBe(replaced.body.id);
  await rm(dataDir, { recursive: true });
  await own.stop();
});
