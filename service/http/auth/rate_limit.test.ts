import { expect, it } from 'vitest';
import { openServer, startTestServer } from '../../../test/kit/server.ts';

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

it('counts each caller of the portal apart, so that no key of a reader stops the API', async () => {
  const { token } = await server.anotherTenant({ rateLimit: 2 });
  const portal = (bearer: string) => server.call('GET', '/portal/api/session', { token: bearer });
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const body = { name: 'Nightly reports', roles: ['reader'], expires_at };
  const made = await server.call('POST', '/portal/api/api-keys', { token, body });
  expect([made.status, ...state(made).slice(0, 2)]).toEqual([201, 2, 1]);
  const { key } = made.body;
  for (const left of [599, 598, 597, 596]) {
    const reply = await portal(key);
    expect([reply.status, ...state(reply).slice(0, 2)]).toEqual([200, 600, left]);
  }
  expect((await portal(token)).status).toBe(200);
  expect((await portal(token)).status).toBe(429);
  const ask = () => server.call('GET', '/v1/payments/pay_x', { token });
  for (const left of [1, 0]) {
    const reply = await ask();
    expect([reply.status, ...state(reply).slice(0, 2)]).toEqual([404, 2, left]);
  }
  expect((await ask()).status).toBe(429);
  expect((await portal(key)).status).toBe(200);
});

it('names a caller of the portal who met the limit in the line of the log', async () => {
  const lines: string[] = [];
  const own = await startTestServer({ workers: false, onLog: (line) => lines.push(line) });
  const { token } = await own.anotherTenant({ rateLimit: 1 });
  const ask = () => own.call('GET', '/portal/api/session', { token });
  await ask();
  expect((await ask()).status).toBe(429);
  const told = lines.map((line) => JSON.parse(line)).filter((line) => line.security);
  expect(told.at(-1)).toMatchObject({
    security: 'rate_limited',
    bucket: 'caller',
    actor: 'client',
    client_id: expect.stringMatching(/^cl_/),
  });
  await own.stop();
});
