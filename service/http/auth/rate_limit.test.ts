import { expect, it } from 'vitest';
import { openServer, startTestServer } from '../../../test/kit/server.ts';
import { countIn } from './refill.ts';

const server = await openServer({ own: true });

const state = ({ headers }: { headers: Headers }) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`)));

it("shows the tenant's bucket on every reply, errors too, in whole seconds", async () => {
  const { token } = await server.anotherTenant({ rateLimit: 3 });
  const found = await server.call('GET', '/v1/accounts?customer_id=cus_x', { token });
  expect([found.status, ...state(found)]).toEqual([200, 3, 2, 20]);
  const wrong = await server.call('GET', '/v1/accounts', { token });
  expect([wrong.status, ...state(wrong).slice(0, 2)]).toEqual([400, 3, 1]);
  const missing = await server.call('GET', '/v1/payments/pay_x', { token });
  expect([missing.status, ...state(missing).slice(0, 2)]).toEqual([404, 3, 0]);
  const refused = await server.call('GET', '/v1/payments/pay_x', { token });
  const [limit, remaining, reset] = state(refused);
  expect([refused.status, limit, remaining]).toEqual([429, 3, 0]);
  expect(reset).toBeGreaterThan(40);
  expect(reset).toBeLessThanOrEqual(60);
  const retryAfter = Number(refused.headers.get('retry-after'));
  expect(retryAfter).toBeGreaterThan(0);
  expect(retryAfter).toBeLessThanOrEqual(20);
  expect(refused.body.error.details).toEqual({ retry_after: retryAfter });
});

it('lets a Tenant write who has spent its reads, and read who has spent its writes', async () => {
  const { token } = await server.anotherTenant({ rateLimit: 1 });
  const read = () => server.call('GET', '/v1/payments/pay_x', { token });
  const write = () => server.call('POST', '/v1/payments', { token });
  expect([(await read()).status, (await read()).status]).toEqual([404, 429]);
  const written = await write();
  expect([written.status, ...state(written).slice(0, 2)]).toEqual([400, 1, 0]);
  expect([(await write()).status, (await read()).status]).toEqual([429, 429]);
});

it('lets the next request after the second of Retry-After, with the whole limit spent', async () => {
  const { token } = await server.anotherTenant({ rateLimit: 120 });
  const ask = () => server.call('GET', '/v1/payments/pay_x', { token });
  let refused = await ask();
  while (refused.status !== 429) refused = await ask();
  expect(refused.headers.get('retry-after')).toBe('1');
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect((await ask()).status).toBe(404);
});

it('lets no more than the limit in each minute, however the requests come, and refuses none that has waited', () => {
  for (const share of [1, 3, 97, 6_000]) {
    let level: Parameters<typeof countIn>[1];
    const one = (nowMs: number) => {
      const counted = countIn(share, level, nowMs);
      level = counted.level;
      return counted;
    };
    const burst = Array.from({ length: share + 5 }, () => one(0));
    expect(burst.filter(({ isOver }) => !isOver)).toHaveLength(share);
    expect(burst.at(-1)).toMatchObject({ left: 0, resetSeconds: 60 });
    let passed = 0;
    const everyMs = Math.min(60_000 / share / 2, 500);
    for (let at = everyMs; at <= 600_000; at += everyMs) if (!one(at).isOver) passed += 1;
    expect(Math.abs(passed - 10 * share)).toBeLessThanOrEqual(Math.max(1, share / 10));
    const { retrySeconds } = one(600_000);
    expect(one(600_000 + retrySeconds * 1_000).isOver).toBe(false);
    expect(one(10_000_000).left).toBe(share - 1);
  }
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
