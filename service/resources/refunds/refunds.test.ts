import { Refund } from '@tenant-payments/contract/resources/refunds.ts';
import { Value } from 'typebox/value';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { uuid } from '../../../test/kit/ids.ts';
import type { Person } from '../../../test/kit/person.ts';
import { refusalOf } from '../../../test/kit/refusal.ts';
import { openServer } from '../../../test/kit/server.ts';

let ana: Person;
let cafe: Person;
const server = await openServer({ manual: true, tenant: { calendar: false } });
const { api, engine } = server;
await engine.change({ confirmation_grace_seconds: 0 });
beforeEach(async () => {
  ana = await api.banked('individual');
  cafe = await api.banked('business');
  await api.fund(ana, 500_00);
});

const shown = (refund: ReplyBody) => api.get(`/v1/refund-requests/${refund.id}`);

const paid = (amount: number): Promise<ReplyBody> => api.confirmed(api.pay(ana, cafe, amount));

/** Empties the merchant's account, so that it cannot fund a refund. */
async function drain(merchant: Person, amount: number): Promise<void> {
  const withdrawal = await api.confirmed(api.withdraw(merchant, amount));
  await api.simulate('withdrawal.settled', withdrawal.id);
}

test('a refund is held at creation and completes to the balance at confirmation', async () => {
  const payment = await paid(100_00);
  const made = await api.refund(payment, 30_00);
  expect(Value.Errors(Refund, made)).toEqual([]);
  expect(made).toMatchObject({
    status: 'requested',
    destination: 'balance',
    merchant_customer_id: cafe.customerId,
    payer_customer_id: ana.customerId,
    confirmation_session: { flow: 'payment_confirm' },
  });
  expect(await api.balance(cafe)).toMatchObject({ available: 70_00, earmarked: 30_00 });
  await api.confirmed(made);
  expect(await shown(made)).toMatchObject({ status: 'completed', version: 3 });
  expect(await api.balance(cafe)).toMatchObject({ ledger: 70_00, earmarked: 0 });
  expect(await api.balance(ana)).toMatchObject({ available: 430_00 });
  expect(await api.get(`/v1/payments/${payment.id}`)).toMatchObject({
    status: 'partially_refunded',
    refunded_amount: 30_00,
  });
  expect(await engine.events(uuid('refund', made.id))).toEqual([
    'refund.created',
    'refund.processing',
    'refund.completed',
  ]);
});

test('partial refunds never exceed the payment', async () => {
  const payment = await paid(100_00);
  for (const amount of [60_00, 39_99]) await api.confirmed(api.refund(payment, amount));
  expect(await refusalOf(api.refund(payment, 2))).toMatchObject({
    code: 'refund_exceeds_payment',
    details: { refundable_amount: 1 },
  });
  await api.confirmed(api.refund(payment, 1));
  expect(await api.get(`/v1/payments/${payment.id}`)).toMatchObject({
    status: 'refunded',
    refunded_amount: 100_00,
  });
  expect(await refusalOf(api.refund(payment, 1))).toMatchObject({ code: 'invalid_state' });
});

test('an open refund counts, a failed one no longer does', async () => {
  const payment = await paid(100_00);
  const first = await api.refund(payment, 80_00);
  expect(await refusalOf(api.refund(payment, 20_01))).toMatchObject({
    code: 'refund_exceeds_payment',
  });
  await api.simulate('session.canceled', first.id, 'confirmation_declined');
  expect(await shown(first)).toMatchObject({
    status: 'failed',
    failure_code: 'confirmation_declined',
  });
  expect(await api.balance(cafe)).toMatchObject({ available: 100_00, earmarked: 0 });
  await api.confirmed(api.refund(payment, 100_00));
  expect(await api.get(`/v1/payments/${payment.id}`)).toMatchObject({ status: 'refunded' });
});

describe('a refund that the merchant cannot fund', () => {
  test('waits, first in first out, and is paid before the reply that brings the money', async () => {
    const payments = [await paid(100_00), await paid(50_00)];
    await drain(cafe, 150_00);
    const [large, small] = [
      await api.refund(payments[0], 80_00),
      await api.refund(payments[1], 10_00),
    ];
    for (const made of [large, small]) await api.confirmed(made);
    expect(await shown(large)).toMatchObject({ status: 'pending_funds' });
    await paid(50_00);
    // The first is not funded and blocks the second.
    expect(await shown(small)).toMatchObject({ status: 'pending_funds' });
    await paid(30_00);
    expect(await shown(large)).toMatchObject({ status: 'completed' });
    expect(await shown(small)).toMatchObject({ status: 'pending_funds' });
    await paid(10_00);
    expect(await shown(small)).toMatchObject({ status: 'completed' });
    expect(await api.balance(cafe)).toMatchObject({ ledger: 0 });
  });

  test('fails after 30 days', async () => {
    const payment = await paid(100_00);
    await drain(cafe, 100_00);
    const made = await api.confirmed(api.refund(payment, 10_00));
    await api.advance(30 * 86_400);
    expect(await shown(made)).toMatchObject({
      status: 'failed',
      failure_code: 'insufficient_funds',
    });
    await api.confirmed(api.refund(payment, 10_00));
  });
});

test.each([
  ['failed', 'failed', 'destination_unavailable'],
  ['failed, and was removed since,', 'failed', 'destination_unavailable'],
  ['was removed', 'processing', null],
])('a refund to a bank account that %s is %s at its confirmation', async (how, status, code) => {
  const payment = await api.confirmed(api.payByBank(ana, cafe, 50_00));
  await api.simulate('payment.completed', payment.id);
  const made = await api.refund(payment, 10_00);
  expect(made).toMatchObject({ destination: 'bank_account' });
  const link = ana.linkedAccountId ?? '';
  if (/failed/.test(how)) await api.simulate('linked_account.failed', link, 'account_closed');
  if (/removed/.test(how))
    await api.remove(`/v1/customers/${ana.customerId}/linked-accounts/${link}`);
  await api.confirmed(made);
  expect(await shown(made)).toMatchObject({ status, failure_code: code });
  const held = status === 'failed' ? 0 : 10_00;
  expect(await api.balance(cafe)).toMatchObject({ ledger: 50_00, earmarked: held });
});

test('a refund that is never confirmed fails and releases what it held', async () => {
  const made = await api.refund(await paid(100_00), 10_00);
  await api.simulate('session.expired', made.id);
  expect(await shown(made)).toMatchObject({
    status: 'failed',
    failure_code: 'confirmation_expired',
  });
  expect(await api.balance(cafe)).toMatchObject({ available: 100_00, earmarked: 0 });
});

test('refusals come in the order of the checks', async () => {
  expect(await refusalOf(api.refund({ id: 'pay_unknown' }, 1))).toMatchObject({
    code: 'not_found',
  });
  const open = await api.pay(ana, cafe, 10_00);
  expect(await refusalOf(api.refund(open, 1))).toMatchObject({
    code: 'invalid_state',
    details: { current_status: 'requires_confirmation' },
  });
  const payment = await paid(100_00);
  await api.simulate('account.suspended', cafe.accountId);
  expect(await refusalOf(api.refund(payment, 200_00))).toMatchObject({
    code: 'account_restricted',
    details: { reason: 'suspended' },
  });
  await api.simulate('account.reactivated', cafe.accountId);
  await api.advance(180 * 86_400 + 1);
  expect(await refusalOf(api.refund(payment, 200_00))).toMatchObject({
    code: 'refund_window_closed',
  });
});
