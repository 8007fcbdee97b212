import { expect, test } from 'vitest';
import { openServer } from '../../../test/kit/server.ts';

const server = await openServer({ manual: true });
const { api, engine } = server;
const rule = { payment_type: 'consumer_to_merchant', source: 'balance' } as const;
await engine.change({
  fees: [{ ...rule, type: 'platform', basis_points: 0, fixed: 40, paid_by: 'payee' }],
});
const ana = await api.banked('individual');
const cafe = await api.approved('business');
await api.fund(ana, 100_00);

test('a refund returns the amount and no fee', async () => {
  const payment = await api.confirmed(api.pay(ana, cafe, 50_00));
  expect(await api.balance(cafe)).toMatchObject({ available: 49_60 });
  for (const amount of [10_00, 39_60]) await api.confirmed(api.refund(payment, amount));
  expect(await api.balance(cafe)).toMatchObject({ ledger: 0 });
  expect(await api.balance(ana)).toMatchObject({ ledger: 99_60 });
  const rest = await api.confirmed(api.refund(payment, 40));
  expect(await api.get(`/v1/refund-requests/${rest.id}`)).toMatchObject({
    status: 'pending_funds',
  });
});
