import { beforeEach, expect, test } from 'vitest';
import { uuid } from '../../test/kit/ids.ts';
import { openServer } from '../../test/kit/server.ts';
import type { Bank, BankInstruction, TakenOrder } from '../rails/bank.ts';
import type { BankOutcome, FactResult } from '../rails/facts.ts';
import { openInbound } from './inbound.ts';

/** An order's life at a bank that can cancel and answers when a test says so (rules/bank-orders#12). */

let taken: BankInstruction[] = [];
let cancelled: TakenOrder[] = [];
let cancels: 'takes' | 'refuses' | 'is away' = 'takes';
let alarms: string[] = [];

const bank: Bank = {
  can: { cancel: true, query: false },
  take: async (order) => {
    taken.push(order);
    return { providerId: `rfp_${order.endToEndId}` };
  },
  cancel: async (order) => {
    if (cancels === 'is away') throw new Error('the bank is away');
    if (cancels === 'refuses')
      throw Object.assign(new Error(), { name: 'Refused', reason: 'NOAS' });
    cancelled.push(order);
  },
};
const server = await openServer({ manual: true, bank, onLog: () => {} });
const { api, engine, service } = server;
const { tenantId } = server.tenant;
const error = ({ alarm }: { alarm: string }) => void alarms.push(alarm);
const inbound = openInbound({
  engine: service.engine,
  log: Object.assign(Object.create(service.log), { error }),
  asks: false,
});
const ana = await api.funded('individual', 900_00);
const cafe = await api.banked('business');

beforeEach(async () => {
  taken = [];
  cancelled = [];
  cancels = 'takes';
  alarms = [];
  await engine.change({ late_money: 'hold' });
});

const day = 86_400;
const quarter = 900;
const amount = 50_00;

type Kind = 'load' | 'payment' | 'withdrawal';
const begin: Readonly<Record<Kind, () => ReturnType<typeof api.load>>> = {
  load: () => api.load(ana, amount),
  payment: () => api.payByBank(ana, cafe, amount),
  withdrawal: () => api.withdraw(ana, amount),
};

async function ordered(kind: Kind) {
  const record = await api.confirmed(begin[kind]());
  await server.runJobs();
  const order = taken.at(-1);
  if (!order) throw new Error('the bank has no order');
  return { kind, record, order, id: uuid(kind, record.id) };
}
type Ordered = Awaited<ReturnType<typeof ordered>>;

const say = ({ order }: Ordered, outcome: BankOutcome): Promise<FactResult> =>
  inbound.bank(tenantId, { id: crypto.randomUUID(), orderId: order.id, ...outcome });
const settled: BankOutcome = { outcome: 'settled', amount };

const paths = { load: 'loads', payment: 'payments', withdrawal: 'withdrawals' } as const;
const shown = ({ kind, record }: Ordered) => api.get(`/v1/${paths[kind]}/${record.id}`);
const atBank = async ({ record }: Ordered) =>
  (await api.get(`/portal/api/records/${record.id}`)).bank_order;
const moneyOf = ({ id }: Ordered) =>
  engine.query(
    'select amount, status, reason from suspense where tenant_id = $1 and source_id = $2',
    id,
  );
const available = async () => (await api.balance(ana)).available as number;

/** A load or payment whose time is over at our end. */
async function expired(kind: 'load' | 'payment') {
  const made = await ordered(kind);
  await api.advance(kind === 'load' ? day : quarter);
  expect(await shown(made)).toMatchObject({ status: 'failed', failure_code: 'request_expired' });
  return made;
}

test('what the bank calls an order is kept and shown, and a fact may name the order by it', async () => {
  const load = await ordered('load');
  const providerId = `rfp_${load.order.endToEndId}`;
  expect(await atBank(load)).toMatchObject({ status: 'sent', provider_id: providerId, word: null });
  const fact = { id: crypto.randomUUID(), providerId, ...settled } as const;
  expect(await inbound.bank(tenantId, fact)).toBe('taken');
  expect(await shown(load)).toMatchObject({ status: 'settled' });
  expect(
    await inbound.bank(tenantId, { ...fact, id: crypto.randomUUID(), providerId: 'rfp' }),
  ).toBe('unknown');
  expect(alarms).toEqual(['unknown']);
});

test('words on the way move no record, follow each other forwards alone, and change nothing after the end', async () => {
  const withdrawal = await ordered('withdrawal');
  const before = await shown(withdrawal);
  const told: FactResult[] = [];
  for (const outcome of ['pending_review', 'sent', 'sent', 'pending_review', 'accepted'] as const)
    told.push(await say(withdrawal, { outcome }));
  expect(told).toEqual(['taken', 'taken', 'known', 'known', 'taken']);
  expect(await atBank(withdrawal)).toMatchObject({ status: 'sent', word: 'accepted' });
  expect(await say(withdrawal, { outcome: 'settled_pending' })).toBe('taken');
  expect(await shown(withdrawal)).toEqual(before);
  expect(await say(withdrawal, settled)).toBe('taken');
  const after = [await shown(withdrawal), await atBank(withdrawal)];
  expect(await say(withdrawal, { outcome: 'sent', providerId: 'another' })).toBe('known');
  expect(await say(withdrawal, { outcome: 'settled_pending' })).toBe('known');
  expect([await shown(withdrawal), await atBank(withdrawal)]).toEqual(after);
  expect(after[1]).toMatchObject({ provider_id: `rfp_${withdrawal.order.endToEndId}` });
  expect(alarms).toEqual([]);
});

test.each([
  ['load', 'order_rejected', undefined],
  ['withdrawal', 'account_closed', 'AC04'],
] as const)(
  'a %s that the bank cancels while it waits fails as %s',
  async (kind, failure, reason) => {
    const before = await available();
    const record = await ordered(kind);
    const cancelled: BankOutcome = { outcome: 'cancelled', ...(reason && { reason }) };
    expect(await say(record, cancelled)).toBe('taken');
    expect(await say(record, cancelled)).toBe('known');
    expect(await shown(record)).toMatchObject({ status: 'failed', failure_code: failure });
    expect(await atBank(record)).toMatchObject({ status: 'closed', word: 'cancelled' });
    expect(await available()).toBe(before);
  },
);

test('an order that settled and is said to be cancelled is kept for a reviewer', async () => {
  const load = await ordered('load');
  await say(load, settled);
  expect(await say(load, { outcome: 'cancelled' })).toBe('contradiction');
  expect(await shown(load)).toMatchObject({ status: 'settled' });
  expect(alarms).toEqual(['contradiction']);
});

test.each(['load', 'payment'] as const)(
  'the request of a %s whose time is over is cancelled at the bank, and closing until its last word',
  async (kind) => {
    const record = await expired(kind);
    const { id, endToEndId } = record.order;
    expect(cancelled).toEqual([{ tenantId, id, providerId: `rfp_${endToEndId}` }]);
    expect(await atBank(record)).toMatchObject({ status: 'closing', cancel: 'asked' });
    const before = await shown(record);
    expect(await say(record, { outcome: 'accepted' })).toBe('taken');
    expect(await atBank(record)).toMatchObject({ status: 'closing', word: 'accepted' });
    expect(await say(record, { outcome: 'cancelled' })).toBe('taken');
    expect(await say(record, { outcome: 'cancelled' })).toBe('known');
    expect(await say(record, { outcome: 'accepted' })).toBe('known');
    expect(await atBank(record)).toMatchObject({ status: 'closed', word: 'cancelled' });
    expect(await shown(record)).toEqual(before);
    expect(alarms).toEqual([]);
  },
);

test('a request that the bank ends by itself after its time is closed, and its record stays as it is', async () => {
  const load = await expired('load');
  const before = await shown(load);
  expect(await say(load, { outcome: 'failed', reason: 'AEXR' })).toBe('known');
  expect(await atBank(load)).toMatchObject({ status: 'closed', word: 'failed' });
  expect(await shown(load)).toEqual(before);
});

test('a bank that is away is asked to cancel again until it has taken it', async () => {
  cancels = 'is away';
  const load = await expired('load');
  expect(await atBank(load)).toMatchObject({ status: 'closing', cancel: 'wanted' });
  cancels = 'takes';
  await api.advance(day);
  expect(cancelled.map(({ id }) => id)).toEqual([load.order.id]);
  expect(await atBank(load)).toMatchObject({ status: 'closing', cancel: 'asked' });
});

test('a bank that refuses to cancel is not asked again, and the order stays closing', async () => {
  cancels = 'refuses';
  const load = await expired('load');
  expect(await atBank(load)).toMatchObject({ status: 'closing', cancel: 'cannot' });
  expect(await engine.jobs(load.order.id)).toEqual([]);
});

test.each(['load', 'payment'] as const)(
  'the money of a %s that comes after its end waits for a person, and closes its order',
  async (kind) => {
    const before = await available();
    const record = await expired(kind);
    expect(await say(record, settled)).toBe('late');
    expect(await say(record, settled)).toBe('known');
    expect(await atBank(record)).toMatchObject({ status: 'closed', word: 'settled' });
    expect(await moneyOf(record)).toEqual([{ amount, status: 'held', reason: 'late' }]);
    expect(await available()).toBe(before);
    expect(alarms).toEqual(['late']);
  },
);

test.each(['load', 'payment'] as const)(
  'late money of a %s goes to its customer at once where the setting says so, once',
  async (kind) => {
    await engine.change({ late_money: 'credit' });
    const before = await available();
    const record = await expired(kind);
    expect(await say(record, settled)).toBe('taken');
    expect(await say(record, settled)).toBe('known');
    expect(await available()).toBe(before + amount);
    expect(await moneyOf(record)).toEqual([{ amount, status: 'matched', reason: 'late' }]);
    expect(alarms).toEqual([]);
  },
);

test('late money whose account has closed is credited to nobody: it waits for a person', async () => {
  await engine.change({ late_money: 'credit' });
  const ben = await api.banked('individual');
  const record = await api.confirmed(api.load(ben, amount));
  await server.runJobs();
  const order = taken.at(-1);
  await api.advance(day);
  await api.close(ben);
  await server.runJobs();
  const fact = { id: crypto.randomUUID(), orderId: order?.id ?? '', ...settled };
  expect(await inbound.bank(tenantId, fact)).toBe('late');
  expect(
    await engine.query(
      'select status from suspense where tenant_id = $1 and source_id = $2',
      uuid('load', record.id),
    ),
  ).toEqual([{ status: 'held' }]);
});

test.each(['load', 'payment'] as const)(
  'late money of a %s goes back by an order where the setting says so, once',
  async (kind) => {
    await engine.change({ late_money: 'return' });
    const record = await expired(kind);
    expect(await say(record, settled)).toBe('taken');
    expect(await say(record, settled)).toBe('known');
    await server.runJobs();
    const returns = taken.filter(({ purpose }) => purpose === 'return_of_funds');
    expect(returns).toMatchObject([
      {
        kind: 'credit_transfer',
        amount,
        returnOf: record.order.id,
        reference: record.order.reference,
      },
    ]);
    expect(alarms).toEqual([]);
    const [back] = returns;
    if (!back) throw new Error('no order goes back');
    const fact = { id: crypto.randomUUID(), orderId: back.id, ...settled };
    expect(await inbound.bank(tenantId, fact)).toBe('taken');
    await server.prove();
  },
);

test('money that comes in another amount waits for a person, whatever the setting says', async () => {
  await engine.change({ late_money: 'credit' });
  const load = await ordered('load');
  expect(await say(load, { outcome: 'settled', amount: 49_00 })).toBe('amount_mismatch');
  expect(await moneyOf(load)).toMatchObject([{ status: 'held', reason: 'other_amount' }]);
});

test.each(['load', 'payment'] as const)(
  'a bank account whose customer has opted out of requests is asked no more after a %s, and is still paid',
  async (kind) => {
    const ben = await api.funded('individual', 100_00);
    const begin = () =>
      kind === 'load' ? api.load(ben, amount) : api.payByBank(ben, cafe, amount);
    await api.confirmed(begin());
    await server.runJobs();
    const id = crypto.randomUUID();
    const orderId = taken.at(-1)?.id ?? '';
    await inbound.bank(tenantId, { id, orderId, outcome: 'failed', reason: 'SL12' });
    await server.runJobs();
    const [link] = (await api.get(`/v1/customers/${ben.customerId}/linked-accounts`)).data;
    expect(link).toMatchObject({
      status: 'verified',
      capabilities: { withdrawal: true, load: false, pay_by_bank: false },
    });
    await expect(begin()).rejects.toThrow('capability_unavailable');
    expect(await api.withdraw(ben, amount)).toMatchObject({ status: 'requires_confirmation' });
  },
);
