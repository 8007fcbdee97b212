import { expect, test } from 'vitest';
import { openServer } from '../../../test/kit/server.ts';
import { openWire } from '../../../test/kit/wire.ts';

const server = await openServer({ manual: true });
const { api, engine } = server;
const wire = openWire(server);
const rule = { payment_type: 'consumer_to_merchant', source: 'balance' } as const;
await engine.change({
  fees: [{ ...rule, type: 'platform', basis_points: 0, fixed: 40, paid_by: 'payee' }],
});
const ana = await api.banked('individual');
const cafe = await api.approved('business');
await api.fund(ana, 100_00);

test('a refund returns the amount and no fee', async () => {
  const payment = await wire.pay(ana, { payee_customer_id: cafe.customerId, amount: 50_00 });
  await wire.confirm(payment);
  expect(await wire.balanceOf(cafe)).toMatchObject({ available: 49_60 });
  for (const amount of [10_00, 39_60]) await wire.confirm(await wire.refund(payment, amount));
  expect(await wire.balanceOf(cafe)).toMatchObject({ ledger: 0 });
  expect(await wire.balanceOf(ana)).toMatchObject({ ledger: 99_60 });
  const rest = await wire.refund(payment, 40);
  await wire.confirm(rest);
  expect(await wire.get(`/v1/refund-requests/${rest.id}`)).toMatchObject({
    status: 'pending_funds',
  });
});
