import { expect, test } from 'vitest';
import { openDisputes } from '../../test/kit/disputes.ts';
import { openInbound } from '../inbound/inbound.ts';
import { openScrape } from '../operations/scrape.ts';
import type { BankInstruction } from '../rails/bank.ts';
import type { BankOutcome } from '../rails/facts.ts';
import { overdueOrders } from '../rails/unanswered.ts';
import { fundReserve } from '../resources/accounts/fund_reserve.ts';
import { openOrderWatch } from './order_watch.ts';

/** Orders that the bank has and does not answer, with a bank that answers when a test says so (rules/bank-orders#25). */

let taken: BankInstruction[] = [];
const { api, engine, server } = await openDisputes({
  bank: { take: async (order) => void taken.push(order) },
  // Its alarms are what is tested.
  onLog: () => {},
});
const { service } = server;
const { tenantId } = server.tenant;
const hour = 3_600;
const day = 24 * hour;
const watch = openOrderWatch(service);
const cafe = await api.banked('business');

interface Told {
  readonly record: string;
  readonly count: number;
  readonly purpose: string;
  readonly waiting: number;
}

/** The alarms of these orders. */
async function toldOf(...orders: readonly BankInstruction[]): Promise<Told[]> {
  const { rows } = await service.control.query<Told>(
    `select record, count::integer, facts->>'purpose' as purpose, (facts->>'waiting')::integer as waiting
     from control.alarms where scope = $1 and alarm = 'order_unanswered' and record = any($2)`,
    [tenantId, orders.map(({ id }) => id)],
  );
  return rows;
}

const answer = ({ id }: BankInstruction, outcome: BankOutcome) =>
  openInbound({ ...service, asks: false }).bank(tenantId, {
    id: crypto.randomUUID(),
    orderId: id,
    ...outcome,
  });
const settle = (order: BankInstruction) =>
  answer(order, { outcome: 'settled', amount: order.amount });

/** The order that the bank is handed for this. */
async function handedFor(
  purpose: BankInstruction['purpose'],
  act: () => Promise<unknown>,
): Promise<BankInstruction> {
  taken = [];
  await act();
  await server.runJobs();
  const order = taken.find((one) => one.purpose === purpose);
  if (!order) throw new Error(`the bank has no order for ${purpose}`);
  return order;
}

const withdrawal = async () => {
  const ana = await api.funded('individual', 100_00);
  return handedFor('withdrawal', () => api.confirmed(api.withdraw(ana, 20_00)));
};

const payout = async () => {
  const ana = await api.funded('individual', 100_00);
  return handedFor('closing', () => api.close(ana));
};

/** The refund of a payment that came from a bank account. */
const refund = async () => {
  const ana = await api.funded('individual', 100_00);
  const payment = await api.confirmed(api.payByBank(ana, cafe, 30_00));
  await api.simulate('payment.completed', payment.id);
  return handedFor('refund', async () => api.confirmed(api.refund(payment, 30_00)));
};

/** The credit of a dispute whose account has closed. */
const disputeCredit = async () => {
  const ana = await api.funded('individual', 100_00);
  const payment = await api.confirmed(api.pay(ana, cafe, 40_00));
  await settle(await handedFor('closing', () => api.close(ana)));
  await server.runJobs();
  return handedFor('dispute_credit', () =>
    api.played(api.dispute(ana, { payment_id: payment.id }), 'dispute.resolved_approved'),
  );
};

const topUp = () => handedFor('reserve_top_up', () => engine.run(fundReserve, { amount: 70_00 }));

const made = {
  withdrawal,
  closing: payout,
  refund,
  dispute_credit: disputeCredit,
  reserve_top_up: topUp,
};

test('an order that the bank has answered, that waits for less than its limit or ends by itself raises no alarm', async () => {
  const answered = [];
  for (const make of Object.values(made)) {
    const order = await make();
    expect(await settle(order)).toBe('taken');
    answered.push(order);
  }
  const ana = await api.funded('individual', 10_00);
  const request = await handedFor('load', () => api.confirmed(api.load(ana, 10_00)));
  await api.advance(2 * hour);
  const waiting = await withdrawal();
  await api.advance(23 * hour);
  await watch.watchNow();
  expect(await toldOf(...answered, request, waiting)).toEqual([]);
  await settle(waiting);
});

test.each(Object.entries(made))(
  'an order for %s that the bank does not answer raises the alarm once a day until it has',
  async (purpose, make) => {
    const order = await make();
    await api.advance(day + 60);
    await watch.watchNow();
    await watch.watchNow();
    expect(await toldOf(order)).toEqual([{ record: order.id, count: 1, purpose, waiting: 1 }]);
    await service.control.query('update control.alarms set day = day - 1 where record = $1', [
      order.id,
    ]);
    await watch.watchNow();
    expect(await toldOf(order)).toHaveLength(2);
    await settle(order);
    await service.control.query('delete from control.alarms where record = $1', [order.id]);
    await watch.watchNow();
    expect(await toldOf(order)).toEqual([]);
  },
);

test('an order of which nobody knows whether the bank has it raises the alarm as well', async () => {
  const order = await withdrawal();
  await engine.query(
    `update instructions set status = 'unclear', sent_at = null where tenant_id = $1 and id = $2 returning id`,
    order.id,
  );
  await api.advance(day + 60);
  await watch.watchNow();
  expect(await toldOf(order)).toMatchObject([{ purpose: 'withdrawal' }]);
  await engine.query(
    `update instructions set status = 'sent', sent_at = created_at where tenant_id = $1 and id = $2 returning id`,
    order.id,
  );
  await settle(order);
});

test.each(['waiting', 'unclear'])(
  'an order that is %s and has lost its job is handed over all the same',
  async (status) => {
    const orders = [await withdrawal(), await topUp()];
    for (const { id } of orders)
      await engine.query(
        `update instructions set status = '${status}', sent_at = null where tenant_id = $1 and id = $2 returning id`,
        id,
      );
    taken = [];
    await watch.watchNow();
    await api.advance(60);
    expect(taken.map(({ id }) => id).sort()).toEqual(orders.map(({ id }) => id).sort());
    for (const order of orders) await settle(order);
    expect((await Promise.all(orders.map(({ id }) => engine.jobs(id)))).flat()).toEqual([]);
  },
);

test('own orders and transfers have limits of their own', async () => {
  const config = { ...service.config, orderAlarmHours: { own: 2, transfer: 4 } };
  const strict = openOrderWatch({ ...service, config });
  const [own, transfer] = [await topUp(), await withdrawal()];
  await api.advance(3 * hour);
  await strict.watchNow();
  expect(await toldOf(own, transfer)).toMatchObject([{ record: own.id }]);
  await api.advance(hour);
  await strict.watchNow();
  expect(await toldOf(own, transfer)).toHaveLength(2);
  await settle(own);
  await settle(transfer);
});

test('of many orders the ten oldest are told of at a time, each the next time', async () => {
  const orders = [];
  for (let count = 0; count < 12; count += 1) orders.push(await topUp());
  await api.advance(day + 60);
  await watch.watchNow();
  const first = await toldOf(...orders);
  expect(first.map(({ record }) => record).sort()).toEqual(
    orders
      .slice(0, 10)
      .map(({ id }) => id)
      .sort(),
  );
  expect(first[0]?.waiting).toBe(12);
  await watch.watchNow();
  expect(await toldOf(...orders)).toHaveLength(12);
  for (const order of orders) await settle(order);
});

test('the metrics are the age of the oldest unanswered order and their number, by purpose and by Tenant, on its clock', async () => {
  const shown = async (of: 'bankOrderOldest' | 'tenantOrderOldest', unit: number) => {
    await openScrape(service)();
    const { values } = await service.meters[of].get();
    return Object.fromEntries(
      values.map(({ labels, value }) => {
        expect(labels.provider).toBe('sandbox');
        return [String(Object.values(labels)[1]), Math.floor(value / unit)];
      }),
    );
  };
  const numbers = async (of: 'bankOrdersUnanswered' | 'tenantOrdersUnanswered') =>
    (await service.meters[of].get()).values
      .filter(({ value }) => value > 0)
      .map(({ labels, value }) => [Object.values(labels)[1], value]);
  const none = {
    withdrawal: 0,
    closing: 0,
    refund: 0,
    dispute_credit: 0,
    fee_sweep: 0,
    reserve_top_up: 0,
    return_of_funds: 0,
    suspense_return: 0,
  };
  expect(await shown('bankOrderOldest', hour)).toEqual(none);
  expect(await shown('tenantOrderOldest', hour)).toEqual({});
  const old = await withdrawal();
  await api.advance(2 * hour);
  const others = [await withdrawal(), await topUp()];
  await api.advance(3 * hour);
  expect(await shown('bankOrderOldest', hour)).toEqual({
    ...none,
    withdrawal: 5,
    reserve_top_up: 3,
  });
  expect(await shown('tenantOrderOldest', hour)).toEqual({ [tenantId]: 5 });
  expect(await numbers('bankOrdersUnanswered')).toEqual([
    ['withdrawal', 2],
    ['reserve_top_up', 1],
  ]);
  expect(await numbers('tenantOrdersUnanswered')).toEqual([[tenantId, 3]]);
  for (const order of [old, ...others]) await settle(order);
  expect(await shown('bankOrderOldest', hour)).toEqual(none);
  expect(await numbers('tenantOrdersUnanswered')).toEqual([]);
});

test('unanswered orders are found by the partial indexes of what waits alone', async () => {
  const client = await service.pool.connect();
  try {
    await client.query('begin');
    await client.query('set local enable_seqscan = off');
    const plans: string[] = [];
    const explained = async (text: string, values: unknown[]) => {
      const { rows } = await client.query(`explain ${text}`, values);
      plans.push(...rows.map((row: Record<string, string>) => row['QUERY PLAN'] ?? ''));
      return { rows: [] };
    };
    const pool = { query: explained } as unknown as Parameters<typeof overdueOrders>[0];
    await overdueOrders(pool, new Date().toISOString(), { own: 24, transfer: 24 });
    const plan = plans.join('\n');
    for (const index of [
      'withdrawals_open',
      'refunds_open',
      'disputes_credit_sent',
      'instructions_own_unanswered',
    ])
      expect(plan).toContain(index);
  } finally {
    await client.query('rollback');
    client.release();
  }
});
