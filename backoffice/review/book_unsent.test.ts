import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { expect, test } from 'vitest';
import { openBankSays } from '../../test/kit/bank/bank_says.ts';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { uuid } from '../../test/kit/ids.ts';
import { refusalOf } from '../../test/kit/refusal.ts';
import { openServer } from '../../test/kit/server.ts';

/** Transfers that were executed for another amount, and payments of the same amount (rules/bank-orders#27). */

const server = await openServer({ manual: true, onLog: () => {}, bank: { take: async () => {} } });
const { api, engine } = server;
const { say, come } = openBankSays(server);

const review = (resource: string, id: string, move: string, body: object = {}) =>
  api.post(`/portal/api/review/${resource}/${id}/${move}`, body);

/** The bank settles it for another amount, which a reviewer books. */
async function bookOther(source: string, amount: number): Promise<void> {
  expect(await say(source, { outcome: 'settled', amount })).toBe('amount_mismatch');
  await bookMessage(source);
}

async function bookMessage(source: string): Promise<void> {
  const [message] = await engine.query(
    `select id from bank_messages where tenant_id = $1 and source_id = $2 and status = 'open'`,
    source,
  );
  await review('bank-messages', publicId('bank_message', message.id), 'book');
}

const inSuspense = (source: string) =>
  engine.query<{ id: string; amount: number; status: string }>(
    `select id, amount, status from suspense where tenant_id = $1 and (source_id = $2 or source_id in
      (select id from bank_messages where tenant_id = $1 and source_id = $2)) order by id`,
    source,
  );

const cash = async (): Promise<number> =>
  (
    await engine.query(
      `select coalesce(-sum(delta), 0)::int as cents from entries where tenant_id = $1 and pocket = 'cash'`,
    )
  )[0].cents;

/** A withdrawal of $2.00 by someone with $5.00. */
async function withdrawn() {
  const ben = await api.funded('individual', 5_00);
  const made: ReplyBody = await api.confirmed(api.withdraw(ben, 2_00));
  return { ben, source: uuid('withdrawal', made.id) };
}

test.each([
  ['of the order', (source: string) => say(source, { outcome: 'returned', amount: 1_00 })],
  ['as a payment', (source: string) => come(source, 1_00)],
] as const)(
  'half of a withdrawal that was sent and comes back, which the bank tells %s, is its holder’s beside the half that was not sent',
  async (_how, sendBack) => {
    const { ben, source } = await withdrawn();
    await bookOther(source, 1_00);
    expect((await api.balance(ben)).available).toBe(4_00);
    expect(await sendBack(source)).toBe('taken');
    expect((await api.balance(ben)).available).toBe(5_00);
    expect(await say(source, { outcome: 'returned', amount: 1_00 })).toBe('known');
    await server.prove();
  },
);

test('money that named an order before a settlement of the same amount was booked leaves what was not sent', async () => {
  const { ben, source } = await withdrawn();
  expect(await come(source, 1_00)).toBe('unmatched');
  await bookOther(source, 1_00);
  expect(await inSuspense(source)).toMatchObject([
    { amount: 1_00, status: 'held' },
    { amount: 1_00, status: 'matched' },
  ]);
  expect((await api.balance(ben)).available).toBe(4_00);
  await server.prove();
});

/** A refund of $2.00. */
async function refunded() {
  const ana = await api.banked('individual');
  const shop = await api.funded('business', 5_00);
  const payment = await api.confirmed(api.payByBank(ana, shop, 2_00));
  await api.simulate('payment.completed', payment.id);
  const refund = await api.confirmed(api.refund(payment, 2_00));
  return { source: uuid('refund', refund.id) };
}

/** $2.00 that came late, on their way back from suspense. */
async function sentBack() {
  const load = await api.confirmed(api.load(await api.banked('individual'), 2_00));
  await api.simulate('load.failed', load.id);
  await api.simulate('load.paid_late', load.id);
  const [item = { id: '' }] = await inSuspense(uuid('load', load.id));
  await review('suspense', publicId('adjustment', item.id), 'return');
  return { source: item.id };
}

test.each([
  ['withdrawal', withdrawn],
  ['refund', refunded],
  ['return from suspense', sentBack],
] as const)(
  'half of a %s that comes back before it is booked that only this half was sent waits, and both halves are there',
  async (_what, ordered) => {
    const { source } = await ordered();
    const before = await cash();
    expect(await say(source, { outcome: 'settled', amount: 1_00 })).toBe('amount_mismatch');
    expect(await say(source, { outcome: 'returned', amount: 1_00 })).toBe('unmatched');
    expect(await say(source, { outcome: 'returned', amount: 1_00 })).toBe('known');
    await bookMessage(source);
    expect((await inSuspense(source)).map(({ amount }) => amount)).toEqual([1_00, 1_00]);
    expect(await cash()).toBe(before);
    await server.prove();
  },
);

test.each([
  ['withdrawal', withdrawn],
  ['refund', refunded],
  ['return from suspense', sentBack],
] as const)(
  'a part of a %s that comes back before the bank says that less was sent leaves the books equal once that is booked',
  async (_what, ordered) => {
    const { source } = await ordered();
    const before = await cash();
    await say(source, { outcome: 'returned', amount: 50 });
    expect((await cash()) - before).toBe(-1_50);
    await bookOther(source, 1_60);
    expect((await cash()) - before).toBe(-1_10);
    expect((await inSuspense(source)).map(({ amount }) => amount)).toEqual([50, 40]);
    expect(await say(source, { outcome: 'settled', amount: 1_60 })).toBe('known');
    await server.prove();
  },
);

test('a part of a withdrawal that comes back before the bank says that more was sent is its holder’s, and the reserve bears the rest', async () => {
  const { ben, source } = await withdrawn();
  const before = await cash();
  expect(await say(source, { outcome: 'returned', amount: 50 })).toBe('taken');
  await bookOther(source, 2_10);
  expect((await cash()) - before).toBe(-1_60);
  expect((await api.balance(ben)).available).toBe(3_50);
  await server.prove();
});

test('once the bank has said that a withdrawal was sent whole, another amount is not booked', async () => {
  const { source } = await withdrawn();
  await say(source, { outcome: 'returned', amount: 50 });
  expect(await say(source, { outcome: 'settled', amount: 1_60 })).toBe('amount_mismatch');
  const before = await cash();
  expect(await say(source, { outcome: 'settled', amount: 2_00 })).toBe('known');
  expect(await refusalOf(bookMessage(source))).toMatchObject({
    details: { reason: 'nothing_to_book' },
  });
  expect(await cash()).toBe(before);
  await server.prove();
});

test('what was not sent shows the bank’s reference of its message', async () => {
  const { source } = await refunded();
  await bookOther(source, 1_00);
  const [message] = await engine.query(
    'select reference, suspense_id from bank_messages where tenant_id = $1 and source_id = $2',
    source,
  );
  const id = publicId('adjustment', message.suspense_id);
  const { record, references } = await api.get(`/portal/api/unmatched-money/${id}`);
  expect(record).toMatchObject({ amount: 1_00, status: 'held' });
  expect(references).toEqual([message.reference]);
});

test('both halves of a refund go back from suspense, each by an order of its own', async () => {
  const { source } = await refunded();
  await bookOther(source, 1_00);
  expect(await say(source, { outcome: 'returned', amount: 1_00 })).toBe('unmatched');
  const held = await inSuspense(source);
  expect(held.map(({ amount }) => amount)).toEqual([1_00, 1_00]);
  for (const { id } of held) await review('suspense', publicId('adjustment', id), 'return');
  expect((await inSuspense(source)).map(({ status }) => status)).toEqual(['returned', 'returned']);
  await server.prove();
});

/** The reserve asks for $1.00. */
async function asked() {
  const { id } = await review('reserve', 'reserve', 'fund', { amount: 1_00, note: 'more' });
  return uuid('adjustment', id);
}

const other = { outcome: 'settled', amount: 1_60 } as const;

test.each([
  ['order first', async (source: string) => [await say(source, other), await come(source, 1_60)]],
  ['payment first', async (source: string) => [await come(source, 1_60), await say(source, other)]],
] as const)(
  'money for the reserve of another amount, of which the bank tells the %s, ends its order when it is booked',
  async (_what, tell) => {
    const before = await cash();
    const source = await asked();
    expect(await tell(source)).toEqual(['amount_mismatch', 'amount_mismatch']);
    await bookMessage(source);
    expect((await cash()) - before).toBe(1_60);
    const [order] = await engine.query(
      'select answer from instructions where tenant_id = $1 and source_id = $2',
      source,
    );
    expect(order.answer).toBe('settled');
    // Another payment is another sum.
    expect(await come(source, 1_60)).toBe('unmatched');
    expect((await cash()) - before).toBe(3_20);
    await server.prove();
  },
);

test('a payment of what was ordered for the reserve is in suspense where another amount has ended the order', async () => {
  const before = await cash();
  const source = await asked();
  await bookOther(source, 1_60);
  expect(await come(source, 1_00)).toBe('unmatched');
  expect((await cash()) - before).toBe(2_60);
  await server.prove();
});

test.each([
  ['by its own amount', { outcome: 'settled', amount: 1_00 }, 2_60],
  ['without any', { outcome: 'failed', reason: 'AC04' }, 1_60],
] as const)(
  'money of another amount that named an order for the reserve is in suspense once that has ended %s',
  async (_what, end, moved) => {
    const before = await cash();
    const source = await asked();
    expect(await come(source, 1_60)).toBe('amount_mismatch');
    expect(await say(source, end)).toBe('taken');
    expect((await cash()) - before).toBe(moved);
    await server.prove();
  },
);
