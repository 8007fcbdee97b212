import type { Payment, PaymentRequest, Refund } from '../records.ts';

/** The till's orders. Amounts are cents, times are ISO 8601 on the Tenant's clock. */

export const catalog = [
  { id: 'flat-white', name: 'Flat white', amount: 4_20 },
  { id: 'espresso', name: 'Espresso', amount: 2_80 },
  { id: 'filter', name: 'Filter coffee', amount: 3_50 },
  { id: 'chai', name: 'Chai latte', amount: 4_60 },
  { id: 'croissant', name: 'Croissant', amount: 3_40 },
  { id: 'cinnamon-roll', name: 'Cinnamon roll', amount: 3_90 },
  { id: 'toast', name: 'Avocado toast', amount: 8_50 },
  { id: 'beans', name: 'Beans, 250 g', amount: 14_00 },
] as const;

export interface Line extends Readonly<Record<'id' | 'name', string>> {
  readonly amount: number;
  readonly quantity: number;
}

/** A payment request with its QR code, as the till shows it. */
export interface Code {
  readonly id: string;
  readonly status: PaymentRequest['status'];
  /** Null for the counter's code, which does not expire. */
  readonly expires_at: string | null;
  readonly qr_payload: string;
  /** The code as an image, a `data:` address. */
  readonly image: string;
}

/**
 * `opened`: a customer has scanned the code. `confirming`: confirmed, and the bank processes it.
 * `partly_paid`: less than the order's amount has come, and nothing is handed out.
 */
export type OrderStatus =
  | 'paid'
  | 'expired'
  | 'canceled'
  | 'waiting'
  | 'opened'
  | 'confirming'
  | 'partly_paid'
  | 'partially_refunded'
  | 'refunded';

type Statuses = Readonly<Record<string, OrderStatus | undefined>>;

/** How an order stands by its payment. What is not listed, also a status to come, leaves the order as it is. */
const statusByPayment: Statuses = {
  requires_confirmation: 'opened',
  processing: 'confirming',
  completed: 'paid',
  partially_refunded: 'partially_refunded',
  refunded: 'refunded',
};

/** Whether the payment has ended without success. */
export const hasFailed = (status: Payment['status']): boolean =>
  status === 'failed' || status === 'canceled';

/** How an order without a payment stands by its code. */
export const statusByCode: Statuses = {
  open: 'waiting',
  paid: 'paid',
  expired: 'expired',
  canceled: 'canceled',
};

/** Once its payment request is made, only verified webhooks change an order. */
export interface Order {
  readonly number: number;
  readonly lines: readonly Line[];
  readonly amount: number;
  request: Code;
  /** The requests of all its codes: a payment of an earlier code can complete after a new one was made. */
  readonly request_ids: string[];
  status: OrderStatus;
  payment: Payment | null;
  refunds: readonly Refund[];
  /** How often the coffee was handed out: once, even if events are repeated. */
  handed_out: number;
}

/** Whether all of the order is paid. A payer's app may name less than the code asks for, and the service takes it. */
export const isInFull = (order: Order, payment: Payment): boolean => payment.amount >= order.amount;

/** How the order stands by the payment; undefined leaves it as it is. */
export function statusBy(order: Order, payment: Payment): OrderStatus | undefined {
  const status = statusByPayment[payment.status];
  return status === 'paid' && !isInFull(order, payment) ? 'partly_paid' : status;
}

/** Newest first, in memory: a restart loses them. A real till keeps them in its database. */
export interface Orders {
  readonly list: Order[];
  /** The counter's code, without an amount; null before it was made. */
  counter: Code | null;
  last_number: number;
}

export const newOrders = (): Orders => ({ list: [], counter: null, last_number: 1000 });

/** Taken before anything is waited for: two checkouts at once have two numbers. */
export const takeNumber = (orders: Orders): number => ++orders.last_number;

export function addOrder(
  orders: Orders,
  number: number,
  lines: readonly Line[],
  request: Code,
): Order {
  const order: Order = {
    number,
    lines,
    amount: lines.reduce((sum, { amount, quantity }) => sum + amount * quantity, 0),
    request,
    request_ids: [request.id],
    status: 'waiting',
    payment: null,
    refunds: [],
    handed_out: 0,
  };
  orders.list.unshift(order);
  return order;
}

/** The order that a payment pays: one that is not paid yet. A payment of the counter's code starts a new order. */
export function orderOf(orders: Orders, payment: Payment): Order | undefined {
  const { list, counter } = orders;
  const code = payment.payment_request_id ?? '';
  const known = list.find((order) => order.payment?.id === payment.id);
  if (known) return known;
  if (counter === null || counter.id !== code)
    return list.find((order) => order.request_ids.includes(code) && !order.payment?.completed_at);
  const line = { id: 'counter', name: 'At the counter', amount: payment.amount, quantity: 1 };
  return addOrder(orders, takeNumber(orders), [line], counter);
}

/** An order for money that came without one, such as from a code of before a restart: a person looks into it. */
export function addUnknown(orders: Orders, payment: Payment): void {
  const line = { id: 'unknown', name: 'Unknown order', amount: payment.amount, quantity: 1 };
  const id = payment.payment_request_id ?? '';
  const code = { id, status: 'paid', expires_at: null, qr_payload: '', image: '' };
  const order = addOrder(orders, takeNumber(orders), [line], code);
  Object.assign(order, { payment, status: statusByPayment[payment.status] ?? 'paid' });
}
