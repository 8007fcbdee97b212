import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BankEvent, Behaviour } from '../../../bank/book/types.ts';
import { digitsOf } from '../../../contract/core/ids.ts';
import { instantOf } from '../../../engine/time/instant.ts';
import { bookBankMessage } from '../../../service/inbound/book_message.ts';
import { choicesOf, seedOf } from '../../kit/seed.ts';
import { until } from '../../kit/wait.ts';
import { type BankDeployment, openBankDeployment } from './deployment.ts';

/**
 * The service of production against the sandbox bank in a process of its own, which is late, doubled, reordered,
 * contradictory, silent and wrong, answers with errors and not at all, loses webhooks and is killed.
 *
 * At a quiet moment the bank has nothing more to do by itself and the service has heard all of it. Then nothing is on
 * its way that either of the two books has moved (an order that the bank is silent about has moved nothing in both),
 * and the bank's book of `fbo` is the ledger's cash, also of money that nobody has ordered, once a reviewer has booked the
 * transfers that the bank executed after it had said that they failed (rules/bank-orders#27). With the first word the
 * customer has the money back, may have spent it, and the order is closed: no second word takes it from them again.
 */

const seed = seedOf(process.env);
const days = 6;
const ordersEachDay = 60;
const faults = {
  late: 0.06,
  doubled: 0.06,
  reordered: 0.06,
  contradictory: 0.06,
  wrong_amount: 0.06,
  silent: 0.05,
  error_500: 0.03,
  timeout: 0.04,
  lost: 0.1,
};
const behaviour: Behaviour = {
  seed,
  answer_after_ms: 20,
  late_ms: 400,
  answers: { fail: 0.1, return: 0.2 },
  faults,
};

/** All that this bank tells here. */
const told = [
  'order.sent',
  'order.accepted',
  'order.settled_pending',
  'order.settled',
  'order.failed',
  'order.cancelled',
  'order.returned',
  'money.received',
  'return.requested',
];

let deployment: BankDeployment;
beforeAll(async () => {
  deployment = await openBankDeployment(5);
  await deployment.bank.play('PUT', '/play/behaviour', behaviour);
});
afterAll(() => deployment.stop());

const since = instantOf(Date.now());

const numberOf = async (sql: string, ...values: readonly unknown[]): Promise<number> => {
  const [row] = await deployment.server.engine.query<{ value: string }>(sql, ...values);
  return Number(row?.value);
};

/** Waits until nothing happens any more by itself. @returns all that the bank has told */
async function quiet(): Promise<readonly BankEvent[]> {
  const { heard, events, waiting, server } = deployment;
  return until(
    async () => {
      const left = await numberOf(
        `select (select count(*) from instructions where tenant_id = $1 and status in ('waiting', 'unclear'))
           + (select count(*) from jobs where tenant_id = $1 and wake_at <= $2) as value`,
        new Date(server.service.clocks.realNow()).toISOString(),
      );
      if (left > 0 || (await waiting()).some(({ will }) => will.length > 0)) return null;
      const all = await events();
      const known = await heard();
      return all.every(({ id }) => known.has(id)) ? all : null;
    },
    { what: 'a quiet moment', everyMs: 200 },
  );
}

/** Books what the bank executed after it had said that it failed, as two reviewers do. @returns how many there were */
async function bookAll(): Promise<number> {
  const { engine } = deployment.server;
  const open = await engine.query<{ id: string }>(
    `select id from bank_messages where tenant_id = $1 and status = 'open' and outcome in ('settled', 'returned')
       and source_type not in ('load', 'payment') and record_status in ('failed', 'suspense')`,
  );
  for (const { id } of open) await engine.run(bookBankMessage, { id });
  return open.length;
}

interface Line {
  readonly order: string | null;
  readonly end_to_end_id: string | null;
  readonly provider_id: string;
  readonly sign: 'credit' | 'debit';
  readonly amount: number;
}

const signed = ({ sign, amount }: Line): number => (sign === 'credit' ? amount : -amount);
const sumOf = (lines: readonly Line[]): number =>
  lines.reduce((sum, line) => sum + signed(line), 0);

/** The statement of `fbo`, from its beginning. */
async function statement(): Promise<readonly Line[]> {
  const { bank, server } = deployment;
  const all: Line[] = [];
  for (;;) {
    const path = `/accounts/fbo/lines?tenant=${server.engine.tenantId}&limit=500&after=${all.length}`;
    const { data } = (await bank.call('GET', path)).body;
    all.push(...data);
    if (data.length === 0) return all;
  }
}

async function proveAgreement() {
  const { bank, server } = deployment;
  const booked = await bookAll();
  const path = `/accounts/fbo/balance?tenant=${server.engine.tenantId}`;
  const { balance } = (await bank.call('GET', path)).body;
  const cash = await numberOf(
    `select coalesce(-sum(delta), 0) as value from entries where tenant_id = $1 and pocket = 'cash'`,
  );
  const lines = await statement();
  expect(sumOf(lines)).toBe(balance);
  const unordered = sumOf(lines.filter(({ order }) => order === null));
  expect({ seed, balance }).toEqual({ seed, balance: cash });
  return { cash, unordered, booked };
}

/** The ledger moved for each order what the bank moved for it, paid again or not, and the bank moved none of it twice. */
async function proveOrderByOrder(): Promise<void> {
  const lines = await statement();
  const named = lines.filter(({ order }) => order !== null);
  // The settlement and a return have a movement each.
  const movements = named.map(({ order, provider_id }) => `${order} ${provider_id}`);
  expect(new Set(movements).size).toBe(movements.length);
  const moved = await deployment.server.engine.query<{ id: string; cash: string }>(
    `select i.id, coalesce(-sum(e.delta), 0) as cash from instructions i
       left join entries e on e.tenant_id = i.tenant_id and e.pocket = 'cash'
         and (e.source_id = i.source_id or e.source_id in
           (select m.id from bank_messages m where m.tenant_id = i.tenant_id and m.source_id = i.source_id) or e.source_id in
           (select s.id from suspense s where s.tenant_id = i.tenant_id and (s.source_id = i.source_id or s.source_id in
             (select r.id from received_money r where r.tenant_id = i.tenant_id and r.order_id = i.id))))
     where i.tenant_id = $1 group by i.id`,
  );
  const differing = moved.filter(
    ({ id, cash }) =>
      Number(cash) !== sumOf(lines.filter(({ end_to_end_id }) => end_to_end_id === digitsOf(id))),
  );
  expect(differing).toEqual([]);
}

const choices = choicesOf(seed, 'orders');
const amount = () => 1_00 + choices.below(99_00);

/** Makes an order of a kind that is drawn. */
async function orderSomething(): Promise<void> {
  const { order, people, cafe } = deployment;
  const person = choices.pick(people);
  const drawn = choices.below(10);
  const customer_id = person.id;
  const parties = { payer_customer_id: person.id, payee_customer_id: cafe.id };
  if (drawn < 5) await order('load', '/v1/loads', { customer_id, amount: amount() * 3 });
  else if (drawn < 8)
    await order('withdrawal', '/v1/withdrawals', { customer_id, amount: amount() });
  else {
    const source = drawn === 8 ? 'balance' : 'bank_account';
    await order('payment', '/v1/payments', { ...parties, amount: amount(), source });
  }
}

/** Money that nobody ordered, a request that is paid once more and then asked back, and one that goes on unpaid. */
async function surprise(events: readonly BankEvent[]): Promise<void> {
  const { bank, server, waiting } = deployment;
  await bank.play('POST', '/play/money', { tenant: server.engine.tenantId, amount: amount() });
  const paid = events.find(
    ({ type, account, order }) => type === 'order.settled' && account === 'fbo' && order,
  );
  const acts: string[] = [];
  if (paid) acts.push(`${paid.order}/pay-again`, `${paid.order}/ask-back`);
  const unpaid = (await waiting()).find(({ order }) => order.terms.kind === 'request_for_payment');
  if (unpaid) acts.push(`${unpaid.order.id}/accept`, `${unpaid.order.id}/settle-pending`);
  for (const act of acts) await bank.play('POST', `/play/orders/${act}`, {});
}

test('at each quiet moment the ledger has the cash that the bank has, once a reviewer has booked what contradicts', async () => {
  const { bank, nextDay } = deployment;
  let proven = { cash: 0, unordered: 0, booked: 0 };
  let booked = 0;
  for (let day = 0; day < days; day += 1) {
    for (let index = 0; index < ordersEachDay; index += 1) {
      await orderSomething();
      if (day === 2 && index === 30) await bank.crash();
    }
    const events = await quiet();
    booked += (await proveAgreement()).booked;
    await surprise(events);
    await quiet();
    proven = await proveAgreement();
    booked += proven.booked;
    // Fees are swept, and what was not paid for a day expires.
    await nextDay();
  }
  await quiet();
  // The last night's sweep may be contradicted too.
  booked += (await proveAgreement()).booked;
  await proveOrderByOrder();
  // The bank has met all of it.
  expect(proven.cash).toBeGreaterThan(0);
  expect(proven.unordered).toBeGreaterThan(0);
  expect(booked).toBeGreaterThan(0);
});

test('no fact of the bank was refused or unknown, and only what contradicts was a contradiction', async () => {
  const all = await quiet();
  const heard = [...(await deployment.heard())];
  const amiss = heard.filter(
    ([, { state, result }]) => state === 'refused' || result === 'unknown',
  );
  expect(amiss).toEqual([]);
  expect(await deployment.dropped()).toEqual({});
  const results = new Map(heard.map(([id, { result }]) => [id, result]));
  const met = ['taken', 'known', 'contradiction', 'amount_mismatch', 'late', 'unmatched'];
  expect([...new Set(results.values())]).toEqual(expect.arrayContaining(met));
  const saidOf = (order: string | null) =>
    new Set(all.filter((event) => event.order === order).map(({ type }) => type));
  for (const { id, order } of all)
    if (results.get(id) === 'contradiction')
      expect([...saidOf(order)]).toEqual(expect.arrayContaining(['order.settled', 'order.failed']));
  expect(all.length).toBeGreaterThan(days * ordersEachDay);
  expect(new Set(all.map(({ type }) => type))).toEqual(new Set(told));
});

test('a webhook that the bank has not signed moves nothing', async () => {
  const { server, events } = deployment;
  const [event] = (await events()).filter(({ type }) => type === 'order.failed');
  const forged = JSON.stringify({ ...event, id: 'evt_0', type: 'order.settled', amount: 1 });
  const address = `${server.baseUrl}/rails/bank`;
  expect((await fetch(address, { method: 'POST', body: forged })).status).toBe(401);
  expect((await deployment.heard()).has('evt_0')).toBe(false);
});

test('all ends once the bank has said its last word, and sweeps have gone to the operating account', async () => {
  const { bank, waiting, nextDay, server } = deployment;
  // A request not paid for a day expires, and the last fees are swept.
  await nextDay();
  await until(
    async () => {
      await quiet();
      for (const [index, { order }] of (await waiting()).entries())
        await bank.play('POST', `/play/orders/${order.id}/${index % 2 ? 'settle' : 'fail'}`, {});
      await quiet();
      return (await unended()).length === 0;
    },
    { what: 'the end of all' },
  );
  await quiet();
  await proveAgreement();
  expect(await waiting()).toEqual([]);
  const booked = (await server.rails.bank.ordersSince?.(since)) ?? [];
  const ordered = await server.engine.query<{ id: string }>(
    'select id from instructions where tenant_id = $1',
  );
  expect(booked.map(({ id }) => id).sort()).toEqual(ordered.map(({ id }) => id).sort());
  expect(booked.filter(({ outcome }) => outcome === null)).toEqual([]);
  const transit = await numberOf(
    `select coalesce(sum(abs(sum)), 0) as value from (select sum(delta) from entries where tenant_id = $1
     and pocket in ('sweep_in_transit', 'top_up_in_transit', 'return_in_transit') group by pocket) as s`,
  );
  expect(transit).toBe(0);
  const operating = `/accounts/operating/balance?tenant=${server.engine.tenantId}`;
  expect((await bank.call('GET', operating)).body.balance).toBeGreaterThan(0);
});

/** Records and own orders that wait for the bank. */
const unended = () =>
  deployment.server.engine.query(
    `select 'load' as kind, id from loads where tenant_id = $1 and status = 'processing'
     union all select 'payment', id from payments where tenant_id = $1 and status = 'processing'
     union all select 'withdrawal', id from withdrawals where tenant_id = $1 and status = 'processing'
     union all select purpose::text, id from instructions
       where tenant_id = $1 and source_type = 'adjustment' and answer is null`,
  );
