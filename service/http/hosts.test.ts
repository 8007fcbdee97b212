import { request } from 'node:http';
import { sandboxSignInLink } from '@tenant-payments/backoffice/people/sign_in/sandbox_link.ts';
import { expect, test } from 'vitest';
import { newPasskey } from '../../test/kit/pages/passkey.ts';
import { tokenOf } from '../../test/kit/people.ts';
import { openServer } from '../../test/kit/server.ts';

/** Hosts of their own for portal and console, for the customers' pages, and for the API (rules/security#24). */

const server = await openServer({
  own: true,
  workers: false,
  config: {
    publicUrl: 'http://api.example',
    consoleUrl: 'http://console.example',
    hostedUrl: 'http://pay.example',
  },
});
const port = new URL(server.baseUrl).port;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** `fetch` sends no Host of one's own. */
const ask = (
  host: string,
  path: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: object; body?: string } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port, path, method, headers: { host, ...headers } },
      (reply) => {
        let text = '';
        reply.setEncoding('utf8');
        reply.on('data', (chunk: string) => {
          text += chunk;
        });
        reply.on('end', () =>
          resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: text }),
        );
      },
    );
    asked.once('error', reject).end(body);
  });

const hosts = ['console.example', 'pay.example', 'api.example', '10.1.2.3'] as const;
const authorization = `Bearer ${server.token}`;
const tenantPage = `/hosted/${server.tenant.tenantId.replaceAll('-', '')}`;

test.each([
  ['/console', [200, 404, 404, 404]],
  ['/portal', [200, 404, 404, 404]],
  ['/portal/sign-in', [200, 404, 404, 404]],
  ['/portal/device', [200, 404, 404, 404]],
  ['/portal/api/session', [200, 404, 200, 200]],
  [tenantPage, [404, 200, 404, 404]],
  ['/hosted/preview', [200, 200, 404, 404]],
  ['/sdk/v1.js', [404, 200, 404, 404]],
  ['/v1/accounts?customer_id=cus_x', [404, 404, 200, 200]],
  ['/openapi.json', [404, 404, 200, 200]],
  ['/docs/', [307, 404, 200, 200]],
  ['/livez', [200, 200, 200, 200]],
] as const)('%s is served on its own host alone', async (path, expected) => {
  const found = [];
  for (const host of hosts)
    found.push((await ask(host, path, { headers: { authorization } })).status);
  expect(found).toEqual(expected);
});

test('the name of a host counts in any letters, and the documentation of the console is that of the API', async () => {
  expect((await ask('CONSOLE.example', '/console')).status).toBe(200);
  const { headers } = await ask('console.example', '/docs/guide/running?a=b');
  expect(headers.location).toBe('http://api.example/docs/guide/running?a=b');
});

test("a session's cookie is taken on the console's host alone, and a write from its origin alone", async () => {
  const link = await sandboxSignInLink(server.service, server.tenant.tenantId);
  expect(link).toMatch(/^http:\/\/console\.example\/portal\/sign-in#link=/);
  const signIn = (host: string, origin: string) =>
    ask(host, '/portal/api/sign-in/link', {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ token: tokenOf(link) }),
    });
  expect((await signIn('console.example', 'http://api.example')).status).toBe(403);
  expect((await signIn('console.example', 'http://pay.example')).status).toBe(403);
  const signedIn = await signIn('console.example', 'http://console.example');
  expect(signedIn.status).toBeLessThan(300);
  const [cookie = ''] = String(signedIn.headers['set-cookie']).split(';');
  const session = (host: string) => ask(host, '/portal/api/session', { headers: { cookie } });
  expect((await session('console.example')).status).toBe(200);
  expect((await session('api.example')).status).toBe(401);
  expect((await session('10.1.2.3')).status).toBe(401);
});

test("passkeys of people are made for the console's host", async () => {
  const link = await sandboxSignInLink(server.service, server.tenant.tenantId);
  const opened = await ask('console.example', '/portal/api/sign-in/link', {
    method: 'POST',
    headers: { origin: 'http://console.example', 'content-type': 'application/json' },
    body: JSON.stringify({ token: tokenOf(link) }),
  });
  const [cookie = ''] = String(opened.headers['set-cookie']).split(';');
  const begun = await ask('console.example', '/portal/api/my-passkeys/begin', {
    method: 'POST',
    headers: { cookie, origin: 'http://console.example', 'content-type': 'application/json' },
    body: '{}',
  });
  const { options } = JSON.parse(begun.body);
  expect(options.rp.id).toBe('console.example');
  expect(newPasskey('http://console.example').create(options)).toBeDefined();
});
