import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { refusal, type Script, startScriptedApi } from '../test/kit/http/scripted_api.ts';
import { programs } from '../test/kit/processes/built.ts';
import { run } from './run.ts';

const clock = {
  now: '2026-11-24T13:30:00.000Z',
  real_now: '2026-11-21T09:30:00.000Z',
  fired: 0,
  pending: 0,
};
const facts = (baseUrl: string) => ({
  base_url: baseUrl,
  client_id: 'ci_file',
  client_secret: 'cs_file',
  webhook_secret: 'whsec_file',
  portal_url: `${baseUrl}/portal`,
  shop_url: `${baseUrl}/shop`,
  docs_url: `${baseUrl}/docs`,
});

/** A scripted portal, a DATA_DIR with its address, and the command line in this process. */
async function sandbox(script: Script) {
  const api = await startScriptedApi(script);
  const dataDir = mkdtempSync(join(tmpdir(), 'tpay-cli-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  writeFileSync(join(dataDir, 'sandbox.json'), JSON.stringify(facts(api.baseUrl)));
  writeFileSync(join(dataDir, 'operator.key'), 'op_key\n');
  const cli = async (args: string[], env: Record<string, string> = {}) => {
    const out: string[] = [];
    const err: string[] = [];
    const code = await run(args, {
      env: { DATA_DIR: dataDir, ...env },
      out: (line) => out.push(line),
      err: (line) => err.push(line),
    });
    return { code, out, err };
  };
  return { api, cli, dataDir };
}

describe('clock', () => {
  test('prints the time as text and as the portal’s JSON', async () => {
    const { cli, api } = await sandbox(() => ({ json: clock }));
    const words = await cli(['clock']);
    expect(words).toEqual({
      code: 0,
      err: [],
      out: [
        "The tenant's clock shows 2026-11-24T13:30:00.000Z, 3 days 4 hours ahead of real time.",
        'No due job is waiting.',
        'Move it with: clock advance --seconds 3600',
      ],
    });
    const json = await cli(['clock', '--json']);
    expect(json.out.map((line) => JSON.parse(line))).toEqual([clock]);
    expect(api.calls[0]).toMatchObject({ method: 'GET', path: '/portal/api/clock' });
    expect(api.tokenCalls[0]?.body).toContain('client_id=ci_file');
  });

  test.each([
    [['--seconds', '3600'], { seconds: 3600 }],
    [['--to', '2026-12-01T06:00:00Z'], { to: '2026-12-01T06:00:00.000Z' }],
  ])('advance %j sends %j', async (flags, body) => {
    const { cli, api } = await sandbox(() => ({ json: { ...clock, fired: 2, pending: 1 } }));
    const { code, out } = await cli(['clock', 'advance', ...flags]);
    expect(code).toBe(0);
    expect(out.slice(1)).toEqual([
      'Jobs and webhook attempts that ran on the way: 2.',
      'Jobs still to run before the target: 1. Follow them with: clock',
      'See the events with GET /v1/webhook-events, newest first.',
    ]);
    expect(api.calls[0]).toMatchObject({ method: 'POST', path: '/portal/api/clock/advance' });
    expect(JSON.parse(api.calls[0]?.body ?? '')).toEqual(body);
    const json = await cli(['clock', 'advance', ...flags, '--json']);
    expect(JSON.parse(json.out.join())).toEqual({ ...clock, fired: 2, pending: 1 });
  });

  test.each([
    [[]],
    [['--seconds', '0']],
    [['--seconds', '1.5']],
    [['--to', 'tomorrow']],
    [['--to', '2026-12-01T06:00:00']],
    [['--seconds', '1', '--to', '2026-12-01T06:00:00Z']],
  ])('advance %j is refused as wrong usage and sends nothing', async (flags) => {
    const { cli, api } = await sandbox(() => ({ json: clock }));
    const { code, out, err } = await cli(['clock', 'advance', ...flags]);
    expect([code, out]).toEqual([2, []]);
    expect(err.at(-1)).toMatch(/^hint: /);
    expect(api.calls).toEqual([]);
  });

  test('an advance is sent once, whatever happens to its reply', async () => {
    const { cli, api } = await sandbox(() => ({ fault: 'cut' }));
    const { code, err } = await cli(['clock', 'advance', '--seconds', '1']);
    expect(code).toBe(1);
    expect(err[0]).toMatch(/^error: connection_failed: /);
    expect(api.calls).toHaveLength(1);
  });

  test('a refusal prints code, request id, details and a hint to stderr', async () => {
    const json = refusal('invalid_state', { details: { reason: 'advance_in_progress' } });
    const { cli } = await sandbox(() => ({ status: 409, json }));
    expect(await cli(['clock', 'advance', '--seconds', '1', '--json'])).toEqual({
      code: 1,
      out: [],
      err: [
        'error: invalid_state (advance_in_progress): in words (request req_7)',
        'details: {"reason":"advance_in_progress"}',
        'hint: Another operation of this kind is under way: wait until it has ended and try again.',
      ],
    });
  });
});

describe('ledger verify', () => {
  test('exit code 0 when the ledger is correct', async () => {
    const json = { ok: true, checked: 42, violations: [] };
    const { cli } = await sandbox(() => ({ json }));
    const words = await cli(['ledger', 'verify']);
    expect(words).toMatchObject({
      code: 0,
      out: [
        'The ledger is correct: 42 rows checked, no violation.',
        'See its entries with GET /portal/api/ledger/entries.',
      ],
    });
    expect(JSON.parse((await cli(['ledger', 'verify', '--json'])).out.join())).toEqual(json);
  });

  test('exit code 1 on a violation, each on a line', async () => {
    const violation = { invariant: '2.pockets', subject: 'acct_1', message: 'off by 1' };
    const json = { ok: false, checked: 42, violations: [violation] };
    const { cli } = await sandbox(() => ({ json }));
    const words = await cli(['ledger', 'verify']);
    expect(words.code).toBe(1);
    expect(words.out[1]).toBe(`  ${JSON.stringify(violation)}`);
    const asJson = await cli(['ledger', 'verify', '--json']);
    expect([asJson.code, JSON.parse(asJson.out.join())]).toEqual([1, json]);
  });

  test('exit code 0 when two people have acknowledged all that is wrong, and 1 when something else is', async () => {
    const known = { invariant: '9.login_due', subject: 's', message: 'm', acknowledged: 'a proof' };
    const other = { invariant: '2.pockets', subject: 'acct_1', message: 'off by 1' };
    const holds = await sandbox(() => ({ json: { ok: true, checked: 42, violations: [known] } }));
    expect(await holds.cli(['ledger', 'verify'])).toMatchObject({
      code: 0,
      out: [
        'The ledger holds, 1 acknowledged: 42 rows checked, no other violation.',
        'See its entries with GET /portal/api/ledger/entries.',
      ],
    });
    const json = { ok: false, checked: 42, violations: [other, known] };
    const wrong = await sandbox(() => ({ json }));
    const { code, out } = await wrong.cli(['ledger', 'verify']);
    expect([code, ...out.slice(0, 2)]).toEqual([
      1,
      'The ledger is wrong: 42 rows checked, violations (1, besides 1 acknowledged):',
      `  ${JSON.stringify(other)}`,
    ]);
  });
});

describe('tenants create', () => {
  const made = facts('http://localhost:8080');

  test('sends the operator’s key and prints the new tenant’s facts', async () => {
    const { cli, api } = await sandbox(() => ({ status: 201, json: made }));
    const { code, out } = await cli([
      'tenants',
      'create',
      '--name',
      'Second',
      '--rate-limit',
      '100',
      '--json',
    ]);
    expect([code, JSON.parse(out.join())]).toEqual([0, made]);
    expect(api.calls[0]).toMatchObject({ method: 'POST', path: '/portal/api/tenants' });
    expect(api.calls[0]?.headers.authorization).toBe('Bearer op_key');
    expect(JSON.parse(api.calls[0]?.body ?? '')).toEqual({ name: 'Second', rate_limit: 100 });
    expect(api.tokenCalls).toEqual([]);
  });

  test('prints the new tenant and what to do next', async () => {
    const { cli } = await sandbox(() => ({ status: 201, json: made }));
    const { out } = await cli(['tenants', 'create', '--name', 'Second']);
    expect(out[0]).toBe('Created the tenant "Second":');
    expect(out).toContain('  client secret   cs_file');
    expect(out.at(-1)).toContain('clock --base-url http://localhost:8080');
  });

  test('prints no address of a shop where none is open', async () => {
    const { cli } = await sandbox(() => ({ status: 201, json: { ...made, shop_url: null } }));
    const { out } = await cli(['tenants', 'create', '--name', 'Second']);
    expect(out).toContain('  docs            http://localhost:8080/docs');
    expect(out.join('\n')).not.toMatch(/shop|null/);
  });

  test('is not sent twice when the reply is lost, so that it cannot make two', async () => {
    const { cli, api } = await sandbox(() => ({ fault: 'cut' }));
    expect((await cli(['tenants', 'create', '--name', 'Second'])).code).toBe(1);
    expect(api.calls).toHaveLength(1);
  });

  test.each([
    [['tenants', 'create']],
    [['tenants', 'create', '--name', 'x', '--rate-limit', 'many']],
    [['tenants', 'create', '--name', 'x', '--base-url', 'https://elsewhere.example']],
  ])('%j is refused as wrong usage', async (args) => {
    const { cli, api } = await sandbox(() => ({ status: 201, json: made }));
    expect((await cli(args)).code).toBe(2);
    expect(api.calls).toEqual([]);
  });
});

describe('credentials', () => {
  test('--base-url takes CLIENT_ID and CLIENT_SECRET', async () => {
    const { cli, api } = await sandbox(() => ({ json: clock }));
    const env = { DATA_DIR: '/nowhere', CLIENT_ID: 'ci_env', CLIENT_SECRET: 'cs_env' };
    expect((await cli(['clock', '--base-url', api.baseUrl], env)).code).toBe(0);
    expect(api.tokenCalls[0]?.body).toContain('client_id=ci_env');
  });

  test('the sandbox’s secrets are not sent to the address in --base-url', async () => {
    const { cli, api } = await sandbox(() => ({ json: clock }));
    const { code, err } = await cli(['clock', '--base-url', api.baseUrl]);
    expect(code).toBe(2);
    expect(err[0]).toBe('error: --base-url needs CLIENT_ID and CLIENT_SECRET, or a login');
    expect(api.tokenCalls).toEqual([]);
  });

  test('a missing or broken sandbox.json is reported with what to do', async () => {
    const { cli, dataDir } = await sandbox(() => ({ json: clock }));
    const missing = await cli(['clock'], { DATA_DIR: '/nowhere' });
    expect(missing.code).toBe(2);
    expect(missing.err[0]).toBe('error: /nowhere/sandbox.json cannot be read (ENOENT)');
    expect(missing.err[1]).toContain('npm start');
    writeFileSync(join(dataDir, 'sandbox.json'), '{');
    expect((await cli(['clock'])).err[0]).toMatch(/sandbox\.json is not JSON$/);
  });

  test('no secret is written to stderr', async () => {
    const { cli } = await sandbox(() => ({ status: 401, json: refusal('invalid_client') }));
    const { err } = await cli(['clock']);
    expect(err.join()).not.toMatch(/cs_file|token-/);
    expect(err.at(-1)).toContain('DATA_DIR');
  });
});

describe('as a process', () => {
  const program = join(programs, 'cli.js');
  const cli = (args: string[], env: Record<string, string> = {}) =>
    spawnSync(process.execPath, [program, ...args], {
      env: { PATH: process.env.PATH, ...env },
      encoding: 'utf8',
    });

  test('config check: exit code 0 for valid settings, 1 with a line for each fault', () => {
    const fine = cli(['config', 'check', '--json']);
    expect([fine.status, JSON.parse(fine.stdout)]).toEqual([
      0,
      { ok: true, faults: [], warnings: [] },
    ]);
    const bad = cli(['config', 'check'], { PORT: 'x', LOG_LEVEL: 'loud' });
    expect([bad.status, bad.stdout]).toEqual([1, '']);
    expect(bad.stderr).toMatch(/^PORT .*\nLOG_LEVEL .*\nhint: /);
  });

  test.each([
    [0, ['--help'], {}],
    [1, ['config', 'check', '--json'], { PORT: 'x' }],
  ])(
    'a reader that stops reading changes no exit code (%i) and is no fault',
    async (code, args, env) => {
      const child = spawn(process.execPath, [program, ...args], {
        env: { PATH: process.env.PATH, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child.stdout.destroy();
      const said = text(child.stderr);
      expect(await once(child, 'exit')).toEqual([code, null]);
      expect(await said).toBe('');
    },
  );

  test('an unknown command is exit code 2, help is 0', () => {
    expect(cli(['frobnicate']).status).toBe(2);
    expect(cli(['clock', '--help']).stdout).toContain('advance');
  });
});
