import { useState } from 'preact/hooks';
import { catalog, type Order } from '../../server/orders.ts';
import { callShop } from '../api.ts';
import { Badge, Button, Fault, Panel, Tabs } from '../parts.tsx';
import { dollars, orderOf, useShop, useTask } from '../shop.ts';
import { useTexts } from '../texts/locale.ts';
import { Counter, Day, Supplier } from './desk.tsx';
import { OrderView } from './order.tsx';

type Page = 'sell' | 'orders' | 'counter' | 'day' | 'supplier';

const pages = ['sell', 'orders', 'counter', 'day', 'supplier'] as const;

type Quantities = Readonly<Record<string, number>>;

function Cart(props: { quantities: Quantities; change: (id: string, by: number) => void }) {
  const { texts, goods } = useTexts();
  const { till } = texts;
  const lines = catalog.filter(({ id }) => (props.quantities[id] ?? 0) > 0);
  if (lines.length === 0) return <p class="empty">{till.emptyCart}</p>;
  return (
    <ul class="cart">
      {lines.map(({ id, amount, ...item }) => {
        const name = goods(id, item.name);
        const quantity = props.quantities[id] ?? 0;
        return (
          <li key={id}>
            <span>{name}</span>
            <span class="count-of">
              <button
                type="button"
                aria-label={till.less(name)}
                onClick={() => props.change(id, -1)}
              >
                −
              </button>
              <span>{quantity}</span>
              <button
                type="button"
                aria-label={till.more(name)}
                onClick={() => props.change(id, 1)}
              >
                +
              </button>
            </span>
            <span class="amount">{dollars(amount * quantity)}</span>
          </li>
        );
      })}
    </ul>
  );
}

function Sell() {
  const { texts, goods } = useTexts();
  const { till } = texts;
  const { show } = useShop();
  const { isBusy, fault, run } = useTask();
  const [quantities, setQuantities] = useState<Quantities>({});
  const change = (id: string, by: number) =>
    setQuantities({ ...quantities, [id]: Math.max(0, (quantities[id] ?? 0) + by) });
  const total = catalog.reduce((sum, { id, amount }) => sum + amount * (quantities[id] ?? 0), 0);
  const charge = () =>
    run(async () => {
      show((await callShop<Order>('checkout', { quantities })).number);
      setQuantities({});
    });
  return (
    <div class="sell">
      <ul class="goods">
        {catalog.map(({ id, name, amount }) => (
          <li key={id}>
            <button type="button" onClick={() => change(id, 1)}>
              <span>{goods(id, name)}</span>
              <span class="soft">{dollars(amount)}</span>
            </button>
          </li>
        ))}
      </ul>
      <Cart quantities={quantities} change={change} />
      <Fault fault={fault} />
      <Button isDisabled={total === 0 || isBusy} onClick={charge}>
        {till.charge(total === 0 ? '' : dollars(total))}
      </Button>
    </div>
  );
}

export const toneOf: Readonly<Record<Order['status'], 'good' | 'bad' | 'calm' | 'warning'>> = {
  waiting: 'warning',
  opened: 'warning',
  confirming: 'warning',
  paid: 'good',
  partly_paid: 'bad',
  partially_refunded: 'calm',
  refunded: 'calm',
  expired: 'bad',
  canceled: 'bad',
};

function Orders() {
  const { state, show } = useShop();
  const { texts, words, goods } = useTexts();
  if (state.orders.length === 0) return <p class="empty">{texts.till.noOrders}</p>;
  return (
    <ul class="list">
      {state.orders.map(({ number, amount, status, lines }) => (
        <li key={number}>
          <button type="button" onClick={() => show(number)}>
            <span>
              <strong>#{number}</strong>{' '}
              <span class="soft">
                {lines.map(({ id, name, quantity }) => `${quantity} ${goods(id, name)}`).join(', ')}
              </span>
            </span>
            <span class="amount">{dollars(amount)}</span>
            <Badge tone={toneOf[status]}>{words(status)}</Badge>
          </button>
        </li>
      ))}
    </ul>
  );
}

const bodies = { sell: Sell, orders: Orders, counter: Counter, day: Day, supplier: Supplier };

/** The café's tablet. */
export function Till() {
  const { state, shown, show } = useShop();
  const { texts } = useTexts();
  const [page, setPage] = useState<Page>('sell');
  const order = orderOf(state, shown);
  const Body = bodies[page];
  const choose = (id: Page) => {
    setPage(id);
    show(null);
  };
  return (
    <section class="column till" aria-label={texts.column.till}>
      <div class="device-head">
        <h2 tabIndex={-1}>{state.merchant}</h2>
        <p class="soft">{texts.till.number}</p>
      </div>
      <Tabs
        name="till"
        label={texts.column.till}
        tabs={pages.map((id) => ({ id, label: texts.till.pages[id] }))}
        chosen={page}
        onChoose={choose}
      />
      <Panel name="till" tab={page}>
        {order ? <OrderView order={order} /> : <Body />}
      </Panel>
    </section>
  );
}
