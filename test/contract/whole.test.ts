import { afterAll, expect, test } from 'vitest';
import { openServer } from '../kit/server.ts';
import { digestOf } from './digest.ts';
import { openSender } from './send.ts';
import { openWhole } from './whole.ts';

/** The tokens that a production gives within a minute. */
const productionTokens = 30;

const server = await openServer({ own: true, tenant: { rateLimit: 10_000_000 }, workers: false });
const production = await openServer({ environment: 'production', workers: false });
const sender = openSender(production.baseUrl);
const { token: spentToken } = await server.anotherTenant({ rateLimit: 1 });
const fetchTokens = () =>
  Promise.all(
    Array.from({ length: productionTokens }, () =>
      fetch(`${production.baseUrl}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: 'cl_unknown',
          client_secret: 'cs_none',
        }),
      }),
    ),
  );
const whole = await openWhole({
  baseUrl: server.baseUrl,
  token: server.token,
  digest: () => digestOf(server.service.pool),
  spent: {
    token: spentToken,
    spend: () =>
      Promise.all(
        ['GET', 'POST'].map((method) =>
          server.call(method, '/v1/payments/pay_x', { token: spentToken }),
        ),
      ),
  },
  production: { sender, token: production.token, spend: fetchTokens },
});
afterAll(async () => {
  await whole.close();
  await sender.close();
});

test('each move is refused from each state that no row allows it from, and made from the others', async () => {
  const { violations, refused } = await whole.moves();
  expect(violations, violations.join('\n')).toEqual([]);
  expect(refused).toBeGreaterThan(280);
});

test('each listed code is told, with param and details, and of two the one that is checked first', async () => {
  const { violations, untried, cases } = await whole.refusals();
  expect(violations, violations.join('\n')).toEqual([]);
  expect(untried).toEqual([]);
  expect(cases).toBeGreaterThan(1_000);
});

test('each event is as its type says, and each type and each step of the state tables occurs', async () => {
  const { violations } = await whole.events();
  expect(violations, violations.join('\n')).toEqual([]);
});
