import { expect, it } from 'vitest';
import { tokenHash } from '../../../engine/vault.ts';
import { openServer } from '../../../test/kit/server.ts';
import { addTemporarySecret } from '../../tenants/temporary_secrets.ts';

const server = await openServer({ environment: 'production', tenant: { rateLimit: 100 } });

const ask = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  server.call('POST', '/oauth/token', {
    token: null,
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });

const right = () => ({
  grant_type: 'client_credentials',
  client_id: server.tenant.client_id,
  client_secret: server.tenant.client_secret,
});

it('gives a token for an hour, which no cache may store', async () => {
  const reply = await ask(right());
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'tenant' });
  expect(reply.headers.get('cache-control')).toBe('no-store');
  const token = reply.body.access_token;
  expect((await server.call('GET', '/v1/payments/pay_x', { token })).status).toBe(404);
});

/** The credentials of a secret that ends by itself after this time. */
async function endingAfter(milliseconds: number) {
  const { client_id, client_secret } = await server.engine.run(
    addTemporarySecret(server.service),
    {},
  );
  const end = Date.now() + milliseconds;
  await server.engine.query(
    `update client_secrets set expires_at = $2 where tenant_id = $1 and secret_hash = $3`,
    new Date(end).toISOString(),
    tokenHash(client_secret),
  );
  return { end, credentials: { ...right(), client_id, client_secret } };
}

it('says how long a token lives that ends with its secret', async () => {
  const { end, credentials } = await endingAfter(90_000);
  const before = Date.now();
  const { status, body } = await ask(credentials);
  expect(status).toBe(200);
  const [least, most] = [Date.now(), before].map((at) => Math.floor((end - at) / 1_000));
  expect(body.expires_in).toBeGreaterThanOrEqual(Number(least));
  expect(body.expires_in).toBeLessThanOrEqual(Number(most));
  const long = await ask((await endingAfter(4_000_000)).credentials);
  expect(long.body.expires_in).toBe(3600);
});

it('gives no token for less than a second', async () => {
  const { status, body } = await ask((await endingAfter(500)).credentials);
  expect([status, body.error.code]).toEqual([401, 'invalid_client']);
});

it.each(['grant_type', 'client_id', 'client_secret'])('names a missing %s', async (field) => {
  const { [field]: _, ...rest } = right() as Record<string, string>;
  const reply = await ask(rest);
  expect(reply.body.error).toMatchObject({ code: 'parameter_missing', param: field });
});

it('refuses another grant', async () => {
  const reply = await ask({ ...right(), grant_type: 'password' });
  expect(reply.body.error).toMatchObject({ code: 'parameter_invalid', param: 'grant_type' });
});

it('refuses JSON', async () => {
  const reply = await ask(right(), { 'content-type': 'application/json' });
  const expected = 'application/x-www-form-urlencoded';
  expect(reply.body.error.details).toEqual({ reason: 'content_type', expected });
  expect(reply.body.error.message).toContain(expected);
});

it('refuses a field given twice', async () => {
  const reply = await server.call('POST', '/oauth/token', {
    token: null,
    body: `${new URLSearchParams(right())}&client_id=other`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(reply.body.error).toMatchObject({ code: 'parameter_invalid', param: 'client_id' });
});

it('gives the same reply to a wrong secret and an unknown client', async () => {
  const other = await server.anotherTenant();
  const replies = [
    await ask({ ...right(), client_secret: other.client_secret }),
    await ask({ ...right(), client_id: `cl_${'0'.repeat(32)}` }),
    await ask({ ...right(), client_id: 'nobody' }),
  ];
  for (const { status, body } of replies) {
    expect([status, body.error.code]).toEqual([401, 'invalid_client']);
    expect(body.error.message).toBe(replies[0]?.body.error.message);
  }
});

const grant = { grant_type: 'client_credentials' };
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

it.each([
  ['alone', {}],
  ['beside the same client_id in the form', { client_id: server.tenant.client_id }],
])('takes id and secret by HTTP Basic %s', async (_, more) => {
  const { client_id, client_secret } = server.tenant;
  const reply = await ask({ ...grant, ...more }, basic(client_id, client_secret));
  expect([reply.status, reply.body.token_type]).toEqual([200, 'Bearer']);
  expect(reply.headers.get('www-authenticate')).toBeNull();
});

it('takes both parts of HTTP Basic form-encoded, as RFC 6749 asks', async () => {
  const { client_id, client_secret } = server.tenant;
  const encoded = (text: string) =>
    [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
  const reply = await ask(grant, basic(encoded(client_id), encoded(client_secret)));
  expect(reply.status).toBe(200);
});

it('refuses HTTP Basic that is wrong with 401 and the scheme', async () => {
  const { client_id, client_secret } = server.tenant;
  const replies = [
    await ask(grant, basic(client_id, 'cs_wrong')),
    await ask({ ...grant, client_id: 'cl_other' }, basic(client_id, client_secret)),
    await ask(grant, { authorization: 'Basic !' }),
    await ask(grant, { authorization: 'Bearer tok_x' }),
    await ask(grant, basic('%', '%')),
  ];
  for (const { status, headers, body } of replies) {
    expect([status, body.error.code]).toEqual([401, 'invalid_client']);
    expect(headers.get('www-authenticate')).toBe('Basic realm="tenant-payments"');
  }
});

it('refuses a secret that comes in two ways', async () => {
  const { client_id, client_secret } = server.tenant;
  const reply = await ask(right(), basic(client_id, client_secret));
  expect(reply.body.error).toMatchObject({ code: 'parameter_invalid', param: 'client_secret' });
});

it('ignores what it does not know, as OAuth clients send it', async () => {
  const known = { ...right(), scope: 'tenant', audience: 'https://pay.example', resource: 'x' };
  expect((await ask(known)).status).toBe(200);
});

it('refuses a retired client', async () => {
  const other = await server.anotherTenant();
  await server.service.pool.query('update clients set retired_at = now() where tenant_id = $1', [
    other.tenantId,
  ]);
  const { client_id, client_secret } = other;
  expect((await ask({ ...right(), client_id, client_secret })).status).toBe(401);
});
