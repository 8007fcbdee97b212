import { beforeEach, expect, test } from 'vitest';
import { openServer, type TestTenant } from '../../test/kit/server.ts';
import { until } from '../../test/kit/wait.ts';

const server = await openServer({ own: true });
const second = await openServer({ beside: server, workers: false });
let tenant: TestTenant;
beforeEach(async () => {
  tenant = await server.anotherTenant();
});

const path = '/portal/api/credentials';
const call = (method: string, more = '', token = tenant.token) =>
  server.call(method, `${path}${more}`, { token });

async function tokenBy(client_secret: string, at = server) {
  const form = { grant_type: 'client_credentials', client_id: tenant.client_id, client_secret };
  return at.call('POST', '/oauth/token', {
    token: null,
    body: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
}

const statuses = async (...secrets: string[]) =>
  Promise.all(secrets.map(async (secret) => (await tokenBy(secret)).status));
const isTaken = async (token: string, at = server) =>
  (await at.call('GET', '/v1/payments/pay_x', { token })).status !== 401;

test('a client changes its secret without a break: two give tokens, then the new one alone', async () => {
  const { status, body: made } = await call('POST');
  expect([status, made.client_id]).toEqual([201, tenant.client_id]);
  expect(await statuses(tenant.client_secret, made.client_secret)).toEqual([200, 200]);
  const { data } = (await call('GET')).body;
  expect(data.map(({ id }: { id: string }) => id)).toContain(made.id);
  for (const { last_used_at } of data)
    expect(Math.abs(Date.now() - Date.parse(last_used_at))).toBeLessThan(120_000);
  expect(JSON.stringify(data)).not.toContain('cs_');
  const old = data.find(({ id }: { id: string }) => id !== made.id);
  const retired = await call('DELETE', `/${old.id}`);
  expect([retired.status, retired.body.retired_at]).toEqual([200, expect.any(String)]);
  expect(await statuses(tenant.client_secret, made.client_secret)).toEqual([401, 200]);
  expect((await call('DELETE', `/${old.id}`)).body).toEqual(retired.body);
});

test('a third active secret and the end of the last one are refused, also at once', async () => {
  const made = await Promise.all([call('POST'), call('POST'), call('POST')]);
  expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  const refused = made.find(({ status }) => status === 409);
  expect(refused?.body.error).toMatchObject({
    code: 'invalid_state',
    details: { reason: 'too_many_active', maximum: 2 },
  });
  const { data } = (await call('GET')).body;
  const ends = await Promise.all(data.map(({ id }: { id: string }) => call('DELETE', `/${id}`)));
  expect(ends.map(({ status }) => status).sort()).toEqual([200, 409]);
  const kept = ends.find(({ status }) => status === 409);
  expect(kept?.body.error.details).toEqual({ reason: 'last_active' });
});

test('of two processes that change the secrets at once, the later is decided on what the first left', async () => {
  const both = (method: string, ...more: readonly string[]) =>
    Promise.all(
      [server, second].map((at, index) =>
        at.call(method, path + (more[index] ?? ''), { token: tenant.token }),
      ),
    );
  for (let round = 0; round < 3; round += 1) {
    tenant = await server.anotherTenant();
    const made = await both('POST');
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409]);
    const { data } = (await call('GET')).body;
    const ends = await both('DELETE', ...data.map(({ id }: { id: string }) => `/${id}`));
    expect(ends.map(({ status }) => status).sort()).toEqual([200, 409]);
  }
});

test('revoked tokens end in every process within a second, and the secret gives others', async () => {
  const other = await server.anotherTenant();
  const { access_token } = (await tokenBy(tenant.client_secret)).body;
  expect([await isTaken(access_token), await isTaken(access_token, second)]).toEqual([true, true]);
  expect((await call('POST', '/revoke-tokens')).body).toEqual({ revoked: 2 });
  for (const at of [server, second])
    await until(async () => !(await isTaken(access_token, at)), { what: 'the end of a token' });
  await until(async () => !(await isTaken(tenant.token)), { what: 'the end of the other' });
  expect(await isTaken(other.token)).toBe(true);
  const fresh = await tokenBy(tenant.client_secret);
  expect(await isTaken(fresh.body.access_token, second)).toBe(true);
});

test("another Tenant's secret is not found, and a form that is no id neither", async () => {
  const other = await server.anotherTenant();
  const { data } = (await call('GET', '', other.token)).body;
  for (const id of [data[0].id, 'cred_x', `cred_${'0'.repeat(32)}`])
    expect((await call('DELETE', `/${id}`)).status).toBe(404);
  expect(await statuses(tenant.client_secret)).toEqual([200]);
});
