import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import type { Person } from '../../../test/kit/person.ts';
import { openServer } from '../../../test/kit/server.ts';

/** The least amount of each operation (rules/limits#3). */

const server = await openServer({ manual: true });
const { api } = server;

let ana: Person;
let shop: Person;
let completed: ReplyBody;
beforeAll(async () => {
  ana = await api.funded('individual', 500_00);
  shop = await api.banked('business');
  completed = await api.confirmed(api.pay(ana, shop, 100_00));
});

/** Each operation that takes an amount: its least, and its body without the amount. */
const operations: readonly (readonly [string, number, () => object])[] = [
  ['/v1/loads', 100, () => ({ customer_id: ana.customerId })],
  ['/v1/withdrawals', 100, () => ({ customer_id: ana.customerId })],
  [
    '/v1/payments',
    1,
    () => ({
      payer_customer_id: ana.customerId,
      payee_customer_id: shop.customerId,
      source: 'balance',
    }),
  ],
  ['/v1/payment-requests', 1, () => ({ type: 'dynamic', merchant_customer_id: shop.customerId })],
  ['/v1/refund-requests', 1, () => ({ payment_id: completed.id, reason: 'other' })],
];

describe.each(operations)('POST %s', (path, minimum, bodyOf) => {
  const ask = (amount: number) =>
    api.call('POST', path, { body: { ...bodyOf(), amount }, key: randomUUID() });

  test('an amount below the least says the least, however far below it is', async () => {
    for (const amount of [-1_000_000, -100, -1, 0, 1, minimum - 1])
      if (amount < minimum) {
        const { status, body } = await ask(amount);
        expect([amount, status, body.error]).toMatchObject([
          amount,
          400,
          {
            code: 'parameter_invalid',
            param: 'amount',
            details: { reason: 'below_minimum', minimum },
          },
        ]);
      }
  });

  test('the least amount is taken', async () => {
    expect((await ask(minimum)).status).toBe(201);
  });
});

test.each(['/v1/loads', '/v1/withdrawals'])(
  'an amount below the least of POST %s is refused before the customer is looked for',
  async (path) => {
    const ask = (amount: number) =>
      api.call('POST', path, { body: { customer_id: 'cus_nobody', amount }, key: randomUUID() });
    expect((await ask(99)).body.error).toMatchObject({ code: 'parameter_invalid' });
    expect((await ask(100)).body.error).toMatchObject({ code: 'customer_not_verified' });
  },
);
