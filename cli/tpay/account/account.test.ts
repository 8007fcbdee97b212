import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type PortalPerson, portalPerson } from '../../../test/kit/people.ts';
import { openServer } from '../../../test/kit/server.ts';
import { accountEnv, openTpay } from '../../../test/kit/tpay.ts';
import { until } from '../../../test/kit/wait.ts';

let aheadMs = 0;
const server = await openServer({ workers: false, realNow: () => Date.now() + aheadMs });
const { baseUrl, tenant } = server;
const env = accountEnv(baseUrl, tenant);
const file = (home: string) => join(home, '.config/tenant-payments/profiles.json');
const saved = (home: string) => JSON.parse(readFileSync(file(home), 'utf8'));

/** The act of a person with the code that the command shows, while it waits. */
const approving = (who: PortalPerson, out: readonly string[]) => async (milliseconds: number) => {
  aheadMs += milliseconds;
  const user_code = /Code {2}(\S+)/.exec(out.join('\n'))?.[1];
  expect((await who.ask('POST', '/device-sign-in/approve', { user_code })).status).toBe(200);
};

async function login(tpay: ReturnType<typeof openTpay>, ...args: string[]) {
  const ana = await portalPerson(server, tenant.tenantId, ['developer']);
  const said: string[] = [];
  const shown = tpay.with({ out: (line) => said.push(line), pause: approving(ana, said) });
  return { ...(await shown('login', ...args)), said };
}

test('after a login in a sandbox all commands work at once: the portal, the Tenant API, a token, a file of keys', async () => {
  const tpay = openTpay();
  const { code, err, said } = await login(tpay, '--base-url', baseUrl, '--profile', 'staging');
  expect([code, err]).toEqual([0, []]);
  expect(said.join('\n')).not.toMatch(/tpk_|cs_/);
  expect(said.join('\n')).toContain('tpay trigger payment.completed');
  expect(statSync(file(tpay.home)).mode & 0o777).toBe(0o600);
  expect(saved(tpay.home)).toMatchObject({
    current: 'staging',
    profiles: {
      staging: {
        base_url: baseUrl,
        key: { key: expect.stringMatching(/^tpk_/) },
        temporary: { client_secret: expect.stringMatching(/^cs_/) },
      },
    },
  });
  expect(await tpay.json('whoami')).toMatchObject({ kind: 'api_key', roles: ['developer'] });
  const { customerId } = await server.api.approved('individual');
  expect(await tpay.json('customers', 'get', customerId)).toMatchObject({ id: customerId });
  expect((await tpay('customers', 'find', '--external-ref', 'nobody')).code).toBe(0);
  expect(await tpay.json('trigger', 'customer.created')).toMatchObject({ sample: false });
  expect((await tpay('token')).out[0]).toMatch(/^tok_/);
  const env = join(tpay.home, '.env.local');
  const init = await tpay('init', '--file', env);
  expect([init.code, init.out.at(-1)]).toEqual([0, expect.stringContaining('tpay init again')]);
  expect(readFileSync(env, 'utf8')).toContain('PAY_CLIENT_SECRET=cs_');
  expect(readFileSync(env, 'utf8')).toContain(`PAY_WEBHOOK_SECRET=${server.tenant.webhook_secret}`);
  expect((await tpay('init', '--file', env)).out[0]).toMatch(/has it already/);
  const rotated = await server.call('POST', '/portal/api/webhook-secrets', { body: {} });
  expect((await tpay('init', '--file', env, '--yes')).code).toBe(0);
  expect(readFileSync(env, 'utf8')).toContain(`PAY_WEBHOOK_SECRET=${rotated.body.secret}`);
});

test('a file of keys that others could read is readable by its owner alone after init', async () => {
  const tpay = openTpay(env);
  const path = join(tpay.home, '.env.local');
  for (const before of ['A=1', null]) {
    if (before) writeFileSync(path, before);
    chmodSync(path, 0o644);
    expect((await tpay('init', '--file', path, '--yes')).code).toBe(0);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  }
});

test('a client that was saved for one address is not lost by a login at another, or by profiles add', async () => {
  const tpay = openTpay({ PAY_CLIENT_SECRET: 'cs_kept' });
  const at = ['--base-url', 'https://pay.example.com'];
  await tpay('profiles', 'add', 'prod', ...at, '--client-id', 'client_kept');
  const before = saved(tpay.home);
  for (const again of [
    ['login', '--profile', 'prod', '--base-url', baseUrl],
    ['profiles', 'add', 'prod', '--base-url', baseUrl],
  ]) {
    const { code, err } = await tpay(...again);
    expect([code, err.join(' ')]).toEqual([
      2,
      expect.stringMatching(/would be lost.*profiles remove prod/),
    ]);
  }
  expect(saved(tpay.home)).toEqual(before);
});

test('the client of a login is renewed by the next command once it is over', async () => {
  const tpay = openTpay();
  await login(tpay, '--base-url', baseUrl);
  const before = saved(tpay.home);
  const { temporary } = before.profiles.default;
  const ended = { ...temporary, expires_at: '2020-01-01T00:00:00Z' };
  const profiles = { default: { ...before.profiles.default, temporary: ended } };
  writeFileSync(file(tpay.home), JSON.stringify({ ...before, profiles }));
  expect((await tpay('customers', 'find', '--external-ref', 'nobody')).code).toBe(0);
  const { client_secret } = saved(tpay.home).profiles.default.temporary;
  expect(client_secret).not.toBe(temporary.client_secret);
});

test('a secret of a login ends by itself, is not listed and takes no place of the lasting ones', async () => {
  const other = await server.anotherTenant({ calendar: false });
  const make = () => server.call('POST', '/portal/api/sandbox/client', { token: other.token });
  const { body } = await make();
  const tokenBy = async ({ client_id, client_secret }: typeof other) =>
    (
      await fetch(`${baseUrl}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
      })
    ).status;
  expect(await tokenBy(body)).toBe(200);
  await server.service.pool.query(
    `update client_secrets set expires_at = now() - interval '1 s'
     where tenant_id = $1 and expires_at is not null`,
    [other.tenantId],
  );
  expect(await tokenBy(body)).toBe(401);
  for (let made = 0; made < 12; made += 1) expect((await make()).status).toBe(201);
  const { rows } = await server.service.pool.query(
    `select count(*)::integer from client_secrets
     where tenant_id = $1 and retired_at is null and expires_at is not null`,
    [other.tenantId],
  );
  expect(rows).toEqual([{ count: 10 }]);
  const listed = await server.call('GET', '/portal/api/credentials', { token: other.token });
  expect(listed.body.data).toHaveLength(1);
  const refused = await server.call('DELETE', `/portal/api/credentials/${listed.body.data[0].id}`, {
    token: other.token,
  });
  expect(refused.body.error.details).toMatchObject({ reason: 'last_active' });
});

test('logout revokes the key and forgets the profile', async () => {
  const tpay = openTpay();
  await login(tpay, '--base-url', baseUrl);
  const { key } = saved(tpay.home).profiles.default.key;
  expect((await tpay.json('logout')).status).toBe('revoked');
  const opens = async () =>
    (await server.call('GET', '/portal/api/session', { token: key })).status;
  await until(async () => (await opens()) === 401, { withinMs: 2_000 });
  expect(saved(tpay.home).profiles).toEqual({});
  expect((await tpay('logout')).code).toBe(2);
});

test('the environment goes before a profile, and a profile before the sandbox', async () => {
  const tpay = openTpay({ ...env, PAY_PROFILE: '' });
  await tpay('profiles', 'add', 'other', '--base-url', 'http://127.0.0.1:1', '--client-id', 'ci_x');
  await tpay('profiles', 'use', 'other');
  const { client_id } = tenant;
  expect(await tpay.json('status')).toMatchObject({
    service: baseUrl,
    tenant_api: `as ${client_id}`,
  });
});

test('a secret of the environment is taken without the line end behind it', async () => {
  const { client_id, client_secret } = tenant;
  const tpay = openTpay({
    PAY_BASE_URL: baseUrl,
    PAY_CLIENT_ID: `${client_id}\n`,
    PAY_CLIENT_SECRET: `${client_secret}\r\n`,
  });
  expect((await tpay('whoami')).code).toBe(0);
  await tpay('profiles', 'add', 'kept', '--client-id', client_id);
  const kept = JSON.parse(readFileSync(file(tpay.home), 'utf8')).profiles.kept;
  expect(kept.client_secret).toBe(client_secret);
});

test('what is saved of a profile goes to its own address alone', async () => {
  const tpay = openTpay({ PAY_CLIENT_SECRET: '' });
  mkdirSync(join(tpay.home, '.config/tenant-payments'), { recursive: true });
  const { client_id, client_secret } = tenant;
  const profiles = { default: { base_url: baseUrl, client_id, client_secret } };
  writeFileSync(file(tpay.home), JSON.stringify({ current: 'default', profiles }));
  expect((await tpay('whoami')).code).toBe(0);
  const { code, err } = await tpay('whoami', '--base-url', 'http://127.0.0.1:1');
  expect([code, err]).toEqual([
    2,
    [
      'error: nobody has signed in to http://127.0.0.1:1',
      expect.stringMatching(/^hint: .*tpay login/),
    ],
  ]);
});

test('the sandbox on this machine needs nothing', async () => {
  const tpay = openTpay();
  writeFileSync(join(tpay.home, 'sandbox.json'), JSON.stringify({ ...tenant, base_url: baseUrl }));
  const here = openTpay({ DATA_DIR: tpay.home });
  expect(await here.json('status')).toMatchObject({
    service: baseUrl,
    account: 'from the sandbox',
  });
  const asEnv = await here('status', '--output', 'env');
  expect(asEnv.out).toContain(`PAY_CLIENT_SECRET=${tenant.client_secret}`);
  const words = await here('status');
  expect(words.out.join('\n')).not.toContain(tenant.client_secret);
});

test.each([
  [['login', '--no-input', '--base-url', baseUrl], 1],
  [['profiles', 'add', 'x', '--no-input', '--base-url', baseUrl, '--client-id', 'ci_1'], 1],
  [['profiles', 'use', 'nobody'], 2],
  [['whoami', '--profile', 'nobody'], 2],
  [['whoami', '--profile', '../x'], 2],
  [['login', '--base-url', 'http://pay.example.com'], 2],
  [['status', '--output', 'xml', '--base-url', baseUrl], 2],
])('%j neither hangs nor sends, and ends with %i', async (args, expected) => {
  const { code, out, err } = await openTpay()(...args);
  expect([code, out]).toEqual([expected, []]);
  expect(err.at(-1)).toMatch(/^hint: /);
});

test('a half-set client is wrong usage', async () => {
  const { code, err } = await openTpay({ PAY_BASE_URL: baseUrl, PAY_CLIENT_ID: 'ci_1' })('whoami');
  expect([code, err[0]]).toEqual([2, 'error: PAY_CLIENT_SECRET is not set']);
});
