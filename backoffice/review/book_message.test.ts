import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { expect, test } from 'vitest';
import { openBankSays } from '../../test/kit/bank/bank_says.ts';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { uuid } from '../../test/kit/ids.ts';
import { refusalOf } from '../../test/kit/refusal.ts';
import { openServer } from '../../test/kit/server.ts';

/** Transfers that the bank executed after it had said that they failed, or for another amount (rules/bank-orders#27). */

const server = await openServer({ manual: true, onLog: () => {}, bank: { take: async () => {} } });
const { api, engine } = server;
const { say, come } = openBankSays(server);

const review = (resource: string, id: string, move: string, body: object = {}) =>
  api.post(`/portal/api/review/${resource}/${id}/${move}`, body);

/** The Tenant's own accounts, in cents: what the bank has, and the reserve. */
async function held() {
  const [row] = await engine.query<{ cash: number; reserve: number }>(
    `select coalesce(-sum(delta) filter (where pocket = 'cash'), 0)::int as cash,
       coalesce(sum(delta) filter (where pocket = 'reserve'), 0)::int as reserve
     from entries where tenant_id = $1 and account_id is null`,
  );
  return row ?? { cash: 0, reserve: 0 };
}

/** The open messages about a record, the oldest first. */
const messagesOf = async (source: string): Promise<string[]> =>
  (
    await engine.query<{ id: string }>(
      `select id from bank_messages where tenant_id = $1 and source_id = $2 and status = 'open'
       order by created_at, id`,
      source,
    )
  ).map(({ id }) => publicId('bank_message', id));

const failed = { outcome: 'failed', reason: 'AC04' } as const;

/** A withdrawal of $3.00 that waits for the bank. */
async function waiting() {
  const ben = await api.funded('individual', 5_00);
  const made: ReplyBody = await api.confirmed(api.withdraw(ben, 3_00));
  return { ben, id: made.id, source: uuid('withdrawal', made.id) };
}

/** One that the bank had reported as failed, and then executed. */
async function executed() {
  const { ben, id, source } = await waiting();
  expect(await say(source, failed)).toBe('taken');
  expect(await say(source, { outcome: 'settled', amount: 3_00 })).toBe('contradiction');
  const [message = ''] = await messagesOf(source);
  return { ben, id, source, message };
}

const reasonOf = async (message: string, move = 'book') =>
  ((await refusalOf(review('bank-messages', message, move))) as ReplyBody).details.reason;

test('a withdrawal that was executed after it had failed leaves cash by the reserve, and an adjustment takes it back from its customer', async () => {
  const { ben, id, message } = await executed();
  const before = await held();
  const booked = await review('bank-messages', message, 'book', { note: 'the bank confirms it' });
  expect(booked).toMatchObject({ status: 'closed', booked_at: expect.any(String) });
  expect(await held()).toEqual({ cash: before.cash - 3_00, reserve: before.reserve - 3_00 });
  expect((await api.get(`/v1/withdrawals/${id}`)).status).toBe('failed');
  expect(await api.balance(ben)).toMatchObject({ available: 5_00 });
  await review('accounts', ben.accountId, 'adjust', { amount: -3_00, note: 'paid after all' });
  expect(await held()).toEqual({ cash: before.cash - 3_00, reserve: before.reserve });
});

test('of one order it is booked once, whichever amount another message names', async () => {
  const { source, message } = await executed();
  await say(source, { outcome: 'settled', amount: 3_01 });
  const [, other = ''] = await messagesOf(source);
  await review('bank-messages', message, 'book');
  const before = await held();
  for (const of of [other, message])
    expect(await refusalOf(review('bank-messages', of, 'book'))).toMatchObject({
      code: 'invalid_state',
      details: { reason: 'booked_before' },
    });
  expect(await held()).toEqual(before);
});

test('what comes back of it is booked to the reserve', async () => {
  const { source, message } = await executed();
  const before = await held();
  await review('bank-messages', message, 'book');
  expect(await say(source, { outcome: 'returned', amount: 3_00 })).toBe('contradiction');
  const [returned = ''] = await messagesOf(source);
  await review('bank-messages', returned, 'book');
  expect(await held()).toEqual(before);
});

test('money for the reserve that came after it had failed is cash, and in the reserve', async () => {
  const before = await held();
  const { id } = await review('reserve', 'reserve', 'fund', { amount: 7_00, note: 'more' });
  const source = uuid('adjustment', id);
  await say(source, failed);
  expect(await held()).toEqual(before);
  await say(source, { outcome: 'settled', amount: 7_00 });
  const [message = ''] = await messagesOf(source);
  await review('bank-messages', message, 'book');
  expect(await held()).toEqual({ cash: before.cash + 7_00, reserve: before.reserve + 7_00 });
});

test('a message of which nothing is left to book is refused', async () => {
  const ben = await api.banked('individual');
  const load = await api.confirmed(api.load(ben, 3_00));
  const source = uuid('load', load.id);
  await say(source, failed);
  await say(source, { outcome: 'settled', amount: 3_00 });
  const [late = ''] = await messagesOf(source);
  const withdrawal = await api.confirmed(api.withdraw(await api.funded('individual', 5_00), 3_00));
  await say(uuid('withdrawal', withdrawal.id), { outcome: 'settled', amount: 3_00 });
  await say(uuid('withdrawal', withdrawal.id), failed);
  const [untrue = ''] = await messagesOf(uuid('withdrawal', withdrawal.id));
  for (const message of [late, untrue])
    expect(await refusalOf(review('bank-messages', message, 'book'))).toMatchObject({
      code: 'invalid_state',
      details: { reason: 'nothing_to_book' },
    });
});

test.each([
  ['less', 2_99, 2_01, 0],
  ['more', 3_01, 2_00, -1],
] as const)(
  'a withdrawal that was executed for %s settles with what moved, and the difference is its holder’s or the reserve’s',
  async (_what, amount, available, reserve) => {
    const before = await held();
    const { ben, id, source } = await waiting();
    expect(await say(source, { outcome: 'settled', amount })).toBe('amount_mismatch');
    const [message = ''] = await messagesOf(source);
    await review('bank-messages', message, 'book', { note: 'the bank confirms it' });
    expect(await api.balance(ben)).toMatchObject({ available, pending_outgoing: 0 });
    expect((await api.get(`/v1/withdrawals/${id}`)).status).toBe('settled');
    const funded = 5_00;
    expect(await held()).toEqual({
      cash: before.cash + funded - amount,
      reserve: before.reserve + reserve,
    });
    expect(await say(source, { outcome: 'settled', amount })).toBe('known');
    expect(await say(source, { outcome: 'settled', amount: 3_00 })).toBe('contradiction');
    await server.prove();
  },
);

test('another amount is booked by how its record stands then: of one that has failed since, by the reserve', async () => {
  const { ben, source } = await waiting();
  await say(source, { outcome: 'settled', amount: 2_99 });
  const [message = ''] = await messagesOf(source);
  await say(source, failed);
  const before = await held();
  await review('bank-messages', message, 'book');
  expect(await api.balance(ben)).toMatchObject({ available: 5_00, pending_outgoing: 0 });
  expect(await held()).toEqual({ cash: before.cash - 2_99, reserve: before.reserve - 2_99 });
});

test('of a refund that was executed for less the rest waits for a reviewer, with its payer named', async () => {
  const ana = await api.banked('individual');
  const shop = await api.funded('business', 5_00);
  const payment = await api.confirmed(api.payByBank(ana, shop, 3_00));
  await api.simulate('payment.completed', payment.id);
  const refund = await api.confirmed(api.refund(payment, 3_00));
  const source = uuid('refund', refund.id);
  await say(source, { outcome: 'settled', amount: 2_00 });
  const [message = ''] = await messagesOf(source);
  await review('bank-messages', message, 'book');
  expect((await api.get(`/v1/refund-requests/${refund.id}`)).status).toBe('completed');
  const items = await engine.query(
    `select s.amount, s.status, s.account_id from bank_messages m
      join suspense s on s.tenant_id = m.tenant_id and s.source_id = m.id
      where m.tenant_id = $1 and m.source_id = $2`,
    source,
  );
  expect(items).toEqual([
    { amount: 1_00, status: 'held', account_id: uuid('account', ana.accountId) },
  ]);
  await server.prove();
});

test('a message that was closed without being booked can still be booked, once', async () => {
  const { source, message } = await executed();
  await review('bank-messages', message, 'close');
  expect(await say(source, { outcome: 'settled', amount: 3_00 })).toBe('contradiction');
  const path = `/portal/api/cases/bank-messages/${message}`;
  const offered = async () =>
    (await api.get(path)).options.map(({ move }: { move: string }) => move);
  expect(await offered()).toEqual(['book']);
  const before = await held();
  await review('bank-messages', message, 'book');
  expect(await held()).toEqual({ cash: before.cash - 3_00, reserve: before.reserve - 3_00 });
  expect(await offered()).toEqual([]);
  expect(await reasonOf(message)).toBe('booked_before');
  expect(await say(source, { outcome: 'settled', amount: 3_00 })).toBe('known');
});

/** A transfer that had failed, and the way in which its money comes in. */
const incoming = {
  'a withdrawal that comes back': {
    make: async () => {
      const { source, message } = await executed();
      await review('bank-messages', message, 'book');
      return source;
    },
    says: { outcome: 'returned', amount: 3_00 },
  },
  'money for the reserve': {
    make: async () => {
      const made = await review('reserve', 'reserve', 'fund', { amount: 3_00, note: 'more' });
      const source = uuid('adjustment', made.id);
      await say(source, failed);
      return source;
    },
    says: { outcome: 'settled', amount: 3_00 },
  },
} as const;

test.each(Object.entries(incoming))(
  '%s after it had failed is cash once, whether the bank tells it of the order, as money, or both',
  async (_what, { make, says }) => {
    const told = async () => {
      const source = await make();
      return { source, before: await held() };
    };
    const booked = await told();
    await say(booked.source, says);
    const [message = ''] = await messagesOf(booked.source);
    await review('bank-messages', message, 'book');
    expect(await come(booked.source, 3_00)).toBe('known');
    expect((await held()).cash).toBe(booked.before.cash + 3_00);
    // Another payment is another sum.
    expect(await come(booked.source, 3_00)).toBe('unmatched');
    expect((await held()).cash).toBe(booked.before.cash + 6_00);
    const came = await told();
    expect(await come(came.source, 3_00)).toBe('unmatched');
    await say(came.source, says);
    const [late = ''] = await messagesOf(came.source);
    expect(await reasonOf(late)).toBe('booked_before');
    expect((await held()).cash).toBe(came.before.cash + 3_00);
    await server.prove();
  },
);

test('requests are allowed again to a customer who takes them, with the reason, and to nobody else', async () => {
  const ben = await api.banked('individual');
  const link = String(ben.linkedAccountId);
  const lift = (body: object = { note: 'the bank has it in writing' }) =>
    review('linked-accounts', link, 'lift_opt_out', body);
  expect(await refusalOf(lift())).toMatchObject({ details: { reason: 'not_opted_out' } });
  const load = await api.confirmed(api.load(ben, 3_00));
  await say(uuid('load', load.id), { outcome: 'failed', reason: 'SL12' });
  await server.runJobs();
  expect(await refusalOf(api.load(ben, 3_00))).toMatchObject({ code: expect.any(String) });
  expect(await refusalOf(lift({}))).toMatchObject({ code: 'parameter_missing', param: 'note' });
  expect(await lift()).toMatchObject({ capabilities: { load: true, pay_by_bank: true } });
  expect((await api.load(ben, 3_00)).status).toBe('requires_confirmation');
});
