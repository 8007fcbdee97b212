import { expect, it } from 'vitest';
import { openServer } from '../../../test/kit/server.ts';

const server = await openServer({ own: true });

const codeOf = ({ body }: { body: { error?: { code: string } } }) => body.error?.code;

it('checks the token before it counts, checks the key or reads the body', async () => {
  const spent = await server.anotherTenant({ rateLimit: 1 });
  await server.call('POST', '/v1/payments', { token: spent.token });
  const reply = await server.call('POST', '/v1/payments', { token: null, body: '{' });
  expect([reply.status, codeOf(reply)]).toEqual([401, 'authentication_required']);
  expect(reply.headers.get('www-authenticate')).toBe('Bearer');
  expect(reply.headers.has('ratelimit-limit')).toBe(false);
});

it('counts before it checks the key', async () => {
  const { token } = await server.anotherTenant({ rateLimit: 1 });
  await server.call('POST', '/v1/payments', { token });
  const reply = await server.call('POST', '/v1/payments', { token, body: '{' });
  expect([reply.status, codeOf(reply)]).toEqual([429, 'rate_limited']);
});

it('checks the key before it reads the body', async () => {
  const missing = await server.call('POST', '/v1/payments', { body: '{' });
  expect([missing.status, codeOf(missing)]).toEqual([400, 'idempotency_key_missing']);
  const bad = await server.call('POST', '/v1/payments', { body: '{', key: 'a key with spaces' });
  expect(bad.body.error).toMatchObject({ code: 'parameter_invalid', param: 'Idempotency-Key' });
});

it('checks an optional key when one is sent', async () => {
  const body = { result_token: 'rt_unknown' };
  const without = await server.call('POST', '/v1/sessions/exchange', { body });
  expect(codeOf(without)).toBe('result_token_invalid');
  const bad = await server.call('POST', '/v1/sessions/exchange', { body, key: 'a b' });
  expect(bad.body.error.param).toBe('Idempotency-Key');
});

it('checks the body’s shape before it looks for a record', async () => {
  const wrong = await server.call('POST', '/v1/payments/pay_x/cancel', {
    key: 'k',
    body: { x: 1 },
  });
  expect(wrong.body.error).toMatchObject({ code: 'parameter_invalid', param: 'x' });
  const right = await server.call('POST', '/v1/payments/pay_x/cancel', { key: 'k' });
  expect([right.status, codeOf(right)]).toEqual([404, 'not_found']);
});

it.each([
  ['no header', ''],
  ['another scheme', 'Basic YTpi'],
  ['no token', 'Bearer'],
  ['a made-up token', `Bearer tok_${'A'.repeat(64)}`],
  ['a malformed token', 'Bearer tok_short'],
  ['two tokens', 'Bearer a b'],
  ['an endless token', `Bearer ${'a'.repeat(5_000)}`],
])('refuses %s', async (_, authorization) => {
  const reply = await server.call('GET', '/v1/payments/pay_x', {
    token: null,
    headers: { authorization },
  });
  expect([reply.status, codeOf(reply)]).toEqual([401, 'authentication_required']);
});

it("refuses a token whose tenant part is another tenant's", async () => {
  const other = await server.anotherTenant();
  const [tenantPart, secretPart] = [server.token.slice(0, 25), other.token.slice(25)];
  const reply = await server.call('GET', '/v1/payments/pay_x', { token: tenantPart + secretPart });
  expect(reply.status).toBe(401);
});

it('refuses a token that has expired, and one whose client was retired, within a second', async () => {
  const tenant = await server.anotherTenant();
  const ask = () => server.call('GET', '/v1/payments/pay_x', { token: tenant.token });
  expect((await ask()).status).toBe(404);
  await server.service.pool.query('update clients set retired_at = now() where client_id = $1', [
    tenant.client_id,
  ]);
  await new Promise((resolve) => setTimeout(resolve, 1_050));
  expect((await ask()).status).toBe(401);
  await server.engine.query(
    "update access_tokens set expires_at = now() - interval '1 second' where tenant_id = $1",
  );
  await new Promise((resolve) => setTimeout(resolve, 1_050));
  expect((await server.call('GET', '/v1/payments/pay_x')).status).toBe(401);
});
