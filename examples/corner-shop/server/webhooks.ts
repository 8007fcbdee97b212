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

/** A completed payment of a code is never passed over; one without a code, to the supplier, is none of the till's. */
function updatePayment(orders: Orders, payment: Payment): void {
  const order = orderOf(orders, payment);
  const status = order && statusBy(order, payment);
  if (hasFailed(payment.status)) releaseCode(orders, payment);
  else if (order && status) Object.assign(order, { payment, status });
  else if (!order && payment.completed_at && payment.payment_request_id)
    addUnknown(orders, payment);
}

/** Known goods go over the counter once for each payment in full, also where a refund was heard of first. */
function handOut(orders: Orders, payment: Payment): void {
  const order = orderOf(orders, payment);
  if (order && order.lines[0]?.id !== 'unknown' && isInFull(order, payment)) order.handed_out += 1;
}

/** The till's handlers. The receiver verifies events, drops repeated ones, and keeps earlier states from `onRecord`. */
export const handlersOf = (orders: Orders): Pick<Handlers, 'on' | 'onRecord'> => ({
  onRecord: {
    payment: (payment) => updatePayment(orders, payment),
    payment_request: (request) => updateRequest(orders, request),
    refund: (refund) => updateRefund(orders, refund),
  },
  on: { 'payment.completed': ({ current }) => handOut(orders, current) },
});
