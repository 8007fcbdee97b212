import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openServer } from '../test/kit/server.ts';
import { until } from '../test/kit/wait.ts';
import { run } from './run.ts';

const server = await openServer();
const dataDir = mkdtempSync(join(tmpdir(), 'tpay-cli-'));
const facts = { ...server.tenant, base_url: server.baseUrl };
writeFileSync(join(dataDir, 'sandbox.json'), JSON.stringify(facts));
writeFileSync(join(dataDir, 'operator.key'), `${server.operatorKey}\n`);
afterAll(async () => {
  rmSync(dataDir, { recursive: true });
});

const cli = (...args: string[]) => cliWith({}, ...args);

async function cliWith(env: Record<string, string>, ...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await run(args, {
    env: { DATA_DIR: dataDir, ...env },
    out: (line) => out.push(line),
    err: (line) => err.push(line),
  });
  return { code, err, json: out.length > 0 ? JSON.parse(out.join()) : null };
}

test('the command clock shows what clock advance has set', async () => {
  const before = await cli('clock', '--json');
  expect(before).toMatchObject({ code: 0, err: [] });
  expect(before.json).toMatchObject({ fired: expect.any(Number), pending: 0 });

  const moved = await cli('clock', 'advance', '--seconds', '3600', '--json');
  expect(moved).toMatchObject({ code: 0, err: [] });
  const aheadMs = Date.parse(moved.json.now) - Date.parse(moved.json.real_now);
  expect(Math.abs(aheadMs - 3_600_000)).toBeLessThan(5_000);

  const after = await cli('clock', '--json');
  expect(after.json.now >= moved.json.now).toBe(true);
});

test('the clock does not go back', async () => {
  const { code, err } = await cli('clock', 'advance', '--to', '2020-01-01T00:00:00Z', '--json');
  expect(code).toBe(1);
  expect(err[0]).toMatch(/^error: parameter_invalid \(to, past\): .*\(request req_/);
});

test('ledger verify checks the ledger of a running service', async () => {
  const { code, json } = await cli('ledger', 'verify', '--json');
  expect(code).toBe(0);
  expect(json).toMatchObject({ ok: true, violations: [] });
  expect(json.checked).toBeGreaterThan(0);
});

test('tenants create makes a tenant whose credentials work for its own clock', async () => {
  const { baseUrl } = server;
  const made = await cli('tenants', 'create', '--name', 'Second', '--base-url', baseUrl, '--json');
  expect(made).toMatchObject({ code: 0, err: [] });
  const { client_id: CLIENT_ID, client_secret: CLIENT_SECRET } = made.json;
  const env = { CLIENT_ID, CLIENT_SECRET };
  await cliWith(env, 'clock', 'advance', '--seconds', '60', '--base-url', baseUrl, '--json');
  const theirs = await cliWith(env, 'clock', '--base-url', baseUrl, '--json');
  const ours = await cli('clock', '--json');
  const aheadMs = ({ now, real_now }: { now: string; real_now: string }) =>
    Date.parse(now) - Date.parse(real_now);
  expect(Math.abs(aheadMs(theirs.json) - 60_000)).toBeLessThan(5_000);
  expect(Math.abs(aheadMs(theirs.json) - aheadMs(ours.json))).toBeGreaterThan(60_000);
});

test('a name that is too long is refused, and the parameter named', async () => {
  const { code, err } = await cli(
    'tenants',
    'create',
    '--name',
    'x'.repeat(101),
    '--base-url',
    server.baseUrl,
    '--json',
  );
  expect(code).toBe(1);
  expect(err).toContain('param: name');
});

test('portal tokens makes a key that opens the portal until it is revoked', async () => {
  const of = ['--name', 'Reports', '--roles', 'finance,reader', '--json'];
  const made = await cli('portal', 'tokens', 'create', ...of);
  expect(made).toMatchObject({ code: 0, err: [] });
  const payments = () => server.call('GET', '/portal/api/payments', { token: made.json.key });
  expect((await payments()).status).toBe(200);
  const { json } = await cli('portal', 'tokens', 'list', '--json');
  expect(json.data).toMatchObject([{ id: made.json.id, roles: ['finance', 'reader'] }]);
  expect(JSON.stringify(json)).not.toContain('tpk_');
  const revoked = await cli('portal', 'tokens', 'revoke', made.json.id, '--json');
  expect(revoked.json).toMatchObject({ id: made.json.id, status: 'revoked' });
  await until(async () => (await payments()).status === 401, { withinMs: 2_000 });
});

test.each([
  ['--roles', 'chief'],
  ['--days', '366'],
])('portal tokens create with %s %s is wrong usage, and sends nothing', async (flag, value) => {
  const { code, err } = await cli(
    'portal',
    'tokens',
    'create',
    '--name',
    'x',
    '--roles',
    'reader',
    flag,
    value,
  );
  expect([code, err.length]).toEqual([2, 2]);
});
