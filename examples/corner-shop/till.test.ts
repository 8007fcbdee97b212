import { expect, test } from 'vitest';
import type { Payment, PaymentRequest } from './records.ts';
import { addOrder, type Orders } from './server/orders.ts';
import { handlersOf } from './server/webhooks.ts';

function opened() {
  const orders: Orders = { list: [], counter: null };
  const request = { id: 'pr_1', status: 'open', expires_at: null, qr_payload: 'tps1', image: '' };
  const order = addOrder(orders, [], request);
  const { payment, payment_request } = handlersOf(orders).onRecord ?? {};
  const hear = (status: string) =>
    payment?.(
      { id: 'pay_1', payment_request_id: request.id, status } as Payment,
      undefined as never,
      undefined,
    );
  const hearOfCode = (status: string) =>
    payment_request?.({ id: 'pr_1', status } as PaymentRequest, undefined as never, undefined);
  hear('requires_confirmation');
  expect(order.status).toBe('opened');
  return { order, hear, hearOfCode };
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
