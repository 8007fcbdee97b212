import type { Entry, LedgerCheck } from '../../demo/portal.ts';
import type { Delivery, ShopState } from '../../demo/state.ts';
import type { Order } from '../../server/orders.ts';
import { callShop, openFlow, ShopError } from '../api.ts';
import type { Shop } from '../shop.ts';
import type { Texts } from '../texts/en.ts';
import type { Locale } from '../texts/locale.ts';

/** The tour: each step is one action of the shop's server, and ends when the state shows it. */

/** The records that the earlier steps have made. */
export interface Trail {
  readonly orders: readonly number[];
  /** The ids of the payments that the phone made, in the order of `orders`. */
  readonly payments: readonly string[];
  readonly check: LedgerView | null;
}

export interface LedgerView {
  readonly check: LedgerCheck;
  readonly entries: readonly Entry[];
  /** By account. */
  readonly names: Readonly<Record<string, string>>;
}

type Results = Texts['tour']['results'];

/** The context that a step works with. */
interface Tourist extends Shop {
  /** The language of the hosted pages. */
  readonly locale: Locale;
}

export interface TourStep {
  /** The name of its texts. */
  readonly name: keyof Texts['tour']['steps'];
  readonly column: 'till' | 'phone' | 'inspector';
  readonly run: (shop: Tourist, trail: Trail) => Promise<Partial<Trail>>;
  /** The result that the step has shown; null: not yet. */
  readonly done: (state: ShopState, trail: Trail, results: Results) => string | null;
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

async function payBy(
  { state, person, locale }: Tourist,
  order: Order | undefined,
): Promise<string> {
  const payment = await callShop<Created>('pay', {
    ref: person === 'sample-cleo' ? 'sample-ana' : person,
    text: order?.request.qr_payload ?? '',
    source: 'balance',
  });
  const ended = await openFlow(state.base_url, payment.confirmation_session?.token ?? '', locale);
  if (ended.outcome?.target_status === 'completed') return payment.id;
  throw new ShopError({ code: 'not_confirmed' });
}

async function ringUpAndPay(shop: Tourist, trail: Trail): Promise<Partial<Trail>> {
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
    name: 'order',
    column: 'till',
    run: ringUp,
    done: (state, trail, { order }) => (orderAt(state, trail, 0) ? order : null),
  },
  {
    name: 'pay',
    column: 'phone',
    async run(shop, trail) {
      const payment = await payBy(shop, orderAt(shop.state, trail, 0));
      return { payments: [payment] };
    },
    done: (state, trail, { pay }) => (orderAt(state, trail, 0)?.status === 'paid' ? pay : null),
  },
  {
    name: 'repeat',
    column: 'inspector',
    async run({ state }, { payments }) {
      const [delivery] = deliveriesOf(state, payments[0]);
      await callShop('resend', { id: delivery?.event?.id ?? '' });
      return nothing;
    },
    done: (state, { payments }, { repeat }) =>
      deliveriesOf(state, payments[0]).some(({ outcome }) => outcome === 'duplicate')
        ? repeat
        : null,
  },
  {
    name: 'chaos',
    column: 'inspector',
    async run() {
      await callShop('chaos', { rates: chaosRates });
      return nothing;
    },
    done: (state, _trail, { chaos }) => ((state.chaos?.duplicate ?? 0) > 0 ? chaos : null),
  },
  {
    name: 'buyAgain',
    column: 'till',
    run: ringUpAndPay,
    done(state, trail, { buyAgain }) {
      const order = orderAt(state, trail, 1);
      const twice = deliveriesOf(state, trail.payments[1]);
      return order?.status === 'paid' && twice.length > 1
        ? buyAgain(twice.length, order.handed_out)
        : null;
    },
  },
  {
    name: 'down',
    column: 'inspector',
    async run() {
      await callShop('chaos', { rates: {} });
      await callShop('down', { id: 'down' });
      return nothing;
    },
    done: ({ is_down }, _trail, { down }) => (is_down ? down : null),
  },
  {
    name: 'payDown',
    column: 'phone',
    run: ringUpAndPay,
    done: (state, trail, { payDown }) =>
      trail.payments.length > 2 && state.deliveries[0]?.outcome === 'down' ? payDown : null,
  },
  {
    name: 'up',
    column: 'till',
    async run() {
      await callShop('down', { id: 'up' });
      await callShop('retry');
      return nothing;
    },
    done: (state, trail, { up }) => (orderAt(state, trail, 2)?.status === 'paid' ? up : null),
  },
  {
    name: 'refund',
    column: 'till',
    async run({ state, show, locale }, trail) {
      const order = orderAt(state, trail, 0);
      show(order?.number ?? null);
      const refund = await callShop<Created>('refund', {
        order: order?.number,
        amount: order?.amount,
      });
      await openFlow(state.base_url, refund.confirmation_session?.token ?? '', locale);
      return nothing;
    },
    done: (state, trail, { refund }) =>
      orderAt(state, trail, 0)?.status === 'refunded' ? refund : null,
  },
  {
    name: 'ledger',
    column: 'inspector',
    async run({ state }, trail) {
      const refunds = state.orders.flatMap(({ refunds: all }) => all.map(({ id }) => id));
      const text = [...trail.payments, ...refunds].join(' ');
      return { check: await callShop<LedgerView>('ledger', { text }) };
    },
    done: (_state, { check }, { ledger }) =>
      check?.check.ok ? ledger(check.check.checked.toLocaleString('en-US')) : null,
  },
];
