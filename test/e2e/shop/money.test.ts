import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ShopState } from '../../../examples/corner-shop/demo/state.ts';
import type { Code, Order } from '../../../examples/corner-shop/server/orders.ts';
import { createClient, type Payment } from '../../../sdk/server/index.ts';
import { startSandbox } from '../../kit/processes/sandbox.ts';
import { until } from '../../kit/wait.ts';

/** The shop's server and a sandbox, without a browser: the pages are played by their requests. */

const sandbox = await startSandbox();
const { base_url, client_id, client_secret } = sandbox.facts;
const client = createClient({
  baseUrl: base_url,
  clientId: client_id,
  clientSecret: client_secret,
});
const shopUrl = `${base_url.replace('localhost', '127.0.0.1')}/shop`;
afterAll(async () => expect(await sandbox.stop()).toBe(0));

/** The state that pages are sent; the first reader has the shop register its addresses. */
async function stateOf(): Promise<ShopState> {
  const { body } = await fetch(`${shopUrl}/api/stream`);
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!/data: .*\n\n/.test(text)) text += (await reader?.read())?.value ?? '';
  await reader?.cancel();
  return JSON.parse(/data: (.*)\n\n/.exec(text)?.[1] ?? '');
}

async function ask<T>(action: string, input: object = {}): Promise<T> {
  const reply = await fetch(`${shopUrl}/api/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  return (await reply.json()) as T;
}

const orderIs = (number: number, status: Order['status']) =>
  until(
    async () => (await stateOf()).orders.find((o) => o.number === number && o.status === status),
    {
      what: `order ${number} ${status}`,
    },
  );
const checkout = () => ask<Order>('checkout', { quantities: { toast: 1 } });
const scan = ({ qr_payload }: Code, amount: number | null = null) =>
  ask<Payment>('pay', { ref: 'sample-ana', text: qr_payload, source: 'balance', amount });
const confirm = ({ confirmation_session }: Payment) =>
  client.sandbox.simulate('session.completed', { object_id: confirmation_session?.id ?? '' });
const expire = ({ id }: Code) =>
  client.sandbox.simulate('payment_request.expired', { object_id: id });
const idOf = async (ref: string) =>
  (await client.customers.list({ external_ref: ref })).data[0]?.id ?? '';

beforeAll(async () => void (await stateOf()));

test('a new code cancels the payment that was begun with the old one', async () => {
  const { number, request } = await checkout();
  const payment = await scan(request);
  await expire(request);
  await orderIs(number, 'expired');
  const renewed = await ask<Order>('renew', { order: number });
  expect(renewed.request.id).not.toBe(request.id);
  expect((await client.payments.get(payment.id)).status).toBe('canceled');
  await confirm(await scan(renewed.request));
  expect(await orderIs(number, 'paid')).toMatchObject({ handed_out: 1 });
});

test('an order whose old code was paid gets no new code', async () => {
  const { number, request } = await checkout();
  const payment = await scan(request);
  await expire(request);
  await orderIs(number, 'expired');
  await confirm(payment);
  expect(await ask('renew', { order: number })).toMatchObject({ code: 'invalid_state' });
  expect((await orderIs(number, 'paid')).request.id).toBe(request.id);
});

test('a page cannot name the amount of a code that has one, and goods are for all of it', async () => {
  const { request } = await checkout();
  expect(await scan(request, 1)).toMatchObject({ amount: 8_50 });
  const other = await checkout();
  const payment = await client.payments.create({
    payer_customer_id: await idOf('sample-ana'),
    qr_payload: other.request.qr_payload,
    amount: 1,
    source: 'balance',
  });
  await confirm(payment);
  expect(await orderIs(other.number, 'partly_paid')).toMatchObject({ handed_out: 0 });
});

test('two checkouts at once have two numbers', async () => {
  const both = await Promise.all([checkout(), checkout()]);
  const references = await Promise.all(
    both.map(async ({ request }) => (await client.paymentRequests.get(request.id)).order_reference),
  );
  expect(new Set(references).size).toBe(2);
  expect(references).toEqual(both.map(({ number }) => `order-${number}`));
});

test('a payment of a code that the till does not know becomes an order', async () => {
  const code = await client.paymentRequests.create({
    type: 'dynamic',
    merchant_customer_id: await idOf('sample-cafe'),
    amount: 1_11,
    order_reference: randomUUID(),
  });
  const payment = await scan({ ...code, image: '' });
  await confirm(payment);
  const found = await until(async () =>
    (await stateOf()).orders.find((order) => order.payment?.id === payment.id),
  );
  expect(found).toMatchObject({ amount: 1_11, status: 'paid', handed_out: 0 });
});

test('the counter’s printed code is the same one after its key is forgotten', async () => {
  const printed = await ask<Code>('counter');
  await ask('clock', { seconds: 31 * 86_400 });
  expect((await ask<Code>('counter')).id).toBe(printed.id);
  await client.paymentRequests.cancel(printed.id);
  const [first, second] = await Promise.all([ask<Code>('counter'), ask<Code>('counter')]);
  expect(first.id).not.toBe(printed.id);
  expect(second.id).toBe(first.id);
});
