import { afterAll, expect, test } from 'vitest';
import type { AuditRow } from '../../engine/write/flush_audit.ts';
import { blankDatabase } from '../../test/kit/database/database.ts';
import { fetchToken } from '../../test/kit/http/http.ts';
import { answer, enrol } from '../../test/kit/people.ts';
import { settingsOf } from '../../test/kit/processes/settings.ts';
import { openServer } from '../../test/kit/server.ts';
import { commandLine } from './actor.ts';
import { operations as audit } from './audit.ts';
import { operations as credentials } from './credentials.ts';
import { type Deployment, openDeployment } from './deployment.ts';
import { linesOf } from './fault.ts';
import { operations as keys } from './keys.ts';
import { operations as ledger } from './ledger.ts';
import { operations as members } from './members.ts';
import { operations as migrations } from './migrations.ts';
import { operations as operators } from './operators.ts';
import { operations as settings } from './settings.ts';
import { operations as tenants } from './tenants.ts';
import { operations as webhooks } from './webhooks.ts';

const server = await openServer();
const blank = await blankDatabase();
const quiet = { LOG_LEVEL: 'silent' };
const opened: Deployment[] = [];

/** Another process's view of the server's deployment, with other settings where they are given. */
function deployment(env: Record<string, string> = {}): Deployment {
  const one = openDeployment({ ...settingsOf(server), ...quiet, ...env });
  opened.push(one);
  return one;
}
const here = deployment();
afterAll(async () => {
  await Promise.all(opened.map((one) => one.close()));
  await blank.drop();
});

test('a command that has answered leaves no connection open, for which its process would wait', async () => {
  const one = openDeployment({ ...settingsOf(server), ...quiet });
  await operators.list(one);
  const { pool } = await one.database();
  await one.close();
  expect(pool.ended).toBe(true);
});

test("a client's secrets are made, listed and retired as over the portal", async () => {
  const { tenantId: tenant, ...first } = await server.anotherTenant();
  const made = await credentials.create(here, { tenant });
  expect(await fetchToken(server.baseUrl, made)).toMatch(/^tok_/);
  await expect(credentials.create(here, { tenant })).rejects.toMatchObject({
    details: { reason: 'too_many_active' },
  });
  const { data } = await credentials.list(here, { tenant });
  const old = data.find(({ id }) => id !== made.id)?.id ?? '';
  await credentials.retire(here, { tenant, id: old });
  await expect(fetchToken(server.baseUrl, first)).rejects.toThrow('401');
  expect(await credentials.revokeTokens(here, { tenant })).toEqual({ revoked: 2 });
});

test('an endpoint keeps what is not given of it, and takes no address that the portal refuses', async () => {
  const { tenantId: tenant } = await server.anotherTenant();
  const url = 'https://shop.example/hooks';
  expect(await webhooks.endpoint(here, { tenant })).toEqual({ url: null, enabled: false });
  await expect(webhooks.endpoint(here, { tenant, enabled: true })).rejects.toMatchObject({
    code: 'parameter_missing',
  });
  expect(await webhooks.endpoint(here, { tenant, url })).toEqual({ url, enabled: true });
  expect(await webhooks.endpoint(here, { tenant, enabled: false })).toEqual({
    url,
    enabled: false,
  });
  const moved = await webhooks.endpoint(here, { tenant, url: `${url}/2` });
  expect(moved).toEqual({ url: `${url}/2`, enabled: false });
  await expect(webhooks.endpoint(here, { tenant, url: 'https://10.0.0.1/' })).rejects.toMatchObject(
    {
      details: { reason: 'address' },
    },
  );
});

test('the last webhook secret stays until another was made', async () => {
  const { tenantId: tenant } = await server.anotherTenant();
  const [first] = (await webhooks.listSecrets(here, { tenant })).data;
  const id = first?.id ?? '';
  await expect(webhooks.retireSecret(here, { tenant, id })).rejects.toMatchObject({
    details: { reason: 'last_active' },
  });
  expect((await webhooks.createSecret(here, { tenant })).secret).toMatch(/^whsec_/);
  expect(await webhooks.retireSecret(here, { tenant, id })).toMatchObject({ id });
});

test('each webhook endpoint is shown and changed by its name, and has secrets of its own', async () => {
  const { tenantId: tenant, token } = await server.anotherTenant();
  const { post } = server.apiOf({ token });
  const add = (name: string) =>
    post('/portal/api/webhook-endpoints', { name, url: `https://shop.example/${name}` });
  const { id } = await add('Books');
  const of = { tenant, endpoint: 'Books' };
  expect(await webhooks.endpoint(here, of)).toMatchObject({ id, name: 'Books', enabled: true });
  const url = 'https://books.example/hooks';
  expect(await webhooks.endpoint(here, { ...of, url })).toMatchObject({ id, url, enabled: true });
  expect(await webhooks.endpoint(here, { ...of, endpoint: id, enabled: false })).toMatchObject({
    url,
    enabled: false,
  });
  expect(await webhooks.endpoints(here, { tenant })).toMatchObject({
    first: { url: null },
    further: [{ id, name: 'Books', url }],
  });
  await expect(webhooks.endpoint(here, { ...of, url: 'https://10.0.0.1/' })).rejects.toMatchObject({
    details: { reason: 'address' },
  });
  const before = (await webhooks.listSecrets(here, { tenant })).data;
  const { id: made } = await webhooks.createSecret(here, of);
  const own = (await webhooks.listSecrets(here, of)).data;
  expect([own.length, own[0]?.id]).toEqual([2, made]);
  expect((await webhooks.listSecrets(here, { tenant })).data).toEqual(before);
  await webhooks.retireSecret(here, { tenant, id: made });
  // Two of one name are told apart by their ids.
  await add('Books');
  await expect(webhooks.endpoint(here, of)).rejects.toThrow(
    /^2 endpoints are called Books: whe_.*, whe_/,
  );
  expect(await webhooks.endpoint(here, { tenant, endpoint: id })).toMatchObject({ id });
  await expect(webhooks.listSecrets(here, { ...of, endpoint: 'Ads' })).rejects.toThrow(
    'no endpoint beside the first one is called Ads',
  );
});

test('settings are set with the checks of the portal, and hold for the service', async () => {
  const { tenantId: tenant, token } = await server.anotherTenant();
  const set = (changes: object) => settings.set(here, { tenant, changes: { ...changes } });
  expect(await set({ refund_window_days: 30 })).toMatchObject({ refund_window_days: 30 });
  const shown = await server.call('GET', '/portal/api/settings', { token });
  expect(shown.body).toEqual(await settings.get(here, { tenant }));
  for (const [changes, reason] of [
    [{ refund_window_days: 0 }, 'below_minimum'],
    [{ nothing: 1 }, 'unknown_field'],
    [{ return_urls: ['http://shop.example/'] }, 'scheme'],
  ] as const)
    await expect(set(changes)).rejects.toMatchObject({
      code: 'parameter_invalid',
      details: { reason },
    });
});

test('a Tenant is shown with its client, endpoint and state, and an unknown id is not found', async () => {
  const { tenantId: tenant, client_id } = await server.anotherTenant();
  await tenants.suspend(here, { tenant, reason: 'a test' });
  expect(await tenants.show(here, { tenant })).toMatchObject({
    client_ids: [client_id],
    webhook_endpoint: { url: null },
    suspended_reason: 'a test',
  });
  expect((await tenants.list(here)).data[0]).toMatchObject({ id: tenant });
  await expect(tenants.suspend(here, { tenant, reason: '' })).rejects.toMatchObject({
    param: 'reason',
  });
  for (const id of ['x', '00000000-0000-7000-8000-000000000000'])
    for (const asked of [tenants.show, ledger.verify, credentials.list])
      await expect(asked(here, { tenant: id })).rejects.toMatchObject({
        code: 'not_found',
        details: { reason: 'unknown_tenant' },
      });
});

test('staff and members are invited by a link, and staff are disabled, enabled and reset', async () => {
  const { tenantId: tenant } = await server.anotherTenant();
  const email = 'Root@example.com';
  const invited = await operators.create(here, { email, roles: ['admin', 'reviewer'] });
  expect(invited).toMatchObject({ email: 'root@example.com', roles: ['admin', 'reviewer'] });
  const { browser, passkey } = await enrol(server, invited.link, 'Root');
  const signIn = async () => (await answer(browser, 'sign-in', passkey)).status;
  await operators.disable(here, { email });
  expect((await operators.list(here)).data).toMatchObject([
    { disabled: true },
    { disabled: false },
  ]);
  expect(await signIn()).toBe(400);
  await operators.enable(here, { email });
  expect(await signIn()).toBe(200);
  const reset = await operators.reset(here, { email });
  expect((await browser.ask('GET', '/session')).status).toBe(401);
  expect((await enrol(server, reset.link, 'Root')).reply.body.recovery_codes).toHaveLength(10);
  expect(await signIn()).toBe(400);
  const member = await members.invite(here, { tenant, email, roles: ['owner'] });
  expect(member.link).toMatch(/#invitation=tpi_/);
  expect((await members.list(here, { tenant })).data).toMatchObject([{ email: 'sam@example.com' }]);
  const wrong = { email: 'x', roles: ['admin' as const] };
  await expect(operators.create(here, wrong)).rejects.toMatchObject({ param: 'email' });
  await expect(operators.reset(here, { email: 'no@x.co' })).rejects.toMatchObject({
    code: 'not_found',
    param: 'email',
  });
  const nowhere = { tenant: 'x', email, roles: ['owner' as const] };
  await expect(members.invite(here, nowhere)).rejects.toMatchObject({ code: 'not_found' });
});

test('settings of production are refused by the database of a sandbox', async () => {
  const other = deployment({ ENVIRONMENT: 'production', LOG_LEVEL: '' });
  const given = { tenant: server.tenant.tenantId, reason: 'a test' };
  await expect(tenants.suspend(other, given)).rejects.toThrow('the database is one of sandbox');
});

test('keys of another database change nothing, and a sandbox that does not run is named', async () => {
  const other = deployment({ SEALING_KEY: `other:${'ab'.repeat(32)}` });
  await expect(credentials.create(other, { tenant: server.tenant.tenantId })).rejects.toThrow(
    'SEALING_KEY holds no key that the database was used with before',
  );
  const none = openDeployment({ DATA_DIR: '/nonexistent', ...quiet });
  await expect(tenants.list(none)).rejects.toThrow('no PostgreSQL runs in /nonexistent');
});

test('what the command line changes is in the audit with the user of the machine, refusals too', async () => {
  const { tenantId: tenant } = await server.anotherTenant();
  await settings.set(here, { tenant, changes: { refund_window_days: 30 } });
  await webhooks.endpoint(here, { tenant, url: 'https://shop.example/hooks' });
  await credentials.create(here, { tenant });
  await expect(credentials.create(here, { tenant })).rejects.toThrow();
  await tenants.suspend(here, { tenant, reason: 'a test' });
  await tenants.resume(here, { tenant });
  await keys.reseal(here);
  const { rows } = await server.service.pool.query<AuditRow>(
    `select * from control.audit where (scope = $1 or record = $1) and actor_kind = 'command_line'
       or act = 'beginReseal' order by at`,
    [tenant],
  );
  expect(rows.map(({ act, outcome }) => [act, outcome])).toEqual([
    ['putSettings', 'done'],
    ['putWebhookEndpoint', 'done'],
    ['createCredential', 'done'],
    ['createCredential', 'invalid_state'],
    ['suspendTenant', 'done'],
    ['resumeTenant', 'done'],
    ['beginReseal', 'done'],
  ]);
  expect(new Set(rows.map(({ actor_id }) => actor_id))).toEqual(new Set([commandLine().id]));
  expect(JSON.parse(rows[0]?.body ?? '')).toMatchObject({
    before: { refund_window_days: 180 },
    after: { refund_window_days: 30 },
  });
});

test('a stored setting that this release does not take is named, and is set anew', async () => {
  const { tenantId: tenant } = await server.anotherTenant();
  await server.owner.query(
    `update tenants set settings = settings || '{"refund_window_days": 0}' where tenant_id = $1`,
    [tenant],
  );
  const refusal = await settings.get(here, { tenant }).catch((error: unknown) => error);
  expect(linesOf(refusal)).toEqual([
    'error: tenants.settings cannot be read: refund_window_days (minimum)',
    'hint: set it anew with npm run cli -- settings set; this release does not take what is stored.',
  ]);
  await settings.set(here, { tenant, changes: { refund_window_days: 30 } });
  expect(await settings.get(here, { tenant })).toMatchObject({ refund_window_days: 30 });
});

test('the audit is verified, against a head that is known too', async () => {
  const { tenantId: scope } = await server.anotherTenant();
  await webhooks.createSecret(here, { tenant: scope });
  const whole = await audit.verify(here, {});
  expect(whole).toMatchObject({ ok: true, faults: [] });
  const head = whole.heads.find((one) => one.scope === scope);
  expect(head).toMatchObject({ number: 1 });
  const hash = 'f'.repeat(64);
  expect(await audit.verify(here, { scope, head: { number: 1, hash } })).toMatchObject({
    ok: false,
    checked: 1,
    faults: [{ scope, number: 1, meaning: expect.stringContaining('known elsewhere') }],
  });
});

test('the ledger of one Tenant and that of all are verified', async () => {
  const one = await ledger.verify(here, { tenant: server.tenant.tenantId });
  const all = await ledger.verify(here, {});
  expect([one.ok, all.ok]).toEqual([true, true]);
  expect(all.checked).toBeGreaterThan(one.checked);
});

test('production is not operated by a login that may change the ledger', async () => {
  const env = { ENVIRONMENT: 'production', LOG_LEVEL: '', DATABASE_URL: server.databaseUrl };
  await expect(tenants.list(deployment(env))).rejects.toThrow(/^DATABASE_URL: the login .* Run: /);
});

test('a database without migrations is named with them; the plan lists them and the obstacles', async () => {
  const urls = { DATABASE_URL: blank.url, MIGRATION_DATABASE_URL: blank.url };
  await expect(tenants.list(deployment(urls))).rejects.toThrow(/lacks migrations .*0001_baseline/);
  const before = await migrations.plan(deployment(urls));
  expect(before).toMatchObject({ unknown: [], obstacles: [] });
  expect(before.waiting[0]).toBe('0001_baseline');
  const bare = deployment({ ...urls, MIGRATION_DATABASE_URL: server.serviceUrl });
  expect((await migrations.plan(bare)).obstacles.join()).toContain('MIGRATION_DATABASE_URL');
  expect(await migrations.apply(deployment(urls))).toEqual({ applied: before.waiting });
  expect((await migrations.plan(deployment(urls))).waiting).toEqual([]);
  expect((await tenants.list(deployment(urls))).data).toEqual([]);
});

test('the schema of a cell is made by its first migration, which the plan tells', async () => {
  const cell = `${blank.url}#cell_b`;
  const urls = { DATABASE_URL: cell, MIGRATION_DATABASE_URL: cell };
  const before = await migrations.plan(deployment(urls));
  expect(before).toMatchObject({ obstacles: [], unknown: [] });
  expect(before.waiting[0]).toBe('0001_baseline');
  expect(await migrations.apply(deployment(urls))).toEqual({ applied: before.waiting });
  expect(await migrations.plan(deployment(urls))).toMatchObject({ obstacles: [], waiting: [] });
  expect((await tenants.list(deployment(urls))).data).toEqual([]);
});

test('a new key has an id that its ring lacks, and is a key of each ring', async () => {
  for (const ring of ['SEALING_KEY', 'PIN_PEPPER', 'QR_SIGNING_KEY', 'IDENTITY_KEY'] as const) {
    const first = await keys.rotate(here, { ring });
    const both = `${first.key},${settingsOf(server)[ring]}`;
    const second = await keys.rotate(deployment({ [ring]: both }), { ring });
    expect(second.ids).toEqual([first.id, 'test']);
    expect(second.id).not.toBe(first.id);
    expect(first.key.startsWith(`${first.id}:`)).toBe(true);
  }
});
