import type { Entry, LedgerCheck } from '../../demo/portal.ts';
import type { Delivery, ShopState } from '../../demo/state.ts';
import type { Order } from '../../server/orders.ts';
import { callShop, openFlow, ShopError } from '../api.ts';
import type { Shop } from '../shop.ts';

/** The tour: each step is one action of the shop's server, and ends when the state shows it. */

/** What the earlier steps have made. */
export interface Trail {
  readonly orders: readonly number[];
  /** Of the payments that the phone made, in the order of `orders`. */
  readonly payments: readonly string[];
  readonly check: LedgerView | null;
}

export interface LedgerView {
  readonly check: LedgerCheck;
  readonly entries: readonly Entry[];
  /** By account. */
  readonly names: Readonly<Record<string, string>>;
}

export interface TourStep {
  readonly title: string;
  readonly text: string;
  readonly press: string;
  readonly column: 'till' | 'phone' | 'inspector';
  readonly run: (shop: Shop, trail: Trail) => Promise<Partial<Trail>>;
  /** Null: not yet. */
  readonly done: (state: ShopState, trail: Trail) => string | null;
}

const chaosRates = { duplicate: 1, out_of_order: 1, api_503: 0.25, seed: 7 };

const orderAt = ({ orders }: ShopState, trail: Trail, at: number): Order | undefined =>
  orders.find(({ number }) => number === trail.orders[at]);

const deliveriesOf = (
  { deliveries }: ShopState,
  payment: string | undefined,
): readonly Delivery[] =>
  deliveries.filter(
    ({ event }) => event?.record === payment && event?.type === 'payment.completed',
  );

async function ringUp({ show }: Shop, trail: Trail): Promise<Partial<Trail>> {
  const { number } = await callShop<Order>('checkout', { quantities: { 'flat-white': 1 } });
  show(number);
  return { orders: [...trail.orders, number] };
}

interface Created {
  readonly id: string;
  readonly confirmation_session: { readonly token: string } | null;
}

async function payBy({ state, person }: Shop, order: Order | undefined): Promise<string> {
  const payment = await callShop<Created>('pay', {
    ref: person === 'sample-cleo' ? 'sample-ana' : person,
    text: order?.request.qr_payload ?? '',
    source: 'balance',
  });
  const ended = await openFlow(state.base_url, payment.confirmation_session?.token ?? '');
  if (ended.outcome?.target_status === 'completed') return payment.id;
  throw new ShopError({ code: 'not_confirmed', message: 'It was not confirmed. Press again.' });
}

async function ringUpAndPay(shop: Shop, trail: Trail): Promise<Partial<Trail>> {
  const { number, ...order } = await callShop<Order>('checkout', {
    quantities: { 'flat-white': 1 },
  });
  shop.show(number);
  const payment = await payBy(shop, { number, ...order });
  return { orders: [...trail.orders, number], payments: [...trail.payments, payment] };
}

const nothing: Partial<Trail> = {};

export const tourSteps: readonly TourStep[] = [
  {
    title: 'Order a coffee',
    text: 'The till requests $4.20 and shows the payment request as a QR code.',
    press: 'Ring up a flat white',
    column: 'till',
    run: ringUp,
    done: (state, trail) =>
      (orderAt(state, trail, 0) && 'A signed code, valid for five minutes.') || null,
  },
  {
    title: 'Pay',
    text: 'Ana’s phone scans the code. She confirms on a page of the service; her PIN is 284617.',
    press: 'Pay on the phone',
    column: 'phone',
    async run(shop, trail) {
      const payment = await payBy(shop, orderAt(shop.state, trail, 0));
      return { payments: [payment] };
    },
    done: (state, trail) =>
      orderAt(state, trail, 0)?.status === 'paid'
        ? 'The till does not trust the browser: a verified webhook said so.'
        : null,
  },
  {
    title: 'The same event again',
    text: 'Networks repeat messages. Let the service send payment.completed once more.',
    press: 'Send it again',
    column: 'inspector',
    async run({ state }, { payments }) {
      const [delivery] = deliveriesOf(state, payments[0]);
      await callShop('resend', { id: delivery?.event?.id ?? '' });
      return nothing;
    },
    done: (state, { payments }) =>
      deliveriesOf(state, payments[0]).some(({ outcome }) => outcome === 'duplicate')
        ? 'Valid signature, known id: ignored. One coffee was handed out.'
        : null,
  },
  {
    title: 'Chaos',
    text: 'From now on events come twice and out of order, and every fourth call gets a 503.',
    press: 'Turn chaos on',
    column: 'inspector',
    async run() {
      await callShop('chaos', { rates: chaosRates });
      return nothing;
    },
    done: ({ chaos }) =>
      (chaos?.duplicate ?? 0) > 0 ? 'On. Nothing in the shop’s code changes.' : null,
  },
  {
    title: 'Buy again',
    text: 'Another flat white, with all of that. The PIN is still 284617.',
    press: 'Ring up and pay',
    column: 'till',
    run: ringUpAndPay,
    done(state, trail) {
      const order = orderAt(state, trail, 1);
      const twice = deliveriesOf(state, trail.payments[1]);
      return order?.status === 'paid' && twice.length > 1
        ? `Received ${twice.length} times, and still one order and ${order.handed_out} coffee.`
        : null;
    },
  },
  {
    title: 'The shop goes down',
    text: 'Chaos off. Now the shop’s webhook handler stops: it answers 503 to everything.',
    press: 'Stop the handler',
    column: 'inspector',
    async run() {
      await callShop('chaos', { rates: {} });
      await callShop('down', { id: 'down' });
      return nothing;
    },
    done: ({ is_down }) => (is_down ? 'Down. Payments go on without it.' : null),
  },
  {
    title: 'Pay while it is down',
    text: 'The customer pays as usual. The till does not know it yet.',
    press: 'Ring up and pay',
    column: 'phone',
    run: ringUpAndPay,
    done: (state, trail) =>
      trail.payments.length > 2 && state.deliveries[0]?.outcome === 'down'
        ? 'Paid at the service, still waiting at the till. The service will send the event again.'
        : null,
  },
  {
    title: 'Back up',
    text: 'Start the handler, and move the sandbox’s clock to the next attempt.',
    press: 'Start it and move the clock',
    column: 'till',
    async run() {
      await callShop('down', { id: 'up' });
      await callShop('retry');
      return nothing;
    },
    done: (state, trail) =>
      orderAt(state, trail, 2)?.status === 'paid' ? 'The order completed by itself.' : null,
  },
  {
    title: 'Refund',
    text: 'The first coffee was cold. The café confirms with its own PIN: 284617 too.',
    press: 'Refund $4.20',
    column: 'till',
    async run({ state, show }, trail) {
      const order = orderAt(state, trail, 0);
      show(order?.number ?? null);
      const refund = await callShop<Created>('refund', {
        order: order?.number,
        amount: order?.amount,
      });
      await openFlow(state.base_url, refund.confirmation_session?.token ?? '');
      return nothing;
    },
    done: (state, trail) =>
      orderAt(state, trail, 0)?.status === 'refunded'
        ? 'Back with Ana, after the fee rules of refunds.'
        : null,
  },
  {
    title: 'Check the ledger',
    text: 'Every cent of the tour is in the ledger. Check all of it.',
    press: 'Check the ledger',
    column: 'inspector',
    async run({ state }, trail) {
      const refunds = state.orders.flatMap(({ refunds: all }) => all.map(({ id }) => id));
      const text = [...trail.payments, ...refunds].join(' ');
      return { check: await callShop<LedgerView>('ledger', { text }) };
    },
    done: (_state, { check }) =>
      check?.check.ok
        ? `It sums to zero. ${check.check.checked.toLocaleString('en-US')} rows were checked, and every rule holds.`
        : null,
  },
];
