import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import '../kit/processes/built.ts';
import { openServer } from '../kit/server.ts';

const server = await openServer({ workers: false });
const at = (path: string) => fetch(`${server.baseUrl}${path}`);
const folder = mkdtempSync(join(tmpdir(), 'packages-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Listed {
  readonly name: string;
  readonly version: string;
  readonly url: string;
  readonly latest: string;
  readonly integrity: string;
}
const listed = async (): Promise<Listed[]> =>
  ((await (await at('/packages/')).json()) as { data: Listed[] }).data;

test('every package is served with the integrity that is told of it, by its version too', async () => {
  const all = await listed();
  expect(all.map(({ name }) => name)).toEqual([
    '@tenant-payments/sdk-server',
    '@tenant-payments/sdk-browser',
    '@tenant-payments/tpay',
  ]);
  for (const { url, latest, integrity, version } of all) {
    expect(url).toBe(latest.replace('.tgz', `-${version}.tgz`));
    for (const address of [url, latest]) {
      const reply = await at(new URL(address).pathname);
      const bytes = Buffer.from(await reply.arrayBuffer());
      expect(reply.status).toBe(200);
      expect(`sha512-${createHash('sha512').update(bytes).digest('base64')}`).toBe(integrity);
    }
  }
  for (const name of ['packages.json', 'sdk-server-0.0.1.tgz', '..%2fmain.js'])
    expect((await at(`/packages/${name}`)).status).toBe(404);
});

test('npm installs the server SDK and the command line from the running service, and they run', async () => {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const npm = (...args: string[]) =>
    promisify(execFile)('npm', [...args, '--no-audit', '--no-fund'], { cwd: folder });
  const addresses = ['sdk-server', 'tpay'].map((file) => `${server.baseUrl}/packages/${file}.tgz`);
  await npm('install', ...addresses);
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  const [sdk] = await listed();
  expect(lock.packages['node_modules/@tenant-payments/sdk-server'].integrity).toBe(sdk?.integrity);
  const { client_id: clientId, client_secret: clientSecret } = server.tenant;
  const options = JSON.stringify({ baseUrl: server.baseUrl, clientId, clientSecret });
  const program = `import { createClient } from '@tenant-payments/sdk-server';
    console.log((await createClient(${options}).webhookEvents.list({ limit: 1 })).object);`;
  writeFileSync(join(folder, 'try.js'), program);
  const run = promisify(execFile);
  expect((await run(process.execPath, ['try.js'], { cwd: folder })).stdout).toBe('list\n');
  const version = execFileSync(join(folder, 'node_modules/.bin/tpay'), ['--version']);
  expect(String(version)).toBe(`${sdk?.version}\n`);
});
