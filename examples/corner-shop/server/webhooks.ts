import type { EventOf } from '@tenant-payments/sdk-server';
import type { EventType, Payment, PaymentRequest, Refund } from '../records.ts';
import { type Order, type Orders, orderOf } from './orders.ts';

type RecordOf<E extends EventType> = EventOf<E>['data']['object'];
type Handle<E extends EventType> = (orders: Orders, record: RecordOf<E>) => void;

function mark(orders: Orders, payment: Payment, status: Order['status']): Order | undefined {
  const order = orderOf(orders, payment);
  if (order) Object.assign(order, { payment, status });
  return order;
}

/** The payment failed or was canceled: its code can be paid again while it is open. */
function releaseCode(orders: Orders, payment: Payment): void {
  const order = orderOf(orders, payment);
  if (order?.payment?.id !== payment.id || !/^(opened|confirming)$/.test(order.status)) return;
  order.payment = payment;
  order.status = order.request.status === 'open' ? 'waiting' : order.request.status;
}

function updateRequest({ list }: Orders, { id, status }: PaymentRequest): void {
  const order = list.find(({ request }) => request.id === id);
  if (!order) return;
  order.request = { ...order.request, status };
  const isUnpaid = order.status === 'waiting' || order.status === 'opened';
  if (isUnpaid && status !== 'open' && status !== 'paid') order.status = status;
}

function updateRefund({ list }: Orders, refund: Refund): void {
  const order = list.find(({ payment }) => payment?.id === refund.payment_id);
  if (order) order.refunds = [...order.refunds.filter(({ id }) => id !== refund.id), refund];
}

/** What the till does with each event. The receiver verifies events and drops repeated ones. */
export const handlers: { readonly [E in EventType]?: Handle<E> } = {
  'payment.created': (orders, payment) => mark(orders, payment, 'opened'),
  'payment.processing': (orders, payment) => mark(orders, payment, 'confirming'),
  'payment.completed': (orders, payment) => {
    const order = mark(orders, payment, 'paid');
    if (order) order.handed_out += 1;
  },
  'payment.failed': releaseCode,
  'payment.canceled': releaseCode,
  'payment.partially_refunded': (orders, payment) => mark(orders, payment, 'partially_refunded'),
  'payment.refunded': (orders, payment) => mark(orders, payment, 'refunded'),
  'payment_request.paid': updateRequest,
  'payment_request.expired': updateRequest,
  'payment_request.canceled': updateRequest,
  'refund.created': updateRefund,
  'refund.pending_funds': updateRefund,
  'refund.processing': updateRefund,
  'refund.completed': updateRefund,
  'refund.failed': updateRefund,
};
