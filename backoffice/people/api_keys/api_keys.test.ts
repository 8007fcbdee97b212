import { randomUUID } from 'node:crypto';
import type { Role } from '@tenant-payments/contract/core/roles.ts';
import type { Actor } from '@tenant-payments/engine/actor.ts';
import type { Command } from '@tenant-payments/engine/command.ts';
import { platformId } from '@tenant-payments/engine/platform.ts';
import pg from 'pg';
import { beforeEach, expect, test, vi } from 'vitest';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { openServer, startTestServer, type TestTenant } from '../../../test/kit/server.ts';
import { until } from '../../../test/kit/wait.ts';
import { createKey, revokeKey } from './manage.ts';

let aheadMs = 0;
const server = await openServer({ own: true, workers: false, realNow: () => Date.now() + aheadMs });
const { service, owner } = server;
let tenant: TestTenant;
beforeEach(async () => {
  aheadMs = 0;
  tenant = await server.anotherTenant();
});

const dayMs = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + aheadMs + days * dayMs).toISOString();

const call = (method: string, path: string, token: string, more: object = {}) =>
  server.call(method, `/portal/api/${path}`, { token, ...more });

async function grant(personId: string, scope: string, role: Role): Promise<void> {
  await owner.query(
    'insert into control.role_grants (scope, person_id, role, granted_at) values ($1, $2, $3, $4)',
    [scope, personId, role, new Date(Date.now() + aheadMs).toISOString()],
  );
}

async function take(personId: string, role: Role): Promise<void> {
  await owner.query('delete from control.roles where person_id = $1 and role = $2', [
    personId,
    role,
  ]);
}

/** Somebody who holds these roles, as the portal's guard hands them over. */
async function person(scope: string, roles: Role[]): Promise<Actor & { personId: string }> {
  const id = randomUUID();
  await owner.query('insert into control.people values ($1, $2, $3, $4, now())', [
    id,
    `${id}@example.com`,
    'Ana Ruiz',
    id,
  ]);
  for (const role of roles) await grant(id, scope, role);
  return { kind: 'person', id, personId: id, roles, address: null, requestId: null };
}

/** Runs a command as the portal does for this caller. */
async function as<I extends { tenantId: string }>(
  actor: Actor,
  command: Command<I>,
  input: NoInfer<I>,
): Promise<ReplyBody> {
  const act = { act: command.name, record: null, scope: input.tenantId || 'platform' };
  const { platformEngine } = service;
  return JSON.parse(
    (await platformEngine.submit(command, { tenantId: platformId, actor, act, input })).body,
  );
}

async function keyOf(actor: Actor, roles: Role[], tenantId = tenant.tenantId) {
  const asked = { name: 'Nightly reports', roles, expires_at: inDays(30) };
  return as(actor, createKey, { ...asked, tenantId });
}

const secondLater = () => new Promise((resolve) => setTimeout(resolve, 1_050));

test('a key is shown once, does what its roles allow, and nothing else', async () => {
  const body = { name: 'Nightly reports', roles: ['finance'], expires_at: inDays(30) };
  const made = await call('POST', 'api-keys', tenant.token, { body });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({ scope: tenant.tenantId, roles: ['finance'], person_id: null });
  const { key, id } = made.body;
  expect(key).toMatch(/^tpk_[\w-]{70,}$/);
  expect((await call('GET', 'payments', key)).status).toBe(200);
  const refused = await call('PUT', 'settings', key, { body: {} });
  expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden']);
  const listed = await call('GET', 'api-keys', tenant.token);
  expect(listed.body.data).toMatchObject([{ id, status: 'active' }]);
  expect(JSON.stringify(listed.body)).not.toContain('tpk_');
  const { rows } = await owner.query('select to_jsonb(k)::text as row from control.api_keys k');
  expect(rows.map(({ row }) => row).join()).not.toContain(key);
});

test('a key opens the portal alone: the Tenant API does not take it', async () => {
  const { key } = await keyOf(await person(tenant.tenantId, ['owner']), ['owner']);
  const { status } = await server.call('GET', '/v1/payments/pay_x', { token: key });
  expect(status).toBe(401);
});

test('roles above those of the maker are refused', async () => {
  const developer = await person(tenant.tenantId, ['developer']);
  for (const role of ['owner', 'finance', 'support', 'admin'] as const)
    await expect(keyOf(developer, ['reader', role])).rejects.toMatchObject({
      code: 'parameter_invalid',
      param: 'roles',
      details: { reason: 'above_own', allowed: ['developer', 'reader'] },
    });
  expect((await keyOf(developer, ['reader'])).roles).toEqual(['reader']);
});

test.each([
  ['past', 0],
  ['too_late', 365.1],
])('an expiry is refused as %s', async (reason, days) => {
  const body = { name: 'x', roles: ['reader'], expires_at: inDays(days) };
  const { status, body: reply } = await call('POST', 'api-keys', tenant.token, { body });
  expect([status, reply.error.param, reply.error.details]).toEqual([400, 'expires_at', { reason }]);
});

test('an expiry of a year by a clock that is five minutes ahead is a year', async () => {
  const fourMinutes = 240_000 / dayMs;
  const body = { name: 'x', roles: ['reader'], expires_at: inDays(365 + fourMinutes) };
  const { status, body: made } = await call('POST', 'api-keys', tenant.token, { body });
  expect(status).toBe(201);
  expect(Date.parse(made.expires_at)).toBeLessThanOrEqual(Date.now() + aheadMs + 365 * dayMs);
});

test('an expired key is refused, and listed as expired', async () => {
  const { key } = await keyOf(await person(tenant.tenantId, ['developer']), ['developer']);
  expect((await call('GET', 'api-keys', key)).status).toBe(200);
  aheadMs = 31 * dayMs;
  expect((await call('GET', 'api-keys', key)).status).toBe(401);
  expect((await call('GET', 'api-keys', tenant.token)).body.data[0].status).toBe('expired');
});

test('a revoked key is refused within a second, on every process', async () => {
  const second = await startTestServer({ beside: server, workers: false });
  const maker = await person(tenant.tenantId, ['developer']);
  const { key, id } = await keyOf(maker, ['reader']);
  const statuses = async () => [
    (await call('GET', 'payments', key)).status,
    (await second.call('GET', '/portal/api/payments', { token: key })).status,
  ];
  expect(await statuses()).toEqual([200, 200]);
  const revoked = await as(maker, revokeKey, { id, tenantId: tenant.tenantId });
  expect(revoked.status).toBe('revoked');
  await secondLater();
  expect(await statuses()).toEqual([401, 401]);
  await second.stop();
});

test('a key makes and revokes no key, except that it ends itself', async () => {
  const { key, id } = await keyOf(await person(tenant.tenantId, ['owner']), ['owner']);
  const body = { name: 'x', roles: ['reader'], expires_at: inDays(1) };
  for (const [method, path, more] of [
    ['POST', 'api-keys', { body }],
    ['DELETE', `api-keys/${id}`, {}],
  ] as const) {
    const reply = await call(method, path, key, more);
    expect([reply.status, reply.body.error.code]).toEqual([403, 'step_up_required']);
  }
  expect((await call('DELETE', 'api-keys/current', key)).body).toMatchObject({
    id,
    status: 'revoked',
  });
  await secondLater();
  expect((await call('GET', 'payments', key)).status).toBe(401);
  expect((await call('DELETE', 'api-keys/current', tenant.token)).status).toBe(403);
});

test('a key ends for good when its maker loses the role, also if it is given again', async () => {
  const maker = await person(tenant.tenantId, ['developer', 'finance']);
  const { key } = await keyOf(maker, ['finance']);
  const other = await keyOf(maker, ['developer']);
  expect((await call('GET', 'payments', key)).status).toBe(200);
  await take(maker.personId, 'finance');
  await secondLater();
  expect((await call('GET', 'payments', key)).status).toBe(401);
  aheadMs = 60_000;
  await grant(maker.personId, tenant.tenantId, 'finance');
  expect((await call('GET', 'payments', key)).status).toBe(401);
  expect((await call('GET', 'payments', other.key)).status).toBe(200);
  const statuses = (await call('GET', 'api-keys', tenant.token)).body.data;
  expect(statuses.map(({ status }: { status: string }) => status)).toEqual([
    'active',
    'maker_ended',
  ]);
});

test('a key with the role reviewer or admin lives for a day at most', async () => {
  const boss = await person('platform', ['admin']);
  const ask = (roles: Role[], days: number) =>
    as(boss, createKey, { name: 'Console', roles, expires_at: inDays(days), tenantId: '' });
  for (const roles of [['admin'], ['reviewer'], ['support', 'reviewer']] as Role[][]) {
    await expect(ask(roles, 2)).rejects.toMatchObject({ details: { reason: 'too_late' } });
    const { key } = await ask(roles, 1);
    expect((await call('GET', 'tenants', key)).status).toBe(200);
    aheadMs = dayMs;
    await secondLater();
    expect((await call('GET', 'tenants', key)).status).toBe(401);
    aheadMs = 0;
  }
  expect(await ask(['support'], 365)).toMatchObject({ roles: ['support'] });
});

test('where single sign-on is demanded, a key works while its maker has the account and uses it', async () => {
  const maker = await person(tenant.tenantId, ['developer']);
  const { key, id } = await keyOf(maker, ['reader']);
  const works = async () => {
    await secondLater();
    const { status, body } = await call('GET', 'payments', key);
    return status === 200 ? 200 : `${status} ${body.error.details?.reason}`;
  };
  const due = '403 single_sign_on_required';
  async function provider(issuer: string, required: boolean): Promise<void> {
    await owner.query('delete from control.sign_on_providers where scope = $1', [tenant.tenantId]);
    await owner.query(
      `insert into control.sign_on_providers (scope, issuer, client_id, client_secret_sealed, required,
         trust_email, created_at, updated_at)
       values ($1, $2, 'ours', 'sealed', $3, false, now(), now())`,
      [tenant.tenantId, issuer, required],
    );
  }
  await provider('https://one.example', false);
  expect(await works()).toBe(200);
  await provider('https://one.example', true);
  expect(await works()).toBe(due);
  await owner.query(
    `insert into control.linked_identities values ($1, 'https://one.example', 'ana', $2, now(), now())`,
    [tenant.tenantId, maker.personId],
  );
  expect(await works()).toBe(200);
  aheadMs = 30 * dayMs - 60_000;
  await owner.query("update control.api_keys set expires_at = now() + interval '1 year'");
  expect(await works()).toBe(200);
  aheadMs = 30 * dayMs + 60_000;
  expect(await works()).toBe(due);
  const listed = (await call('GET', 'api-keys', tenant.token)).body.data;
  expect(listed).toMatchObject([{ id, status: 'sign_in_due' }]);
  await owner.query('update control.identities set last_used_at = $1', [inDays(0)]);
  expect(await works()).toBe(200);
  await provider('https://other.example', true);
  expect(await works()).toBe(due);
});

test('the keys of a disabled person, of a suspended Tenant and of a retired client end', async () => {
  const maker = await person(tenant.tenantId, ['developer']);
  const { key } = await keyOf(maker, ['reader']);
  await owner.query('update control.people set disabled_at = now() where id = $1', [
    maker.personId,
  ]);
  expect((await call('GET', 'payments', key)).status).toBe(401);

  const second = await keyOf(await person(tenant.tenantId, ['developer']), ['reader']);
  const asked = { name: 'x', roles: ['reader'], expires_at: inDays(1) };
  const third = (await call('POST', 'api-keys', tenant.token, { body: asked })).body;
  await owner.query('update clients set retired_at = now() where client_id = $1', [
    tenant.client_id,
  ]);
  expect((await call('GET', 'payments', third.key)).status).toBe(401);
  expect((await call('GET', 'payments', second.key)).status).toBe(200);
  await owner.query(
    `update tenants set suspended_at = now(), suspended_reason = 'test' where tenant_id = $1`,
    [tenant.tenantId],
  );
  await secondLater();
  expect((await call('GET', 'payments', second.key)).status).toBe(401);
});

test("another Tenant's key is not found, and its caller finds nothing of this Tenant", async () => {
  const other = await server.anotherTenant();
  const theirs = await keyOf(
    await person(other.tenantId, ['developer']),
    ['developer'],
    other.tenantId,
  );
  const { status, body } = await call('DELETE', `api-keys/${theirs.id}`, tenant.token);
  expect([status, body.error.code]).toEqual([404, 'not_found']);
  expect((await call('GET', 'api-keys', tenant.token)).body.data).toEqual([]);
  const named = await call('GET', 'payments', theirs.key, {
    headers: { 'tenant-id': tenant.tenantId },
  });
  expect([named.status, named.body.error.details]).toEqual([403, { reason: 'staff_only' }]);
});

test('whoever may not make keys sees and revokes own ones alone', async () => {
  const [finance, developer] = [
    await person(tenant.tenantId, ['finance']),
    await person(tenant.tenantId, ['developer']),
  ];
  const own = await keyOf(finance, ['finance']);
  const others = await keyOf(developer, ['developer']);
  const listed = (await call('GET', 'api-keys', own.key)).body.data;
  expect(listed.map(({ id }: { id: string }) => id)).toEqual([own.id]);
  const { tenantId } = tenant;
  await expect(as(finance, revokeKey, { id: others.id, tenantId })).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(await as(finance, revokeKey, { id: own.id, tenantId })).toMatchObject({
    status: 'revoked',
  });
});

test('a key of the staff names the Tenant by Tenant-Id, 600 times a minute', async () => {
  const { key, scope } = await keyOf(await person('platform', ['admin']), ['support'], '');
  expect(scope).toBe('platform');
  const choose = await call('GET', 'payments', key);
  expect([choose.status, choose.body.error.details]).toEqual([403, { reason: 'choose_tenant' }]);
  const headers = { 'tenant-id': tenant.tenantId };
  const listed = await call('GET', 'payments', key, { headers });
  expect([listed.status, listed.headers.get('ratelimit-limit')]).toEqual([200, '600']);
  const unknown = await call('GET', 'payments', key, { headers: { 'tenant-id': randomUUID() } });
  expect([unknown.status, unknown.body.error.param]).toEqual([400, 'Tenant-Id']);
});

test('the last use is shown, and written once a minute', async () => {
  const { key, id } = await keyOf(await person(tenant.tenantId, ['developer']), ['developer']);
  const lastUse = async () =>
    (await call('GET', 'api-keys', tenant.token)).body.data.find(
      (row: { id: string }) => row.id === id,
    ).last_used_at;
  expect(await lastUse()).toBeNull();
  await call('GET', 'payments', key);
  await until(async () => (await lastUse()) !== null);
  const first = await lastUse();
  aheadMs = 30_000;
  await secondLater();
  await call('GET', 'payments', key);
  expect(await lastUse()).toBe(first);
  aheadMs = 61_000;
  await secondLater();
  await call('GET', 'payments', key);
  await until(async () => (await lastUse()) !== first);
});

test('a made-up key is 401 without a query', async () => {
  const real = service.vault.newSecret(tenant.tenantId, 'tpk');
  await service.requestLog.flush();
  const query = vi.spyOn(pg.Client.prototype, 'query');
  for (const token of [`${real.slice(0, -2)}AA`, 'tpk_x', `tpk_${'x'.repeat(75)}`])
    expect((await call('GET', 'payments', token)).status).toBe(401);
  expect(query).not.toHaveBeenCalled();
  query.mockRestore();
});
