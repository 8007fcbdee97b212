import { getClock } from '@tenant-payments/contract/portal/clock.ts';
import type { Account } from '@tenant-payments/contract/resources/accounts.ts';
import type { PaymentRequest } from '@tenant-payments/contract/resources/payment_requests.ts';
import type { Payment } from '@tenant-payments/contract/resources/payments.ts';
import type { Flow, Target } from '@tenant-payments/contract/resources/sessions.ts';
import { type Client, isCode } from '@tenant-payments/sdk-server';
import qrcode from 'qrcode';
import {
  type Asked,
  type Code,
  catalogue,
  type Line,
  type Order,
  type ShopState,
} from './state.ts';
import type { Orders } from './webhooks.ts';

/**
 * What the shop does with the service: the till's half and the customer's app's half. Every answer
 * goes to the page; what is paid, only webhooks say (webhooks.ts).
 */

/** The page's words; whatever has another shape the service refuses. */
export interface Input {
  readonly ref: string;
  readonly id: string;
  readonly amount: number;
  readonly order: number;
  readonly quantities: Readonly<Record<string, number>>;
  readonly text: string;
  readonly date: string;
  readonly source: Payment['source'];
  readonly flow: Flow;
  readonly target: Target | null;
  readonly account: string | null;
  readonly event: Parameters<Client['sandbox']['simulate']>[0];
  readonly failure_code: string | null;
  readonly seconds: number;
  readonly rates: Readonly<Record<string, number>>;
}

const cafe = 'sample-cafe';
const supplier = 'sample-books';

/** A code's dark modules as strokes one module wide: a page draws them without a library. */
export function codeOf(payload: string): Code {
  const { size, data } = qrcode.create(payload, { errorCorrectionLevel: 'M' }).modules;
  const rows = Array.from({ length: size }, (_, y) =>
    data.slice(y * size, (y + 1) * size).join(''),
  );
  const path = rows.map((row, y) =>
    [...row.matchAll(/1+/g)].map(({ 0: run, index }) => `M${index} ${y}.5h${run.length}`).join(''),
  );
  return { payload, size, path: path.join('') };
}

const asked = ({ id, status, expires_at, qr_payload }: PaymentRequest): Asked => ({
  id,
  status,
  expires_at,
  code: codeOf(qr_payload),
});

/** The orders of this till, which a restart forgets: a real one keeps them in its database. */
export function openOrders(state: ShopState) {
  const add = (lines: readonly Line[], amount: number, request: Asked): Order => {
    const number = 1001 + state.orders.length;
    const fresh = { payment: null, refunds: [], handed_out: 0, status: 'waiting' } as const;
    const order: Order = { number, lines, amount, request, ...fresh };
    state.orders.unshift(order);
    return order;
  };
  const orders: Orders = {
    ofRequest: (id) => state.orders.find(({ request }) => request.id === id),
    ofPayment(payment) {
      const known = state.orders.find((order) => order.payment?.id === payment.id);
      if (known) return known;
      const { counter: code } = state;
      if (code === null || code.id !== payment.payment_request_id)
        return state.orders.find(({ request }) => request.id === payment.payment_request_id);
      const line = { id: 'counter', name: 'At the counter', amount: payment.amount, quantity: 1 };
      return add([line], payment.amount, code);
    },
    ofRefund: ({ payment_id }) => state.orders.find((order) => order.payment?.id === payment_id),
  };
  return { add, orders };
}

export interface Around {
  readonly client: Client;
  readonly state: ShopState;
  readonly add: ReturnType<typeof openOrders>['add'];
  readonly shopUrl: string;
}

export type Verb = (input: Input) => Promise<unknown>;

const customersOf =
  ({ client }: Around) =>
  async (ref: string) => {
    const [customer] = (await client.customers.list({ external_ref: ref })).data;
    if (!customer) throw new Error(`the sandbox has no ${ref}`);
    return customer;
  };

/** The café's side. */
export function openTill(around: Around): Record<string, Verb> {
  const { client, state, add } = around;
  const customer = customersOf(around);
  const named = (number: number): Order => {
    const order = state.orders.find((each) => each.number === number);
    if (!order) throw new Error(`no order ${number}`);
    return order;
  };
  const ask = async (amount: number, reference: string) =>
    asked(
      await client.paymentRequests.create({
        type: 'dynamic',
        merchant_customer_id: (await customer(cafe)).id,
        amount,
        order_reference: reference,
        expires_in: 300,
      }),
    );
  return {
    async checkout({ quantities }) {
      const lines = catalogue
        .map((item) => ({ ...item, quantity: Math.trunc(quantities[item.id] ?? 0) }))
        .filter(({ quantity }) => quantity > 0);
      const amount = lines.reduce((sum, line) => sum + line.amount * line.quantity, 0);
      return add(lines, amount, await ask(amount, `order-${1001 + state.orders.length}`));
    },
    cancel: async ({ order }) => client.paymentRequests.cancel(named(order).request.id),
    async renew({ order: number }) {
      const order = named(number);
      order.request = await ask(order.amount, `order-${number}`);
      order.status = 'waiting';
      return order;
    },
    refund: async ({ order, amount }) =>
      client.refunds.create({
        payment_id: named(order).payment?.id ?? '',
        amount,
        reason: 'requested_by_customer',
      }),
    async counter() {
      // The same key gives the same code again: the one on the counter is printed once.
      state.counter ??= asked(
        await client.paymentRequests.create(
          {
            type: 'static',
            merchant_customer_id: (await customer(cafe)).id,
            collection_point: { reference: 'shop-counter', name: 'Corner Shop counter' },
          },
          { idempotencyKey: 'shop-counter-code' },
        ),
      );
      return state.counter;
    },
    async day({ date }) {
      const heard = { payments: 0, refunds: 0 };
      const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' });
      const from = new Date(Date.parse(`${date}T00:00:00Z`) - 86_400_000).toISOString();
      for (const [type, sum] of [
        ['payment.completed', 'payments'],
        ['refund.completed', 'refunds'],
      ] as const)
        for await (const { data, created_at } of client.webhookEvents.list.each({ type, from }))
          if (day.format(new Date(created_at)) === date)
            heard[sum] += 'amount' in data.object ? Number(data.object.amount) : 0;
      const report = await client.reports.reconciliation({ date }).catch((error) => {
        if (isCode(error, 'not_found')) return null;
        throw error;
      });
      return { heard, report };
    },
    supplier: async ({ amount, text }) =>
      client.payments.create({
        payer_customer_id: (await customer(cafe)).id,
        payee_customer_id: (await customer(supplier)).id,
        amount,
        source: 'balance',
        invoice_reference: text,
      }),
  };
}

/** The customer's app: what a wallet of the tenant's own would ask its server. */
export function openPhone(around: Around): Record<string, Verb> {
  const { client, shopUrl } = around;
  const customer = customersOf(around);
  const idOf = async (ref: string) => (await customer(ref)).id;
  const moneyOf = async ({ id }: Account) => ({
    balance: await client.accounts.balance(id),
    transactions: (await client.accounts.transactions(id, { limit: 12 })).data,
  });
  return {
    async wallet({ ref }) {
      const person = await customer(ref);
      const [{ data: links }, { data: documents }, { data: accounts }] = await Promise.all([
        client.linkedAccounts.list(person.id),
        client.customers.listDocuments(person.id),
        client.accounts.list({ customer_id: person.id }),
      ]);
      const [account = null] = accounts;
      const bank = links.find(({ status }) => !['failed', 'removed'].includes(status)) ?? null;
      const money = account && (await moneyOf(account));
      return { customer: person, account, ...money, bank, last_link: links[0] ?? null, documents };
    },
    flow: async ({ ref, flow, target }) =>
      client.sessions.create({ flow, customer_id: await idOf(ref), target, return_url: shopUrl }),
    exchange: async ({ text }) => client.sessions.exchange({ result_token: text }),
    pay: async ({ ref, text, amount, source }) =>
      client.payments.create({
        payer_customer_id: await idOf(ref),
        qr_payload: text,
        ...(amount ? { amount } : {}),
        source,
      }),
    load: async ({ ref, amount }) => client.loads.create({ customer_id: await idOf(ref), amount }),
    withdraw: async ({ ref, amount }) =>
      client.withdrawals.create({ customer_id: await idOf(ref), amount }),
    'link-token': async ({ ref }) =>
      client.linkTokens.create(await idOf(ref), { platform: 'web', redirect_uri: shopUrl }),
    link: async ({ ref, text, account }) =>
      client.linkedAccounts.create(await idOf(ref), {
        public_token: text,
        aggregator_account_id: account,
      }),
    unlink: async ({ ref, id }) => client.linkedAccounts.remove(await idOf(ref), id),
    async dispute({ ref, id, text }) {
      const { now } = (await client.request(getClock)).data;
      return client.disputes.create({
        customer_id: await idOf(ref),
        type: 'purchase_dispute',
        payment_id: id,
        description: text,
        notice_received_at: now,
      });
    },
  };
}
