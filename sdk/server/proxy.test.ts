import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { makeAuthority } from '../../test/kit/http/certificates.ts';
import { openForwardProxy } from '../../test/kit/http/forward_proxy.ts';
import { startTlsProxy } from '../../test/kit/http/tls_proxy.ts';
import { runNode } from '../../test/kit/processes/run_node.ts';
import { openServer } from '../../test/kit/server.ts';
import { accountEnv } from '../../test/kit/tpay.ts';
import { until } from '../../test/kit/wait.ts';
import { type ClientOptions, createClient } from './index.ts';
import { proxyFor } from './proxy.ts';

/** The service at https://pay.example, which no name server knows: only a proxy leads there. */
const server = await openServer();
const authority = makeAuthority();
const plainPort = Number(new URL(server.baseUrl).port);
const tls = await startTlsProxy(authority.issue({ names: ['pay.example'] }), plainPort);
const home = mkdtempSync(join(tmpdir(), 'proxy-'));
const trusted = join(home, 'ca.pem');
writeFileSync(trusted, authority.cert);
afterAll(async () => {
  rmSync(home, { recursive: true });
  await tls.stop();
});
afterEach(() => void vi.unstubAllEnvs());

const cwd = fileURLToPath(new URL('../..', import.meta.url));
const tpay = (...args: string[]) => ['--import', 'tsx', 'cli/tpay/main.ts', ...args];
const envOf = (proxy: string, more: object = {}) => ({
  ...accountEnv('https://pay.example', server.tenant),
  NODE_EXTRA_CA_CERTS: trusted,
  HOME: home,
  XDG_CONFIG_HOME: '',
  DATA_DIR: '/nowhere',
  HTTPS_PROXY: proxy,
  ...more,
});

test('tpay and the SDK reach an https address through a proxy with credentials', async () => {
  const proxy = await openForwardProxy(tls.port);
  const done = await runNode(tpay('whoami'), { cwd, env: envOf(proxy.url) });
  expect([done.code, done.stderr]).toEqual([0, '']);
  expect(done.stdout).toContain(server.tenant.client_id);
  expect(proxy.asked).not.toHaveLength(0);
  expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT pay.example:443']));
});

test('the feed of listen comes through the proxy', async () => {
  const proxy = await openForwardProxy(tls.port);
  const args = tpay('listen', '--lines', '--json');
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...envOf(proxy.url) },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  let came = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  child.stdout.on('data', (chunk) => {
    came += chunk;
  });
  await until(() => said.includes('Ready: events of https://pay.example'));
  const { id } = await server.api.applied('individual');
  await until(() => came.includes(id));
});

test('NO_PROXY goes around the proxy', async () => {
  const proxy = await openForwardProxy(tls.port);
  const env = envOf(proxy.url, { NO_PROXY: 'other.example, .pay.example' });
  const done = await runNode(tpay('whoami'), { cwd, env });
  expect(done.code).not.toBe(0);
  expect(done.stderr).toMatch(/ENOTFOUND|EAI_AGAIN/);
  expect(proxy.asked).toEqual([]);
});

const clientAt = (baseUrl: string, more: ClientOptions = {}) =>
  createClient({
    baseUrl,
    clientId: server.tenant.client_id,
    clientSecret: server.tenant.client_secret,
    maxRetries: 0,
    ...more,
  });

test('a plain address is asked for at the proxy, with bodies and errors as without one', async () => {
  const proxy = await openForwardProxy(plainPort);
  vi.stubEnv('http_proxy', proxy.url);
  const client = clientAt('http://pay.example');
  const made = await client.customers.create({
    type: 'individual',
    external_ref: 'prox\u00fd',
    email: 'proxy@example.com',
    mobile_number: '+12125550171',
  });
  expect(made.external_ref).toBe('prox\u00fd');
  await expect(client.customers.get('cus_unknown')).rejects.toMatchObject({ code: 'not_found' });
  expect(proxy.asked).toEqual([
    'POST http://pay.example/oauth/token',
    'POST http://pay.example/v1/customers',
    'GET http://pay.example/v1/customers/cus_unknown',
  ]);
});

test('a proxy that refuses is named, and one that is silent ends with the time of the attempt', async () => {
  vi.stubEnv('HTTPS_PROXY', (await openForwardProxy(tls.port, 407)).url);
  const client = clientAt('https://pay.example');
  await expect(client.customers.get('cus_1')).rejects.toThrow(/no reply .*\(PROXY_407\)/);
  vi.stubEnv('HTTPS_PROXY', (await openForwardProxy(tls.port, null)).url);
  const late = clientAt('https://pay.example', { timeoutMs: 300 });
  await expect(late.customers.get('cus_1')).rejects.toThrow('no reply in 300 ms');
});

test.each<[string, Record<string, string>, string | null]>([
  ['https://pay.example', { HTTPS_PROXY: 'http://proxy:3128' }, 'proxy:3128'],
  ['https://pay.example', { HTTPS_PROXY: 'proxy:3128' }, 'proxy:3128'],
  ['https://pay.example', { HTTPS_PROXY: 'http://a:1', https_proxy: 'http://b:2' }, 'b:2'],
  ['https://pay.example', { HTTP_PROXY: 'http://proxy:3128' }, null],
  ['http://pay.example', { HTTP_PROXY: 'http://proxy:3128' }, 'proxy:3128'],
  ['http://localhost:8080', { HTTP_PROXY: 'http://proxy:3128' }, null],
  ['http://127.0.0.1:8080', { HTTP_PROXY: 'http://proxy:3128' }, null],
  ['http://[::1]:8080', { HTTP_PROXY: 'http://proxy:3128' }, null],
  ['https://pay.example', { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: '*' }, null],
  ['https://pay.example', { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: 'example' }, null],
  [
    'https://pay.example',
    { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: 'ay.example' },
    'proxy:3128',
  ],
  ['https://pay.example', { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: 'x, PAY.example' }, null],
  [
    'https://pay.example',
    { HTTPS_PROXY: 'http://proxy:3128', no_proxy: '*.pay.example:443' },
    null,
  ],
  [
    'https://pay.example',
    { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: 'pay.example:8443' },
    'proxy:3128',
  ],
  ['https://pay.example', { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: '' }, 'proxy:3128'],
])('%s with %j goes through %s', (url, env, proxy) => {
  expect(proxyFor(env, new URL(url))?.host ?? null).toBe(proxy);
});

test('what is no proxy of HTTP is refused by its name', () => {
  for (const given of ['socks5://proxy:1080', 'http://', 'a b'])
    expect(() => proxyFor({ HTTPS_PROXY: given }, new URL('https://pay.example'))).toThrow(
      'HTTPS_PROXY must be the http(s) address of a proxy',
    );
});
