import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../kit/database/database.ts';
import { caller, fetchToken } from '../kit/http/http.ts';
import { root } from '../kit/processes/built.ts';
import { packRelease, productionSettings, run } from '../kit/processes/release.ts';
import { until } from '../kit/wait.ts';

/** The image of `npm run image`, where buildah is installed and may make one: as root. */

const isBuildable = process.getuid?.() === 0 && spawnSync('buildah', ['--version']).status === 0;

let place: string;
let env: NodeJS.ProcessEnv;
let settings: Record<string, string>;
let database: TestDatabase;
let container: string;

const buildah = (...args: string[]) => run('buildah', args, { env });

let server: Server;

/** The test's PostgreSQL listens at a socket that the image's user may not enter. @returns its address over TCP */
async function overTcp(address: string): Promise<string> {
  const url = new URL(address);
  const folder = url.searchParams.get('host');
  if (folder === null) return address;
  if (!server?.listening) {
    server = createServer((inner) => {
      const outer = connect(join(folder, '.s.PGSQL.5432'));
      for (const socket of [inner, outer])
        socket
          .on('error', () => {})
          .once('close', () => void [inner, outer].map((one) => one.destroy()));
      inner.pipe(outer).pipe(inner);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return url.href;
}

beforeAll(async () => {
  if (!isBuildable) return;
  place = await mkdtemp(join(tmpdir(), 'image-'));
  const storage = join(place, 'storage.conf');
  const folder = (name: string) => JSON.stringify(join(place, name));
  await writeFile(
    storage,
    `[storage]\ndriver = "vfs"\ngraphroot = ${folder('graph')}\nrunroot = ${folder('run')}\n`,
  );
  env = { ...process.env, CONTAINERS_STORAGE_CONF: storage, BUILDAH_ISOLATION: 'chroot' };
  await packRelease(place);
  const made = await run(process.execPath, ['scripts/image.mjs', '--release', place], {
    cwd: root,
    env,
  });
  container = (await buildah('from', made.split(',')[0] ?? '')).trim();
  database = await testDatabase(true);
  const [url, serviceUrl] = [await overTcp(database.url), await overTcp(database.serviceUrl)];
  settings = await productionSettings({ ...database, url, serviceUrl }, place);
  // Its module is the deployment's own: it is put beside the release, where nobody can write.
  await cp(settings.RAILS ?? '', join(place, 'own.mjs'));
  await buildah('copy', '--chown', '0:0', container, join(place, 'own.mjs'), '/srv/own.mjs');
  settings.RAILS = '/srv/own.mjs';
}, 240_000);
afterAll(async () => {
  if (!isBuildable) return;
  server.close();
  await database.drop();
  await buildah('rm', container);
  await rm(place, { recursive: true });
});

/** Runs the image's program with other arguments. */
function inImage(...args: string[]) {
  const given = Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  return ['run', ...given, container, '--', '/usr/local/bin/node', ...args];
}

const look = `
const { writeFileSync, existsSync } = require('node:fs');
const writes = ['.', '/', '/srv', '/usr/local/bin'].filter((folder) => {
  try { writeFileSync(folder + '/x', ''); return true; } catch { return false; }
});
const shells = ['/bin/sh', '/usr/bin/env', '/bin/busybox'].filter((path) => existsSync(path));
console.log(JSON.stringify({ uid: process.getuid(), writes, shells, home: process.cwd() }));`;

test.skipIf(!isBuildable)(
  'the image runs as a user who can write nowhere in it, and holds no shell',
  async () => {
    const said = await buildah(...inImage('-e', look.replaceAll('\n', ' ')));
    expect(JSON.parse(said)).toEqual({
      uid: 10_001,
      writes: [],
      shells: [],
      home: '/srv/tenant-payments',
    });
    const { OCIv1 } = JSON.parse(await buildah('inspect', container));
    expect(OCIv1.config).toMatchObject({
      User: '10001:10001',
      Entrypoint: ['/usr/local/bin/node'],
      StopSignal: 'SIGTERM',
    });
  },
);

test.skipIf(!isBuildable)('the image serves production with a database that is given', async () => {
  const started = spawn('buildah', inImage('dist/main.js'), { env, stdio: 'pipe' });
  let log = '';
  started.stderr.on('data', (chunk) => (log += chunk));
  const stopped = once(started, 'close');
  const baseUrl = `http://127.0.0.1:${settings.PORT}`;
  await until(async () => {
    if (started.exitCode !== null) throw new Error(log);
    return (await fetch(`${baseUrl}/readyz`).catch(() => null))?.status === 200;
  });
  const create = ['tenants', 'create', '--name', 'A Shop', '--json'];
  const made = await buildah(...inImage('dist/cli.js', ...create));
  const call = caller(baseUrl, await fetchToken(baseUrl, JSON.parse(made)));
  expect((await call('GET', '/v1/customers?limit=1')).body).toMatchObject({ data: [] });
  const [line] = log.split('\n').filter((one) => one.includes('"started"'));
  process.kill(JSON.parse(line ?? '{}').pid, 'SIGTERM');
  expect((await stopped)[0]).toBe(0);
});
