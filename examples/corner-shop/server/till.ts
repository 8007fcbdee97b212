import { isCode } from '@tenant-payments/sdk-server';
import qrcode from 'qrcode';
import { merchant, supplier } from '../people.ts';
import { type Actions, type Context, idOf } from './context.ts';
import { addOrder, type Code, catalog, hasFailed, type Order, takeNumber } from './orders.ts';

const dayAt = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' });
const dayMs = 86_400_000;

/** A payment request with its QR code as an image, so that the page needs no library. */
export async function withImage(request: Omit<Code, 'image'>): Promise<Code> {
  const svg = await qrcode.toString(request.qr_payload, { type: 'svg' });
  return { ...request, image: `data:image/svg+xml,${encodeURIComponent(svg)}` };
}

/** The merchant's side: each button of the till is a call or two of the SDK. */
export function tillActions(context: Context): Actions {
  const { client, orders } = context;
  const find = (number: number): Order => {
    const order = orders.list.find((each) => each.number === number);
    if (!order) throw new Error(`no order ${number}`);
    return order;
  };
  const requestPayment = async (amount: number, number: number) => {
    const merchant_customer_id = await idOf(context, merchant.ref);
    const order = { amount, order_reference: `order-${number}`, expires_in: 300 };
    const wanted = { type: 'dynamic', merchant_customer_id, ...order } as const;
    return withImage(await client.paymentRequests.create(wanted));
  };
  return {
    async checkout({ quantities }) {
      const lines = catalog
        .map((item) => ({ ...item, quantity: Math.trunc(quantities[item.id] ?? 0) }))
        .filter(({ quantity }) => quantity > 0);
      const amount = lines.reduce((sum, line) => sum + line.amount * line.quantity, 0);
      const number = takeNumber(orders);
      return addOrder(orders, number, lines, await requestPayment(amount, number));
    },
    cancel: ({ order }) => client.paymentRequests.cancel(find(order).request.id),
    async renew({ order: number }) {
      const order = find(number);
      // A customer who has scanned the old code can still confirm: that payment is canceled first. One that is
      // confirmed refuses it (409), and there is no second code to pay.
      const ofOrder = { order_reference: `order-${number}` };
      for await (const { id, status, payment_request_id } of client.payments.list(ofOrder))
        if (order.request_ids.includes(payment_request_id ?? '') && !hasFailed(status))
          await client.payments.cancel(id);
      const request = await requestPayment(order.amount, number);
      order.request_ids.push(request.id);
      return Object.assign(order, { request, status: 'waiting', payment: null });
    },
    refund({ order, amount }) {
      const payment_id = find(order).payment?.id ?? '';
      return client.refunds.create({ payment_id, amount, reason: 'requested_by_customer' });
    },
    async counter() {
      const collection_point = { reference: 'shop-counter', name: 'Corner Shop counter' };
      const merchant_customer_id = await idOf(context, merchant.ref);
      const wanted = { type: 'static', merchant_customer_id, collection_point } as const;
      // The code is printed once, for years, and a key is kept for 30 days: the service is asked for the code first.
      const { data: codes } = await client.paymentRequests.list({
        customer_id: merchant_customer_id,
        collection_point_reference: collection_point.reference,
      });
      const printed = codes.find(({ status }) => status === 'open');
      // Two tills that find none make the same one, by the same key.
      const once = { idempotencyKey: `shop-counter-code-${codes.length + 1}` };
      orders.counter = await withImage(
        printed ?? (await client.paymentRequests.create(wanted, once)),
      );
      return orders.counter;
    },
    async day({ date }) {
      const received = { 'payment.completed': 0, 'refund.completed': 0 };
      const from = new Date(Date.parse(date) - dayMs).toISOString();
      for (const type of ['payment.completed', 'refund.completed'] as const)
        for await (const { data, created_at } of client.webhookEvents.list({ type, from }))
          if ('amount' in data.object && dayAt.format(new Date(created_at)) === date)
            received[type] += data.object.amount ?? 0;
      const report = await client.reports.getReconciliation({ date }).catch((error) => {
        if (isCode(error, 'not_found')) return null;
        throw error;
      });
      return {
        payments: received['payment.completed'],
        refunds: received['refund.completed'],
        report,
      };
    },
    supplier: async ({ amount, text }) =>
      client.payments.create({
        payer_customer_id: await idOf(context, merchant.ref),
        payee_customer_id: await idOf(context, supplier.ref),
        amount,
        source: 'balance',
        invoice_reference: text,
      }),
  };
}
