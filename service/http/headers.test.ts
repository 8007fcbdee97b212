import { connect } from 'node:net';
import { afterAll, expect, it, test } from 'vitest';
import { openServer } from '../../test/kit/server.ts';
import { listenForMetrics } from '../operations/metrics_listener.ts';
import { listen } from './listen.ts';

const server = await openServer({ tenant: { sample: true } });
/** Listeners as of `npm start` where PUBLIC_URL is https; the proxy before it is not needed here. */
const listener = await listen(['127.0.0.1'], 0, { isHttps: true });
const starting = await listen(['127.0.0.1'], 0, { isHttps: true });
listener.use(server.app.routing);
const metrics = await listenForMetrics(
  { environment: 'production', metricsPort: 0, metricsHost: '127.0.0.1' },
  server.service.log,
);
afterAll(async () => {
  await Promise.all([listener.close(1_000), starting.close(1_000), metrics.close()]);
});

type Reply = Pick<Response, 'status' | 'headers'>;
const ask = (port: number, path: string, init: RequestInit = {}): Promise<Reply> =>
  fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init });
const get = (path: string) => () => ask(listener.port, path);
const asTenant =
  (path: string, method = 'GET') =>
  () =>
    ask(listener.port, path, { method, headers: { authorization: `Bearer ${server.token}` } });

/** The listener's own answer to bytes that are no request. */
const raw = (bytes: string) => () =>
  new Promise<Reply>((resolve, reject) => {
    let heard = '';
    const socket = connect(listener.port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      heard += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => {
      const [first = '', ...lines] = heard.split('\r\n\r\n', 1)[0]?.split('\r\n') ?? [];
      const headers = new Headers(lines.map((line) => line.split(': ', 2) as [string, string]));
      resolve({ status: Number(first.split(' ')[1]), headers });
    });
  });

const nothing = "default-src 'none'; frame-ancestors 'none'";
const tenant = server.tenant.tenantId.replaceAll('-', '');

const replies: readonly (readonly [
  string,
  () => Promise<Reply>,
  status: number,
  policy?: string,
])[] = [
  ['a read of /v1', asTenant('/v1/customers?external_ref=x'), 200],
  ['a refusal of /v1', asTenant('/v1/payments', 'POST'), 400],
  ['a caller without a token', get('/v1/payments/pay_x'), 401],
  ['a path that is not there', get('/nowhere'), 404],
  ['the token endpoint', () => ask(listener.port, '/oauth/token', { method: 'POST' }), 400],
  ['the portal', asTenant('/portal/api/settings'), 200],
  ['a redirect', get('/docs'), 308],
  [
    'a page of the portal',
    get('/portal/requests'),
    200,
    "trusted-types default; frame-ancestors 'none'",
  ],
  ['the contract', get('/openapi.json'), 200],
  ['its YAML', get('/openapi.yaml'), 200],
  ['health', get('/livez'), 200],
  ['a page of the docs', get('/docs/'), 200, "frame-ancestors 'none'"],
  ['the API reference', get('/docs/api'), 200, "frame-ancestors 'none'"],
  ['a file of the docs', get('/docs/llms.txt'), 200],
  ['a hosted page', get(`/hosted/${tenant}`), 200, "trusted-types 'none'; frame-ancestors 'none'"],
  [
    'the preview of a hosted page',
    get('/hosted/preview'),
    200,
    "connect-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'; frame-ancestors 'self'",
  ],
  ['JSON of a hosted page', get('/hosted/api/session'), 401],
  ['the browser SDK', get('/sdk/v1.js'), 200],
  ['a download that is not there', get('/downloads/dl_x'), 404],
  ['a service that starts', () => ask(starting.port, '/readyz'), 503],
  ['CONNECT', raw('CONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\n'), 404],
  ['bytes that are no HTTP', raw('\x00\x01\x02\r\n\r\n'), 400],
  ['a request without a host', raw('GET / HTTP/1.1\r\nConnection: close\r\n\r\n'), 400],
];

for (const [what, asked, status, policy = nothing] of replies)
  it(`${what} has every header that protects it`, async () => {
    const reply = await asked();
    expect(reply.status).toBe(status);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining(policy),
      'cache-control': expect.stringMatching(/no-store|no-cache|max-age/),
    });
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
    for (const name of ['server', 'x-powered-by', 'set-cookie'])
      expect(reply.headers.has(name), name).toBe(false);
  });

it('an address of plain http promises no https', async () => {
  const { headers } = await fetch(`${server.baseUrl}/livez`);
  expect(headers.has('strict-transport-security')).toBe(false);
});

it.each(['/metrics', '/livez', '/nowhere'])('%s of the metrics port has them too', async (path) => {
  const { headers } = await ask(metrics.port ?? 0, path);
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': nothing,
  });
});

test.each(['/openapi.json', '/openapi.yaml', '/collection.json', '/portal/api/openapi.json'])(
  'a page of any origin may read %s',
  async (path) => {
    const { headers } = await fetch(`${server.baseUrl}${path}`, {
      headers: { origin: 'https://editor.example' },
    });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  },
);
