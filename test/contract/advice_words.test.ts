import { expect, test } from 'vitest';
import { openServer } from '../kit/server.ts';

/** The message of a refusal names the one thing that is wrong (rules/errors#27). */

const server = await openServer({ manual: true });
const { api } = server;
const ana = await api.funded('individual', 50_00);
const cafe = await api.approved('business');
const shop = await api.approved('business');

const send = async (path: string, body: object) => {
  const reply = await api.call('POST', path, { body, key: crypto.randomUUID() });
  const { code, param, details, message } = reply.body.error;
  return { status: reply.status, code, param, details, message };
};

const payment = { source: 'balance', amount: 1_00, payee_customer_id: cafe.customerId };

test('a payment of an unknown payer names payer_customer_id, with its status and param as before', async () => {
  const unknown = { ...payment, payer_customer_id: `${ana.customerId.slice(0, -4)}0000` };
  expect(await send('/v1/payments', unknown)).toEqual({
    status: 422,
    code: 'customer_not_verified',
    param: null,
    details: {},
    message: 'payer_customer_id names no customer of this Tenant',
  });
});

test('a payment without invoice_reference says that its payer is a business', async () => {
  const { code, param, message } = await send('/v1/payments', {
    ...payment,
    payer_customer_id: shop.customerId,
  });
  expect([code, param]).toEqual(['parameter_missing', 'invoice_reference']);
  expect(message).toContain('the payer is a business');
});

test('a refund of a payment that is all in refunds says that nothing is left', async () => {
  const made = await api.confirmed(await api.pay(ana, cafe, 2_00));
  await api.refund(made, 2_00);
  expect(
    await send('/v1/refund-requests', {
      payment_id: made.id,
      amount: 1,
      reason: 'requested_by_customer',
    }),
  ).toMatchObject({
    code: 'refund_exceeds_payment',
    details: { refundable_amount: 0 },
    message: 'nothing is left to refund of this payment',
  });
});

test('a metadata key that is too long is named, and a filter that is text shows its form', async () => {
  const key = `order_${'x'.repeat(40)}`;
  const long = { ...payment, payer_customer_id: ana.customerId, metadata: { [key]: '7' } };
  const refused = await send('/v1/payments', long);
  expect(refused).toMatchObject({ code: 'parameter_invalid', param: 'metadata' });
  expect(refused.message).toContain(key);
  const { body } = await api.call('GET', '/v1/payments?metadata=x', {});
  expect(body.error).toMatchObject({ code: 'parameter_invalid', param: 'metadata' });
  expect(body.error.message).toContain('metadata[key]=value');
});

test('under production rules a local return_url is told that production takes https alone', async () => {
  const tenant = await server.anotherTenant();
  const own = server.apiOf(tenant);
  const return_url = 'http://127.0.0.1:4000/done';
  await own.settings({ return_urls: [return_url] });
  const { id } = await own.customer('individual');
  const rules = '/portal/api/sandbox/production-rules';
  await own.call('PUT', rules, { body: { enabled: true } });
  const body = { customer_id: id, flow: 'onboarding', return_url };
  const refused = await own.call('POST', '/v1/sessions', { body, key: 'one' });
  expect(refused.body.error).toMatchObject({ code: 'session_invalid', param: 'return_url' });
  expect(refused.body.error.message).toContain('production takes https:// alone');
});
