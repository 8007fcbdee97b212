import type { EventType, RecordOfEvent } from '@tenant-payments/contract/catalog.ts';
import type { PaymentRequest } from '@tenant-payments/contract/resources/payment_requests.ts';
import type { Payment } from '@tenant-payments/contract/resources/payments.ts';
import type { Refund } from '@tenant-payments/contract/resources/refunds.ts';
import { type Order, type Orders, orderOf } from './orders.ts';

type Handle<E extends EventType> = (orders: Orders, record: RecordOfEvent<E>) => void;

function seen(orders: Orders, payment: Payment, status: Order['status']): Order | undefined {
  const order = orderOf(orders, payment);
  if (order) Object.assign(order, { payment, status });
  return order;
}

/** The payment came to nothing: its code is good again, as long as it is open. */
function freed(orders: Orders, payment: Payment): void {
  const order = orderOf(orders, payment);
  if (order?.payment?.id !== payment.id || !/^(opened|confirming)$/.test(order.status)) return;
  order.payment = payment;
  order.status = order.request.status === 'open' ? 'waiting' : order.request.status;
}

function ended({ list }: Orders, { id, status }: PaymentRequest): void {
  const order = list.find(({ request }) => request.id === id);
  if (!order) return;
  order.request = { ...order.request, status };
  const isAsking = order.status === 'waiting' || order.status === 'opened';
  if (isAsking && status !== 'open' && status !== 'paid') order.status = status;
}

function refunded({ list }: Orders, refund: Refund): void {
  const order = list.find(({ payment }) => payment?.id === refund.payment_id);
  if (order) order.refunds = [...order.refunds.filter(({ id }) => id !== refund.id), refund];
}

/** All that the till does with an event. The receiver has verified it, and calls once for each. */
export const handlers: { readonly [E in EventType]?: Handle<E> } = {
  'payment.created': (orders, payment) => seen(orders, payment, 'opened'),
  'payment.processing': (orders, payment) => seen(orders, payment, 'confirming'),
  'payment.completed': (orders, payment) => {
    const order = seen(orders, payment, 'paid');
    if (order) order.handed_out += 1;
  },
  'payment.failed': freed,
  'payment.canceled': freed,
  'payment.partially_refunded': (orders, payment) => seen(orders, payment, 'partially_refunded'),
  'payment.refunded': (orders, payment) => seen(orders, payment, 'refunded'),
  'payment_request.paid': ended,
  'payment_request.expired': ended,
  'payment_request.canceled': ended,
  'refund.created': refunded,
  'refund.pending_funds': refunded,
  'refund.processing': refunded,
  'refund.completed': refunded,
  'refund.failed': refunded,
};
