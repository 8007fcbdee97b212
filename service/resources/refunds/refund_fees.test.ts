import { afterAll, beforeAll, expect, test } from 'vitest';
import { type House, openHouse, type Person } from '../../../test/kit/people.ts';
import { openWire, type Wire } from '../../../test/kit/wire.ts';

let house: House;
let wire: Wire;
let ana: Person;
let cafe: Person;
beforeAll(async () => {
  house = await openHouse();
  wire = openWire(house.test);
  const rule = { payment_type: 'consumer_to_merchant', source: 'balance' } as const;
  await house.change({
    fees: [{ ...rule, type: 'platform', basis_points: 0, fixed: 40, paid_by: 'payee' }],
  });
  ana = await house.approved('individual', 'standard');
  cafe = await house.approved('business');
  await house.fund(ana, 100_00);
});
afterAll(() => house.test.stop());

test('a refund gives back what was paid, and the merchant has borne the fee for good', async () => {
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
