import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type PortalPerson, portalPerson } from '../test/kit/people.ts';
import { openServer } from '../test/kit/server.ts';
import { until } from '../test/kit/wait.ts';
import { run } from './run.ts';

let aheadMs = 0;
const server = await openServer({ workers: false, realNow: () => Date.now() + aheadMs });
const { baseUrl } = server;
const { tenantId } = server.tenant;
const of = ['--base-url', baseUrl];

/** A command line with a home of its own, whose waiting the service's clock follows. */
function openCli(env: Record<string, string> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'tpay-home-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const file = join(home, '.config/tenant-payments/credentials.json');
  const waits: number[] = [];
  /** Runs a command, and acts while it waits, with the code that it shows. */
  async function cli(
    args: string[],
    meanwhile: (code: string) => Promise<unknown> = async () => {},
  ) {
    const out: string[] = [];
    const err: string[] = [];
    const code = await run(args, {
      env: { HOME: home, DATA_DIR: '/nowhere', ...env },
      out: (line) => out.push(line),
      err: (line) => err.push(line),
      async pause(milliseconds) {
        waits.push(milliseconds);
        aheadMs += milliseconds;
        const shown = [...out, ...err].join('\n');
        await meanwhile(/Code {2}(.*)/.exec(shown)?.[1] ?? '');
      },
    });
    return { code, out, err };
  }
  return { cli, home, file, waits };
}

const approving =
  (who: PortalPerson, move = 'approve') =>
  async (user_code: string) => {
    const { status, body } = await who.ask('POST', `/device-sign-in/${move}`, { user_code });
    expect(status, JSON.stringify(body)).toBe(200);
  };

const saved = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

test('login saves a key for its address alone, with which the portal’s commands work', async () => {
  const { cli, file, waits } = openCli();
  const ana = await portalPerson(server, tenantId, ['developer']);
  const login = await cli(['login', ...of], approving(ana));
  expect([login.code, login.err]).toEqual([0, []]);
  expect(login.out.slice(0, 3)).toEqual([
    `Open  ${server.service.config.publicUrl}/portal/device`,
    expect.stringMatching(/^Code {2}[A-Z]{4}-[A-Z]{4}$/),
    expect.stringMatching(/^or {4}http.*\/portal\/device#code=[A-Z]{4}-[A-Z]{4}$/),
  ]);
  expect(login.out.slice(-5)).toEqual([
    expect.stringMatching(/^Signed in with the roles developer until \d{4}-\d\d-\d\d\.$/),
    `The key is in ${file}, readable to you alone.`,
    `Use it: npm run cli -- whoami --base-url ${baseUrl}`,
    `End it: npm run cli -- logout --base-url ${baseUrl}`,
    'It opens the portal. The Tenant API (/v1) takes CLIENT_ID and CLIENT_SECRET alone.',
  ]);
  expect(waits).toEqual([5_000]);
  expect(login.out.join()).not.toContain('tpk_');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(saved(file)).toEqual({
    [baseUrl]: {
      id: expect.any(String),
      key: expect.stringMatching(/^tpk_/),
      scope: tenantId,
      roles: ['developer'],
      expires_at: expect.any(String),
    },
  });
  const clock = await cli(['clock', ...of, '--json']);
  expect([clock.code, JSON.parse(clock.out.join())]).toMatchObject([0, { pending: 0 }]);
  const keys = await cli(['portal', 'tokens', 'list', ...of, '--json']);
  expect(JSON.parse(keys.out.join()).data).toMatchObject([{ made_by: 'device', status: 'active' }]);
  const who = await cli(['whoami', ...of, '--json']);
  expect(JSON.parse(who.out.join())).toMatchObject({ kind: 'api_key', roles: ['developer'] });
  const elsewhere = await cli(['clock', '--base-url', 'http://127.0.0.1:1']);
  expect([elsewhere.code, elsewhere.err]).toEqual([
    2,
    [
      'error: --base-url needs CLIENT_ID and CLIENT_SECRET, or a login',
      'hint: Sign in with: npm run cli -- login --base-url URL; the Tenant API (/v1) takes CLIENT_ID and CLIENT_SECRET alone.',
    ],
  ]);
});

test('login polls until somebody approves, and waits longer when it is told to', async () => {
  const { cli, waits } = openCli();
  const ana = await portalPerson(server, tenantId, ['finance']);
  const { code, out, err } = await cli(
    ['login', ...of, '--role', 'reader', '--json'],
    async (user_code) => {
      // The service's clock stands still once, so that the poll after it comes too early.
      if (waits.length === 2) aheadMs -= 5_000;
      if (waits.length === 4) await approving(ana)(user_code);
    },
  );
  expect(code).toBe(0);
  expect(waits).toEqual([5_000, 5_000, 10_000, 10_000]);
  expect(JSON.parse(out.join())).toMatchObject({
    base_url: baseUrl,
    roles: ['reader'],
    scope: tenantId,
  });
  expect([...out, ...err].join()).not.toContain('tpk_');
  expect(err[1]).toMatch(/^Code/);
});

test('another login replaces and revokes the key, and logout revokes it and forgets it', async () => {
  const { cli, file } = openCli();
  const ana = await portalPerson(server, tenantId, ['developer']);
  await cli(['login', ...of], approving(ana));
  const first = saved(file)[baseUrl];
  await cli(['login', ...of], approving(ana));
  const second = saved(file)[baseUrl];
  expect(second.id).not.toBe(first.id);
  const status = async (token: string) =>
    (await server.call('GET', '/portal/api/clock', { token })).status;
  await until(async () => (await status(first.key)) === 401, { withinMs: 3_000 });
  expect(await status(second.key)).toBe(200);
  const logout = await cli(['logout', ...of, '--json']);
  expect(JSON.parse(logout.out.join())).toEqual({
    base_url: baseUrl,
    id: second.id,
    status: 'revoked',
  });
  expect(saved(file)).toEqual({});
  await until(async () => (await status(second.key)) === 401, { withinMs: 3_000 });
  const again = await cli(['logout', ...of]);
  expect([again.code, again.err[0]]).toEqual([2, `error: no key is saved for ${baseUrl}`]);
});

test('a key that has ended is reported with what to do, and logout forgets it', async () => {
  const { cli, file } = openCli();
  const ana = await portalPerson(server, tenantId, ['developer']);
  await cli(['login', ...of], approving(ana));
  await server.owner.query('update control.people set disabled_at = now() where id = $1', [ana.id]);
  await until(async () => (await cli(['clock', ...of])).code === 1, { withinMs: 3_000 });
  const { err } = await cli(['clock', ...of]);
  expect([err[0], err.at(-1)]).toEqual([
    expect.stringMatching(/^error: authentication_required/),
    expect.stringContaining('sign in again with `login`'),
  ]);
  expect((await cli(['logout', ...of])).code).toBe(0);
  expect(saved(file)).toEqual({});
});

test('a denied and an expired code each end login with exit code 1 and what to do', async () => {
  const { cli, file } = openCli();
  const ana = await portalPerson(server, tenantId, ['reader']);
  const denied = await cli(['login', ...of], approving(ana, 'deny'));
  expect([denied.code, denied.err.at(-1)]).toEqual([1, expect.stringContaining('refused it')]);
  const expired = await cli(['login', ...of], async () => {
    aheadMs += 600_000;
  });
  expect([expired.code, expired.err.at(-1)]).toEqual([1, expect.stringContaining('has ended')]);
  expect(saved(file)).toEqual({});
});

test('a key is refused what only a person may do, with where to do it', async () => {
  const { cli } = openCli();
  const ana = await portalPerson(server, tenantId, ['developer']);
  await cli(['login', ...of], approving(ana));
  const asked = ['portal', 'tokens', 'create', '--name', 'x', '--roles', 'reader', ...of];
  const { code, err } = await cli(asked);
  expect([code, err.at(-1)]).toEqual([1, expect.stringContaining('do it in the portal')]);
});

test('XDG_CONFIG_HOME says where keys are, unless it is relative; a broken file is reported', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tpay-xdg-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const ana = await portalPerson(server, tenantId, ['reader']);
  const { cli } = openCli({ XDG_CONFIG_HOME: folder });
  expect((await cli(['login', ...of], approving(ana))).code).toBe(0);
  const file = join(folder, 'tenant-payments/credentials.json');
  expect(Object.keys(saved(file))).toEqual([baseUrl]);
  const relative = openCli({ XDG_CONFIG_HOME: 'config' });
  mkdirSync(join(relative.home, '.config/tenant-payments'), { recursive: true });
  writeFileSync(relative.file, 'not json');
  const broken = await relative.cli(['clock', ...of]);
  expect([broken.code, broken.err[0]]).toEqual([2, `error: ${relative.file} is not JSON`]);
});

test('login asks nobody where it could not save the key', async () => {
  const { cli } = openCli({ HOME: '/dev/null' });
  const { code, out, err } = await cli(['login', ...of]);
  expect([code, out]).toEqual([2, []]);
  expect(err[0]).toMatch(/credentials\.json cannot be used \(ENOTDIR\)$/);
});

test.each([
  [['login', '--base-url', 'http://pay.example.com'], 'in clear'],
  [['login', '--base-url', 'pay.example.com'], 'in clear'],
  [['login', '--role', 'chief', ...of], 'not known'],
  [['login'], 'sandbox.json cannot be read'],
])('%j is wrong usage, and sends nothing', async (args, fault) => {
  const { cli } = openCli();
  const { code, out, err } = await cli(args);
  expect([code, out, err[0]]).toEqual([2, [], expect.stringContaining(fault)]);
});
