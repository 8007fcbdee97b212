import { expect, test } from 'vitest';
import { openServer } from '../../../test/kit/server.ts';

const server = await openServer({ workers: false });

test.each(['/hosted/api', '/hosted/api/owner', '/hosted/api/bank', '/hosted/api/nothing'])(
  'GET %s shows no page: it is a path of the JSON, which has no such operation',
  async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, body } = await server.call(method, path, { token: null });
      expect([status, headers.get('content-type')]).toEqual([
        404,
        'application/json; charset=utf-8',
      ]);
      if (method === 'GET') expect(body.error.code).toBe('not_found');
    }
  },
);

test('there is no page of an identity provider that has no step of its own', async () => {
  const { tenantId } = server.tenant;
  const path = `/hosted/${tenantId.replaceAll('-', '')}/identity`;
  expect((await server.call('GET', path, { token: null })).status).toBe(404);
});

/** A PNG file with one gray pixel and a comment. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg==';
const upload = async (png = pixel): Promise<string> =>
  (await server.call('POST', '/portal/api/logos', { body: { png } })).body.logo_url;
const pageOf = async (hex: string) => (await fetch(`${server.baseUrl}/hosted/${hex}`)).text();

test('a logo is served as a picture that is kept for good, and shown once the settings name it', async () => {
  const { pathname } = new URL(await upload());
  const [, hex = ''] = /^\/hosted\/([0-9a-f]{32})\/logo\/[0-9a-f]{64}\.png$/.exec(pathname) ?? [];
  const reply = await fetch(`${server.baseUrl}${pathname}`);
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
  });
  expect(Buffer.from(await reply.arrayBuffer()).toString('base64')).toBe(pixel);
  expect(await pageOf(hex)).not.toContain('class="logo"');

  const { branding } = (await server.call('GET', '/portal/api/settings')).body;
  const show = (logo_url: string) =>
    server.call('PUT', '/portal/api/settings', { body: { branding: { ...branding, logo_url } } });
  // Whatever host the address has, the page asks its own for the Tenant's own picture.
  expect((await show(`https://elsewhere.example${pathname}`)).status).toBe(200);
  await expect.poll(() => pageOf(hex)).toContain(`<img class="logo" src="${pathname}" alt="">`);
  expect(await pageOf(hex)).not.toContain('elsewhere');
  await show('https://elsewhere.example/logo.png');
  await expect.poll(() => pageOf(hex)).not.toContain('class="logo"');
});

test('no path but that of a logo of the Tenant itself gives a picture', async () => {
  const { pathname } = new URL(await upload());
  const [, , hex = '', , file = ''] = pathname.split('/');
  const others = [
    `/hosted/${'0'.repeat(32)}/logo/${file}`,
    `/hosted/${hex}/logo/${'0'.repeat(64)}.png`,
    `/hosted/${hex}/logo/${file.replace('.png', '')}`,
    `/hosted/${hex}/logo/..%2f${file}`,
    `/hosted/api/logo/${file}`,
  ];
  for (const path of others) expect((await fetch(server.baseUrl + path)).status, path).toBe(404);
});
