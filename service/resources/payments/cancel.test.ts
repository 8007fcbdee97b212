import { expect, test } from 'vitest';
import { refusalOf } from '../../../test/kit/refusal.ts';
import { openServer } from '../../../test/kit/server.ts';

const { api } = await openServer({ manual: true });
const payer = await api.funded('individual', 100_00);
const shop = await api.banked('business');

test('a canceled payment gives back what it held, and cannot be confirmed any more', async () => {
  const payment = await api.pay(payer, shop, 40_00);
  expect(await api.balance(payer)).toMatchObject({ available: 60_00, pending_outgoing: 40_00 });

  const canceled = await api.post(`/v1/payments/${payment.id}/cancel`);
  expect(canceled).toMatchObject({ status: 'canceled', failure_code: null, version: 2 });
  expect(await api.balance(payer)).toMatchObject({ available: 100_00, pending_outgoing: 0 });

  const refusal = await refusalOf(api.confirmed(payment));
  expect(refusal).toMatchObject({ code: 'invalid_state' });
  expect(await api.balance(shop)).toMatchObject({ available: 0 });
});

test('a canceled payment by bank posts nothing, since it held nothing', async () => {
  const payment = await api.payByBank(payer, shop, 40_00);
  await api.post(`/v1/payments/${payment.id}/cancel`);

  const { data } = await api.get(`/portal/api/ledger/entries?source_id=${payment.id}`);
  expect(data).toEqual([]);
  expect(await api.get(`/v1/payments/${payment.id}`)).toMatchObject({ status: 'canceled' });
});
