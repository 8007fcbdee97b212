import { expect, it } from 'vitest';
import { openServer } from '../../../test/kit/server.ts';

const server = await openServer({ own: true });

const state = ({ headers }: { headers: Headers }) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`)));

it("shows the tenant's window on every reply, errors too, in whole seconds", async () => {
  const { token } = await server.anotherTenant({ rateLimit: 3 });
  const found = await server.call('GET', '/v1/accounts?customer_id=cus_x', { token });
  expect([found.status, ...state(found).slice(0, 2)]).toEqual([200, 3, 2]);
  const wrong = await server.call('GET', '/v1/accounts', { token });
  expect([wrong.status, ...state(wrong).slice(0, 2)]).toEqual([400, 3, 1]);
  const missing = await server.call('POST', '/v1/payments', { token });
  expect([missing.status, ...state(missing).slice(0, 2)]).toEqual([400, 3, 0]);
  const refused = await server.call('GET', '/v1/payments/pay_x', { token });
  const [limit, remaining, reset] = state(refused);
  expect([refused.status, limit, remaining]).toEqual([429, 3, 0]);
  expect(reset).toBeGreaterThan(0);
  expect(reset).toBeLessThanOrEqual(60);
  expect(refused.headers.get('retry-after')).toBe(String(reset));
  expect(refused.body.error.details).toEqual({ retry_after: reset });
});

it('counts each tenant separately', async () => {
  const first = await server.anotherTenant({ rateLimit: 1 });
  const second = await server.anotherTenant({ rateLimit: 1 });
  const ask = (token: string) => server.call('GET', '/v1/payments/pay_x', { token });
  await ask(first.token);
  expect((await ask(first.token)).status).toBe(429);
  expect((await ask(second.token)).status).toBe(404);
});

it('takes a new limit within a second', async () => {
  const tenant = await server.anotherTenant({ rateLimit: 1 });
  const ask = () => server.call('GET', '/v1/payments/pay_x', { token: tenant.token });
  await ask();
  await server.service.pool.query(
    `update tenants set settings = jsonb_set(settings, '{rate_limit_per_minute}', '10')
     where tenant_id = $1`,
    [tenant.tenantId],
  );
  await new Promise((resolve) => setTimeout(resolve, 1_050));
  const reply = await ask();
  expect([reply.status, ...state(reply).slice(0, 2)]).toEqual([404, 10, 8]);
});
