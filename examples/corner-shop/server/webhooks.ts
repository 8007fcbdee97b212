import type { Handlers } from '@tenant-payments/sdk-server';
import type { Payment, PaymentRequest, Refund } from '../records.ts';
import {
  addUnknown,
  hasFailed,
  isInFull,
  type Orders,
  orderOf,
  statusBy,
  statusByCode,
} from './orders.ts';

/** The payment failed or was canceled: its code can be paid again while it is open. */
function releaseCode(orders: Orders, payment: Payment): void {
  const order = orderOf(orders, payment);
  if (order?.payment?.id !== payment.id || !/^(opened|confirming)$/.test(order.status)) return;
  order.payment = payment;
  order.status = statusByCode[order.request.status] ?? order.status;
}

function updateRequest({ list }: Orders, { id, status }: PaymentRequest): void {
  const order = list.find(({ request }) => request.id === id);
  if (!order) return;
  order.request = { ...order.request, status };
  const isUnpaid = order.status === 'waiting' || order.status === 'opened';
  if (isUnpaid && status !== 'open' && status !== 'paid')
    order.status = statusByCode[status] ?? order.status;
}

function updateRefund({ list }: Orders, refund: Refund): void {
  const order = list.find(({ payment }) => payment?.id === refund.payment_id);
  if (order) order.refunds = [...order.refunds.filter(({ id }) => id !== refund.id), refund];
}

function updatePayment(orders: Orders, payment: Payment): void {
  const order = orderOf(orders, payment);
  const status = order && statusBy(order, payment);
  if (hasFailed(payment.status)) releaseCode(orders, payment);
  else if (order && status) Object.assign(order, { payment, status });
}

/**
 * The goods go over the counter once for each payment in full, also where a refund was heard of first. A payment of a
 * code without an order is never passed over; one without a code, such as to the supplier, is none of the till's.
 */
function handOut(orders: Orders, payment: Payment): void {
  const order = orderOf(orders, payment);
  if (order && isInFull(order, payment)) order.handed_out += 1;
  if (!order && payment.payment_request_id !== null) addUnknown(orders, payment);
}

/**
 * The till's handlers of each event. The receiver verifies events, drops repeated ones and keeps earlier states from
 * the handlers of a record.
 */
export const handlersOf = (orders: Orders): Pick<Handlers, 'on' | 'onRecord'> => ({
  onRecord: {
    payment: (payment) => updatePayment(orders, payment),
    payment_request: (request) => updateRequest(orders, request),
    refund: (refund) => updateRefund(orders, refund),
  },
  on: { 'payment.completed': ({ current }) => handOut(orders, current) },
});
