import { failureCodes } from '@tenant-payments/contract/core/failure_codes.ts';
import { defaultSettings } from '@tenant-payments/contract/core/settings.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { uuid } from '../../../test/kit/ids.ts';
import type { Person } from '../../../test/kit/person.ts';
import { refusalOf } from '../../../test/kit/refusal.ts';
import { openServer } from '../../../test/kit/server.ts';

let ana: Person;
let cafe: Person;
const server = await openServer({ manual: true });
const { api, engine } = server;
await engine.change({
  confirmation_grace_seconds: 0,
  fees: [
    {
      type: 'platform',
      payment_type: 'consumer_to_merchant',
      source: 'bank_account',
      basis_points: 100,
      fixed: 5,
      paid_by: 'payee',
    },
  ],
});
beforeEach(async () => {
  ana = await api.banked('individual');
  cafe = await api.banked('business');
});

const create = (amount: number, payer = ana): Promise<ReplyBody> =>
  api.payByBank(payer, cafe, amount);
const shown = (payment: ReplyBody) => api.get(`/v1/payments/${payment.id}`);
const request = (amount: number): Promise<ReplyBody> => api.request(cafe, amount);
const requestShown = ({ id }: ReplyBody) => api.get(`/v1/payment-requests/${id}`);

async function processing(amount: number): Promise<ReplyBody> {
  const payment = await create(amount);
  await api.confirmed(payment);
  return payment;
}

test('a confirmed payment goes to the bank; its money credits the merchant less the fee, and no account of the payer moves', async () => {
  const payment = await create(100_00);
  expect(payment).toMatchObject({ status: 'requires_confirmation', source: 'bank_account' });
  await api.confirmed(payment);
  expect(await shown(payment)).toMatchObject({ status: 'processing', completed_at: null });
  await api.simulate('payment.completed', payment.id);
  expect(await shown(payment)).toMatchObject({
    status: 'completed',
    net_amount: 98_95,
    fees: [{ type: 'platform', amount: 1_05, paid_by: 'payee' }],
  });
  expect(await api.balance(cafe)).toMatchObject({ ledger: 98_95 });
  expect(await api.balance(ana)).toMatchObject({ ledger: 0 });
  const list = await api.get(`/v1/accounts/${cafe.accountId}/transactions`);
  expect(list.data).toMatchObject([
    { type: 'payment_received', amount: 100_00, fee_amount: 1_05, net_amount: 98_95 },
  ]);
  expect(await engine.events(uuid('payment', payment.id))).toEqual([
    'payment.created',
    'payment.processing',
    'payment.completed',
  ]);
});

test.each(failureCodes.payment.bank)(
  'a refusal of the bank with %s fails it and gives the limit back',
  async (code) => {
    const payment = await processing(10_00);
    await api.simulate('payment.failed', payment.id, code);
    expect(await shown(payment)).toMatchObject({ status: 'failed', failure_code: code });
    const { rows } = await server.service.pool.query(
      "select used from limit_counters where customer_id = $1 and kind = 'payment_daily'",
      [uuid('customer', ana.customerId)],
    );
    expect(rows).toEqual([{ used: 0 }]);
  },
);

test('no answer within 15 minutes fails it', async () => {
  const payment = await processing(10_00);
  await api.advance(899);
  expect(await shown(payment)).toMatchObject({ status: 'processing' });
  await api.advance(1);
  expect(await shown(payment)).toMatchObject({
    status: 'failed',
    failure_code: 'request_expired',
  });
});

test('it can be canceled until it is confirmed, not in processing', async () => {
  const open = await create(10_00);
  expect(await api.post(`/v1/payments/${open.id}/cancel`)).toMatchObject({ status: 'canceled' });
  const sent = await processing(10_00);
  expect(await refusalOf(api.post(`/v1/payments/${sent.id}/cancel`))).toMatchObject({
    code: 'invalid_state',
    details: { current_status: 'processing' },
  });
});

describe('a request that a payment by bank has claimed', () => {
  test('cannot be paid by another or canceled', async () => {
    const asked = await request(20_00);
    const { qr_payload } = asked;
    const [first, second] = [
      await api.payRequest(ana, { qr_payload }, 'bank_account'),
      await api.payRequest(ana, { qr_payload }, 'bank_account'),
    ];
    await api.confirmed(first);
    expect(await refusalOf(api.simulate('session.completed', second.id))).toMatchObject({
      code: 'invalid_state',
      details: { reason: 'payment_in_progress' },
    });
    expect(await shown(second)).toMatchObject({ status: 'requires_confirmation' });
    expect(await refusalOf(api.post(`/v1/payment-requests/${asked.id}/cancel`))).toMatchObject({
      details: { reason: 'payment_in_progress' },
    });
    expect(await refusalOf(api.payRequest(ana, { qr_payload }, 'bank_account'))).toMatchObject({
      code: 'payment_request_invalid',
      details: { reason: 'payment_in_progress' },
    });
    await api.simulate('payment.completed', first.id);
    expect(await requestShown(asked)).toMatchObject({
      status: 'paid',
      paid_payment_id: first.id,
    });
    expect(await shown(second)).toMatchObject({
      status: 'failed',
      failure_code: 'payment_request_paid',
    });
  });

  test('is payable again when it ends unpaid', async () => {
    const { qr_payload, ...asked } = await request(20_00);
    const first = await api.confirmed(api.payRequest(ana, { qr_payload }, 'bank_account'));
    await api.simulate('payment.failed', first.id);
    const second = await api.confirmed(
      api.post('/v1/payments', {
        payer_customer_id: ana.customerId,
        source: 'bank_account',
        qr_payload,
        amount: 15_00,
      }),
    );
    await api.simulate('payment.completed', second.id);
    expect(await requestShown(asked)).toMatchObject({ status: 'paid', paid_payment_id: second.id });
  });

  test('is paid although it expired meanwhile', async () => {
    const { qr_payload, ...asked } = await request(20_00);
    const payment = await api.confirmed(api.payRequest(ana, { qr_payload }, 'bank_account'));
    await api.simulate('payment_request.expired', asked.id);
    await api.simulate('payment.completed', payment.id);
    expect(await requestShown(asked)).toMatchObject({ status: 'paid' });
  });
});

describe('a confirmation whose check fails ends it', () => {
  test('the link was removed', async () => {
    const payment = await create(10_00);
    await server.call(
      'DELETE',
      `/v1/customers/${ana.customerId}/linked-accounts/${ana.linkedAccountId}`,
    );
    await api.confirmed(payment);
    expect(await shown(payment)).toMatchObject({ failure_code: 'linked_account_removed' });
  });

  test('the link failed', async () => {
    const payment = await create(10_00);
    await api.simulate('linked_account.failed', ana.linkedAccountId ?? '');
    await api.confirmed(payment);
    expect(await shown(payment)).toMatchObject({ failure_code: 'linked_account_failed' });
  });

  test('the merchant was suspended; in processing the money is still taken', async () => {
    const [open, sent] = [await create(10_00), await processing(20_00)];
    await api.simulate('account.suspended', cafe.accountId);
    await api.confirmed(open);
    expect(await shown(open)).toMatchObject({ failure_code: 'payee_not_eligible' });
    await api.simulate('payment.completed', sent.id);
    expect(await shown(sent)).toMatchObject({ status: 'completed' });
  });
});

test('refusals come in the order of the checks', async () => {
  const { flows } = defaultSettings('x');
  const bare = await api.approved('individual');
  const nobody = { ...bare, customerId: 'cus_nobody' };
  await engine.change({ flows: { ...flows, payments_bank: false } });
  expect(await refusalOf(create(10_00, nobody))).toMatchObject({
    code: 'flow_not_enabled',
    details: { flow: 'payments_bank' },
  });
  await engine.change({ flows });
  expect(await refusalOf(create(10_00, nobody))).toMatchObject({ code: 'customer_not_verified' });
  expect(await refusalOf(create(10_00, bare))).toMatchObject({
    code: 'capability_unavailable',
    details: { capability: 'pay_by_bank', linked_account_id: null },
  });
  const narrow = await api.banked('individual', 'rtp_only');
  expect(await refusalOf(create(10_00, narrow))).toMatchObject({
    code: 'capability_unavailable',
    details: { linked_account_id: narrow.linkedAccountId },
  });
  const unknown = { customerId: 'cus_nobody' };
  expect(await refusalOf(api.payByBank(ana, unknown, 10_00))).toMatchObject({
    code: 'payee_not_eligible',
  });
  expect(await refusalOf(create(5_000_01))).toMatchObject({
    code: 'limit_exceeded',
    details: { limit: 'payment_per_transaction' },
  });
});

test('a refund goes to the link that paid, and completes when the bank accepts', async () => {
  const payment = await processing(100_00);
  await api.simulate('payment.completed', payment.id);
  const refund = await api.refund(payment, 40_00);
  expect(refund).toMatchObject({ destination: 'bank_account' });
  await api.confirmed(refund);
  expect(await api.get(`/v1/refund-requests/${refund.id}`)).toMatchObject({
    status: 'processing',
  });
  await api.simulate('refund.completed', refund.id);
  expect(await shown(payment)).toMatchObject({
    status: 'partially_refunded',
    refunded_amount: 40_00,
  });
  const rejected = await api.confirmed(api.refund(payment, 10_00));
  await api.simulate('refund.failed', rejected.id, 'unknown_customer');
  expect(await api.get(`/v1/refund-requests/${rejected.id}`)).toMatchObject({
    status: 'failed',
    failure_code: 'unknown_customer',
  });
  expect(await api.balance(cafe)).toMatchObject({ available: 58_95, earmarked: 0 });
});
