import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { selfSigned } from '../kit/http/certificates.ts';
import { root } from '../kit/processes/built.ts';
import { freePort } from '../kit/processes/free_port.ts';
import { until } from '../kit/wait.ts';

/** The proxies of `deploy/` on port 80, as they run where they are installed. */

let place: string;
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'plain-http-'));
  const { cert, key } = selfSigned(['pay.example.com']);
  await writeFile(join(place, 'pay.crt'), cert);
  await writeFile(join(place, 'pay.key'), key);
  await writeFile(join(place, 'pay.pem'), `${cert}${key}`);
});
afterAll(() => rm(place, { recursive: true }));

const nginxFolders = (): string =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${place}/${name};`)
    .join(' ');

type Words = readonly (readonly [string, string])[];

/** A proxy, its file, and how it is run from a copy that listens elsewhere. */
const proxies: readonly {
  readonly program: string;
  readonly file: string;
  readonly words: (plain: number, tls: number) => Words;
  readonly args: (file: string) => readonly string[];
}[] = [
  {
    program: 'haproxy',
    file: 'deploy/proxy/haproxy.cfg',
    words: (plain, tls) => [
      ['bind :80', `bind 127.0.0.1:${plain}`],
      ['bind :443', `bind 127.0.0.1:${tls}`],
      ['/etc/haproxy/', `${place}/`],
    ],
    args: (file) => ['-db', '-f', file],
  },
  {
    program: 'nginx',
    file: 'deploy/proxy/nginx.conf',
    words: (plain, tls) => [
      ['listen 80;', `listen 127.0.0.1:${plain};`],
      ['listen 443 ', `listen 127.0.0.1:${tls} `],
      ['/etc/nginx/', `${place}/`],
      ['worker_processes auto;', `daemon off; pid ${place}/nginx.pid;`],
      ['http {', `http { access_log off; ${nginxFolders()}`],
    ],
    args: (file) => ['-e', 'stderr', '-p', place, '-c', file],
  },
  {
    program: 'caddy',
    file: 'deploy/compose/Caddyfile',
    words: (plain, tls) => [
      ['auto_https', `admin off\n\thttp_port ${plain}\n\tauto_https`],
      ['{$PUBLIC_URL}', `http://127.0.0.1:${tls}`],
    ],
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
];

const refused = ['/v1', '/v1/payments', '/oauth/token', '/portal/api/tenants', '/rails/bank?a=b'];
const redirected = ['/', '/hosted/p/1', '/docs?q=v1', '/portal', '/v10'];

test('each proxy that is delivered names the paths of the API beside its redirect', async () => {
  for (const { file } of proxies) {
    const text = await readFile(join(root, file), 'utf8');
    for (const path of ['v1', 'oauth', 'portal/api', 'rails'])
      expect([file, text.includes(path)]).toEqual([file, true]);
  }
});

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

for (const { program, file, words, args } of proxies) {
  const isInstalled = spawnSync(program, ['-v'], { stdio: 'ignore' }).error === undefined;
  test.skipIf(!isInstalled)(
    `over plain http ${program} refuses the API and redirects pages`,
    async () => {
      const [plain, tls] = [await freePort(), await freePort()];
      let text = await readFile(join(root, file), 'utf8');
      for (const [from, to] of words(plain, tls)) {
        expect(text).toContain(from);
        text = text.replaceAll(from, to);
      }
      const copy = join(place, program);
      await writeFile(copy, text);
      const child = spawn(program, args(copy), { stdio: 'ignore' });
      try {
        const ask = (path: string) =>
          fetch(`http://127.0.0.1:${plain}${path}`, { redirect: 'manual' });
        await until(() =>
          ask('/').then(
            () => true,
            () => false,
          ),
        );
        for (const path of refused) expect([path, (await ask(path)).status]).toEqual([path, 403]);
        for (const path of redirected) {
          const reply = await ask(path);
          expect([path, Math.floor(reply.status / 100)]).toEqual([path, 3]);
          expect(reply.headers.get('location')).toMatch(/^https:\/\//);
        }
      } finally {
        await end(child);
      }
    },
  );
}
