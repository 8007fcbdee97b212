import { expect, test } from 'vitest';
import type { Payment, PaymentRequest } from './records.ts';
import { addOrder, newOrders, takeNumber } from './server/orders.ts';
import { handlersOf } from './server/webhooks.ts';

function opened() {
  const orders = newOrders();
  const request = { id: 'pr_1', status: 'open', expires_at: null, qr_payload: 'tps1', image: '' };
  const lines = [{ id: 'toast', name: 'Avocado toast', amount: 8_50, quantity: 1 }];
  const order = addOrder(orders, takeNumber(orders), lines, request);
  const { on, onRecord } = handlersOf(orders);
  const { payment, payment_request } = onRecord ?? {};
  const hear = (status: string, amount = 8_50, id = 'pay_1') => {
    const completed_at = status === 'completed' ? '2026-03-02T15:05:00.000Z' : null;
    const of = { id, payment_request_id: request.id, completed_at };
    const current = { ...of, status, amount } as Payment;
    payment?.(current, undefined as never, undefined);
    if (status === 'completed') on?.['payment.completed']?.({ current } as never, undefined);
  };
  const hearOfCode = (status: string) =>
    payment_request?.({ id: 'pr_1', status } as PaymentRequest, undefined as never, undefined);
  hear('requires_confirmation');
  expect(order.status).toBe('opened');
  return { orders, order, hear, hearOfCode };
}

test('a status that the till does not know leaves the order as it is', () => {
  const { order, hear, hearOfCode } = opened();
  hear('status_of_tomorrow');
  hearOfCode('status_of_tomorrow');
  expect(order.status).toBe('opened');
});

test('a payment that failed gives its code free, and one that completed pays the order', () => {
  const { order, hear } = opened();
  hear('failed');
  expect(order.status).toBe('waiting');
  hear('completed');
  expect(order.status).toBe('paid');
});

test('an unpaid order ends with its code', () => {
  const { order, hearOfCode } = opened();
  hearOfCode('expired');
  expect(order.status).toBe('expired');
});

test('a payment of an earlier code pays its order after a new code was made', () => {
  const { order, hear, hearOfCode } = opened();
  hearOfCode('expired');
  const request = { ...order.request, id: 'pr_2', status: 'open' };
  order.request_ids.push(request.id);
  Object.assign(order, { request, status: 'waiting', payment: null });
  hear('completed');
  expect(order.status).toBe('paid');
});

test('goods are handed out for the amount of the order, and for nothing less', () => {
  const short = opened();
  short.hear('completed', 1);
  expect(short.order).toMatchObject({ status: 'partly_paid', handed_out: 0 });
  short.hear('refunded', 1);
  expect(short.order.status).toBe('refunded');
  const whole = opened();
  whole.hear('completed');
  expect(whole.order).toMatchObject({ status: 'paid', handed_out: 1 });
});

test('money that no order waits for becomes an order of its own, without goods', () => {
  const { orders, order, hear } = opened();
  hear('completed');
  hear('completed', 8_50, 'pay_2');
  expect(order).toMatchObject({ status: 'paid', handed_out: 1, payment: { id: 'pay_1' } });
  const unknown = { amount: 8_50, status: 'paid', handed_out: 0, payment: { id: 'pay_2' } };
  expect(orders.list).toMatchObject([unknown, { number: 1001 }]);
});
