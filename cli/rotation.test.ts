import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { programs } from '../test/kit/processes/built.ts';
import { settingsOf } from '../test/kit/processes/settings.ts';
import { openServer } from '../test/kit/server.ts';
import { run } from './run.ts';

const server = await openServer({ own: true });

/** Runs a command as this Tenant, on the running server. */
async function cli(...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const { client_id: CLIENT_ID, client_secret: CLIENT_SECRET } = server.tenant;
  const code = await run([...args, '--base-url', server.baseUrl], {
    env: { CLIENT_ID, CLIENT_SECRET },
    out: (line) => out.push(line),
    err: (line) => err.push(line),
  });
  return { code, out, err };
}

const settings = settingsOf(server);
const newer = `newer:${randomBytes(32).toString('hex')},${settings.SEALING_KEY}`;

/** The operator's commands, with the service's settings. */
async function keys(args: string[], env: Record<string, string> = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const status = await run(['keys', ...args], {
    env: { ...settings, LOG_LEVEL: 'info', SEALING_KEY: newer, ...env },
    programs,
    out: (line) => out.push(line),
    err: (line) => err.push(line),
  });
  return { status, out, err };
}

test('credentials create, list and retire change the secret of the client', async () => {
  const made = await cli('credentials', 'create');
  expect([made.code, made.err]).toEqual([0, []]);
  expect(made.out[1]).toMatch(/^client secret {2}cs_/);
  const { out } = await cli('credentials', 'list', '--json');
  const { data } = JSON.parse(out.join()) as { data: { id: string }[] };
  expect(data).toHaveLength(2);
  const refused = await cli('credentials', 'create');
  expect([refused.code, refused.err[0]]).toEqual([
    1,
    expect.stringContaining('invalid_state (too_many_active)'),
  ]);
  const ended = await cli('credentials', 'retire', data[0]?.id ?? '', '--json');
  expect(JSON.parse(ended.out.join())).toMatchObject({ retired_at: expect.any(String) });
  expect((await cli('credentials', 'revoke-tokens')).out[0]).toMatch(/^Ended access tokens: \d/);
});

test('keys status says what rests on each key, keys reseal has it sealed anew', async () => {
  const { status, out } = await keys(['status']);
  expect([status, out[0]]).toEqual([0, 'SEALING_KEY']);
  expect(out[1]).toMatch(/^ {2}newer +0 {2}first$/);
  expect(out[2]).toMatch(/^ {2}test +[1-9]\d* {2}in use$/);
  expect(out[3]).toMatch(/^ {2}next: \d+ values rest on older keys/);
  const resealed = await keys(['reseal', '--json']);
  expect(JSON.parse(resealed.out.join())).toEqual({ tenants: 1 });
  expect(resealed.err.join()).toContain('"security":"reseal_begun"');
});

test('keys status names what a start would refuse, a line for each', async () => {
  const { status, out, err } = await keys(['status'], {
    SEALING_KEY: 'x:short',
    PIN_PEPPER: ',',
  });
  expect([status, out]).toEqual([1, []]);
  const lines = /^PIN_PEPPER must hold .*\nSEALING_KEY: the key x must .*\nhint: /;
  expect(err.join('\n')).toMatch(lines);
});

test('keys rotate makes a key, says each step with the ids of the ring, and changes nothing', async () => {
  const { status, out, err } = await keys(['rotate', 'SEALING_KEY']);
  expect([status, err]).toEqual([0, []]);
  const [, key = ''] = /^ {2}(\d{8}):[A-Za-z0-9+/]{43}=$/.exec(out[1] ?? '') ?? [];
  expect(out.slice(2)).toEqual([
    `1. Put it last in SEALING_KEY, and restart every process: newer:…,test:…,${key}:…`,
    `2. Put it first, and restart every process: ${key}:…,newer:…,test:…`,
    '3. Have a worker seal anew what the old key sealed: npm run cli -- keys reseal',
    '4. Drop the old key once this says that it may be dropped: npm run cli -- keys status',
  ]);
  expect((await keys(['rotate', 'OTHER'])).status).toBe(2);
});
