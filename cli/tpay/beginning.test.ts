import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listening } from '../../test/kit/http/listening.ts';
import { root } from '../../test/kit/processes/built.ts';
import { accountEnv, openTpay } from '../../test/kit/tpay.ts';

const client = { client_id: 'client_1', client_secret: 'cs_1' };

test('wait ends once the service is ready', async () => {
  let asked = 0;
  const http = createServer((request, reply) => {
    asked += 1;
    reply.writeHead(request.url === '/readyz' && asked > 2 ? 200 : 503).end();
  });
  const tpay = openTpay(accountEnv(await listening(http), client));
  expect(await tpay.json('wait')).toMatchObject({ ready: true });
  expect(asked).toBe(3);
});

test('wait begins before the sandbox has written where it is', async () => {
  const base_url = await listening(createServer((_, reply) => reply.end()));
  const { home } = openTpay();
  const tpay = openTpay({ DATA_DIR: home });
  const waiting = tpay.json('wait', '--timeout', '20s');
  setTimeout(() => writeFileSync(join(home, 'sandbox.json'), JSON.stringify({ base_url })), 50);
  expect(await waiting).toMatchObject({ ready: true, base_url });
  const { code, err } = await openTpay()('wait', '--timeout', '1s');
  expect([code, err[0]]).toEqual([1, expect.stringContaining('no sandbox has written')]);
});

test('wait ends with 1 where nobody answers in time, and says why', async () => {
  const tpay = openTpay(accountEnv('http://127.0.0.1:1', client));
  const { code, err } = await tpay('wait', '--timeout', '1s');
  expect([code, err[0]]).toEqual([
    1,
    expect.stringMatching(/^error: http:\/\/127\.0\.0\.1:1 is not ready after 1s \(/),
  ]);
  expect((await tpay('wait', '--timeout', 'soon')).code).toBe(2);
});

test('init writes the keys for their owner alone, and replaces nothing unasked', async () => {
  const tpay = openTpay({ ...accountEnv('http://127.0.0.1:1', client), PAY_WEBHOOK_SECRET: 'wh' });
  const file = join(tpay.home, '.env.local');
  const init = ['init', '--file', file];
  expect(await tpay.json(...init)).toEqual({ file, written: true });
  const text = readFileSync(file, 'utf8');
  expect(text.split('\n')).toEqual([
    'PAY_BASE_URL=http://127.0.0.1:1',
    'PAY_CLIENT_ID=client_1',
    'PAY_CLIENT_SECRET=cs_1',
    'PAY_WEBHOOK_SECRET=wh',
    '',
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await tpay.json(...init)).toEqual({ file, written: false });
  writeFileSync(file, 'MINE=1\n');
  expect((await tpay(...init)).code).toBe(1);
  expect((await tpay.with({ ask: async () => 'n' })(...init)).code).toBe(1);
  expect(readFileSync(file, 'utf8')).toBe('MINE=1\n');
  expect(await tpay.json(...init, '--yes')).toEqual({ file, written: true });
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('npm links tpay in a checkout before it is built, and it says how to build it', () => {
  const bin = join(root, 'cli/bin/tpay.js');
  expect(JSON.parse(readFileSync('cli/package.json', 'utf8')).bin).toEqual({ tpay: 'bin/tpay.js' });
  expect(statSync(bin).mode & 0o100).toBe(0o100);
  const { status, stdout } = spawnSync(bin, ['--version'], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
  const unbuilt = mkdtempSync(join(tmpdir(), 'tpay-'));
  mkdirSync(join(unbuilt, 'bin'));
  copyFileSync(bin, join(unbuilt, 'bin/tpay.mjs'));
  const alone = spawnSync(process.execPath, [join(unbuilt, 'bin/tpay.mjs')], { encoding: 'utf8' });
  rmSync(unbuilt, { recursive: true });
  expect([alone.status, alone.stderr]).toEqual([1, expect.stringContaining('npm ci')]);
});
