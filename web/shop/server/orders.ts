import type { Payment } from '@tenant-payments/contract/resources/payments.ts';
import type { Refund } from '@tenant-payments/contract/resources/refunds.ts';

/** What the till knows. Amounts are cents, times are ISO 8601 on the tenant's clock. */

export const catalogue = [
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

/** A payment request, as far as the till shows it. */
export interface Asked {
  readonly id: string;
  readonly status: 'open' | 'paid' | 'expired' | 'canceled';
  /** Null at the counter. */
  readonly expires_at: string | null;
  readonly qr_payload: string;
  /** The code as an image, a `data:` address. */
  readonly image: string;
}

/** `opened`: a customer has the code before them. `confirming`: it is confirmed, the bank is at it. */
export type OrderStatus =
  | Exclude<Asked['status'], 'open'>
  | 'waiting'
  | 'opened'
  | 'confirming'
  | 'partially_refunded'
  | 'refunded';

/** Changed by verified webhooks alone, once the till has asked for the money. */
export interface Order {
  readonly number: number;
  readonly lines: readonly Line[];
  readonly amount: number;
  request: Asked;
  status: OrderStatus;
  payment: Payment | null;
  refunds: readonly Refund[];
  /** How often the coffee was handed out: once, whatever comes twice. */
  handed_out: number;
}

/** Newest first. A restart forgets them: a real till keeps them in its database. */
export interface Orders {
  readonly list: Order[];
  /** The code without an amount, once it has been printed. */
  counter: Asked | null;
}

export const nextNumber = ({ list }: Orders): number => 1001 + list.length;

export function addOrder(orders: Orders, lines: readonly Line[], request: Asked): Order {
  const order: Order = {
    number: nextNumber(orders),
    lines,
    amount: lines.reduce((sum, { amount, quantity }) => sum + amount * quantity, 0),
    request,
    status: 'waiting',
    payment: null,
    refunds: [],
    handed_out: 0,
  };
  orders.list.unshift(order);
  return order;
}

/** The order that a payment pays; one at the counter's code begins an order of its own. */
export function orderOf(orders: Orders, payment: Payment): Order | undefined {
  const { list, counter } = orders;
  const known = list.find((order) => order.payment?.id === payment.id);
  if (known || counter === null || counter.id !== payment.payment_request_id)
    return known ?? list.find(({ request }) => request.id === payment.payment_request_id);
  const line = { id: 'counter', name: 'At the counter', amount: payment.amount, quantity: 1 };
  return addOrder(orders, [line], counter);
}
