import { createServer } from 'node:http';
import { createReceiver } from '@tenant-payments/sdk-server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { addOrder, newOrders, takeNumber } from '../../../examples/corner-shop/server/orders.ts';
import { openShop } from '../../../examples/corner-shop/server/server.ts';
import { listening } from '../../../test/kit/http/listening.ts';
import { openReceiver, type Parts, right } from '../../../test/kit/receivers/right.ts';
import { wrongReceivers } from '../../../test/kit/receivers/wrong.ts';
import { check, type Row } from './check.ts';
import { mostRequests } from './commands.ts';
import { duties } from './duties/all.ts';
import { openPlay, type Target } from './play.ts';

const secrets = ['whsec_old', 'whsec_new'];

interface Given extends Partial<Target> {
  readonly url: string;
}

/** Plays every duty. @returns what was found, and how much was sent */
async function played(given: Given) {
  const play = openPlay({
    secrets,
    headers: {},
    seed: 'test',
    settings: [],
    failing: null,
    limitMs: 10_000,
    state: null,
    effectMs: 200,
    quietMs: 10,
    ...given,
  });
  const rows: Row[] = [];
  for await (const row of check(play, duties)) rows.push(row);
  const having = (asked: Row['verdict']) =>
    rows.filter(({ verdict }) => verdict === asked).map(({ id }) => id);
  const why = rows.filter(({ verdict }) => verdict === 'fail').map(({ reason }) => reason);
  return {
    why: why.join('\n'),
    failed: having('fail'),
    hidden: having('not_shown'),
    requests: play.count(),
  };
}

async function playedParts(parts: Partial<Parts>, limitMs = 10_000) {
  const { url, state } = await openReceiver({ ...right, secrets, ...parts });
  return played({ url, limitMs, state, failing: 'description=broken' });
}

/** The duties that no request can show, and those that plain http cannot. */
const alwaysHidden = ['certificate', 'catches-up', 'constant-time', 'asks-again-for-files'];

test('a receiver that keeps every duty is told so', async () => {
  const { failed, hidden, requests } = await playedParts({});
  expect([failed, hidden]).toEqual([[], alwaysHidden]);
  expect(requests).toBeLessThanOrEqual(mostRequests);
});

test.each(wrongReceivers)(
  'a receiver that $does breaks $fails',
  async ({ parts, fails, limitMs }) => {
    const { why, failed } = await playedParts(parts, limitMs);
    expect(failed, why).toEqual(fails);
  },
);

test('without --state, what has no effect is not shown', async () => {
  const { url } = await openReceiver({ ...right, secrets });
  const { failed, hidden } = await played({ url });
  const effects = ['duplicate-no-effect', 'overtaken', 'failed-effect'];
  expect([failed, hidden]).toEqual([[], expect.arrayContaining(effects)]);
});

test('a state that changes by itself, or shows nothing of the events, shows nothing', async () => {
  const { url } = await openReceiver({ ...right, secrets });
  let reads = 0;
  const restless = await played({ url, state: async () => `read ${++reads}` });
  const silent = await played({ url, state: async () => 'nothing' });
  for (const { failed, hidden } of [restless, silent])
    expect([failed, hidden]).toEqual([[], expect.arrayContaining(['duplicate-no-effect'])]);
});

test('an effect that comes after the answer may fail unseen, and breaks failed-effect', async () => {
  const { url, state } = await openReceiver({ ...right, secrets, effectAfterMs: 15 });
  const { failed } = await played({ url, state, effectMs: 250, quietMs: 100 });
  expect(failed).toEqual(['failed-effect']);
});

test("the SDK's receiver keeps every duty", async () => {
  const handled: string[] = [];
  const { nodeHandler } = createReceiver({
    secrets,
    // In which state what has no version may be is for the handler to say (rules/webhooks#31).
    onEvent: ({ id, type }) => type.startsWith('payment.') && handled.push(id),
    onFailure: () => {},
  });
  const url = await listening(createServer(nodeHandler()));
  const { why, failed, hidden } = await played({ url, state: async () => handled.join() });
  expect(failed, why).toEqual([]);
  expect(hidden).not.toContain('overtaken');
});

test('Corner Shop keeps every duty, with an order that the events pay', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => void vi.restoreAllMocks());
  const orders = newOrders();
  const code = {
    id: 'pr_1001',
    status: 'open',
    expires_at: null,
    qr_payload: '',
    image: '',
  } as const;
  addOrder(orders, takeNumber(orders), [], code);
  const context = { client: {} as never, orders, shopUrl: '', now: () => new Date() };
  const [secret = ''] = secrets;
  const app = openShop(context, secret);
  onTestFinished(() => app.close());
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  const { why, failed, hidden } = await played({
    url: `${origin}/shop/webhooks`,
    secrets: [secret],
    settings: ['payment_request_id=pr_1001'],
    // The order of the payment: a later one of the same code has an order of its own.
    state: async () => JSON.stringify({ ...orders.list[0], number: null }),
  });
  expect(failed, why).toEqual([]);
  expect(hidden).not.toContain('duplicate-no-effect');
  expect(hidden).not.toContain('overtaken');
});

test('every duty has a name of its own, and stands behind those that it needs', () => {
  const ids = duties.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [i, { needs }] of duties.entries())
    for (const need of needs) expect(ids.slice(0, i)).toContain(need);
});

test('every rule about receivers has a duty', () => {
  const rules = new Set(duties.map(({ rule }) => rule));
  const webhooks = [2, 9, 11, 12, 13, 16, 20, 23, 29, 30, 31, 32].map((n) => `rules/webhooks#${n}`);
  const events = [4, 5, 8, 12].map((n) => `rules/events#${n}`);
  expect([...webhooks, ...events].filter((rule) => !rules.has(rule))).toEqual([]);
});
