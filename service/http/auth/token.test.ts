import { expect, it } from 'vitest';
import { openServer } from '../../../test/kit/server.ts';

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
  expect(reply.body.error.details).toEqual({ reason: 'content_type' });
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

it('refuses a retired client', async () => {
  const other = await server.anotherTenant();
  await server.service.pool.query('update clients set retired_at = now() where tenant_id = $1', [
    other.tenantId,
  ]);
  const { client_id, client_secret } = other;
  expect((await ask({ ...right(), client_id, client_secret })).status).toBe(401);
});
