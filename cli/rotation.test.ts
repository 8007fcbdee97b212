import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openServer } from '../test/kit/server.ts';
import { run } from './run.ts';

const server = await openServer();
const { config } = server.service;
const root = fileURLToPath(new URL('..', import.meta.url));

/** As this Tenant, on the running server. */
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

const written = (ring: readonly { id: string; key: Buffer | string }[]) =>
  ring
    .map(({ id, key }) => `${id}:${typeof key === 'string' ? key : key.toString('hex')}`)
    .join(',');

/** Each command starts two processes one in the other, slowly where all cores are busy. */
const startsMs = 240_000;

/** The operator's commands, in a process of their own with the service's settings. */
function keys(args: string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'cli/main.ts', 'keys', ...args],
    {
      cwd: root,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        ENVIRONMENT: 'sandbox',
        DATABASE_URL: server.databaseUrl,
        SEALING_KEY: written([{ id: 'newer', key: randomBytes(32) }, ...config.sealingKeys]),
        PIN_PEPPER: written(config.pinPeppers),
        QR_SIGNING_KEY: written(config.qrSigningKeys),
        ...env,
      },
    },
  );
  return { status, stdout, lines: stdout.trim().split('\n'), stderr };
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

test(
  'keys status says what rests on each key, keys reseal has it sealed anew',
  () => {
    const { status, lines } = keys(['status']);
    expect([status, lines[0]]).toEqual([0, 'SEALING_KEY']);
    expect(lines[1]).toMatch(/^ {2}newer +0 {2}first$/);
    expect(lines[2]).toMatch(/^ {2}test +[1-9]\d* {2}in use$/);
    expect(lines[3]).toMatch(/^ {2}next: \d+ values rest on older keys/);
    const resealed = keys(['reseal', '--json']);
    expect(JSON.parse(resealed.stdout)).toEqual({ tenants: 1 });
  },
  startsMs,
);

test(
  'keys status names what a start would refuse, a line for each',
  () => {
    const { status, stdout, stderr } = keys(['status'], {
      SEALING_KEY: 'x:short',
      PIN_PEPPER: ',',
    });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^PIN_PEPPER must hold .*\nSEALING_KEY: the key x must .*\nhint: /);
  },
  startsMs,
);
