import { beforeEach, expect, test } from 'vitest';
import { uuid } from '../../test/kit/ids.ts';
import { openServer } from '../../test/kit/server.ts';
import type { Bank, BankInstruction, TakenOrder } from '../rails/bank.ts';
import type { BankOutcome, FactResult } from '../rails/facts.ts';
import { Refused } from '../rails/refused.ts';
import { openInbound } from './inbound.ts';

/** Refusals of the bank for good, and orders whose state nobody knows (rules/bank-orders#21). */

/** The effect of a hand-over. `lost`: the bank executes the order, and its answer is lost; `again`: it had it. */
let handOver: 'taken' | 'lost' | 'again' | 'away' | (() => never) = 'taken';
let isQueryAway = false;
/** Orders that the bank has, by id, in the order in which it executed them. */
let book = new Map<string, BankInstruction>();
let calls: string[] = [];
let alarms: string[] = [];

const bank: Bank = {
  can: { cancel: true, query: true },
  async take(order) {
    calls.push('take');
    if (handOver === 'away') throw new Error('the bank is away');
    if (typeof handOver === 'function') handOver();
    if (!book.has(order.id)) book.set(order.id, order);
    if (handOver === 'lost') throw new Error('no answer in time');
    if (handOver === 'again') throw new Refused('DUPL');
  },
  async query({ id }: TakenOrder) {
    calls.push('query');
    if (isQueryAway) throw new Error('the bank is away');
    return { known: book.has(id) };
  },
  cancel: async () => void calls.push('cancel'),
};
const server = await openServer({ manual: true, bank, onLog: () => {} });
const { api, engine, service } = server;
const { tenantId } = server.tenant;
const error = ({ alarm }: { alarm: string }) => void alarms.push(alarm);
const inbound = openInbound({
  engine: service.engine,
  log: Object.assign(Object.create(service.log), { error }),
  asks: true,
});
const ana = await api.funded('individual', 900_00);

beforeEach(() => {
  handOver = 'taken';
  isQueryAway = false;
  book = new Map();
  calls = [];
  alarms = [];
});

const amount = 50_00;
const hour = 3_600;
const day = 24 * hour;
const settled: BankOutcome = { outcome: 'settled', amount };

async function ordered(kind: 'load' | 'withdrawal') {
  const record = await api.confirmed(
    kind === 'load' ? api.load(ana, amount) : api.withdraw(ana, amount),
  );
  await server.runJobs();
  const id = uuid(kind, record.id);
  const [order] = await engine.query<{ id: string }>(
    'select id from instructions where tenant_id = $1 and source_id = $2',
    id,
  );
  return { kind, record, orderId: order?.id ?? '' };
}
type Ordered = Awaited<ReturnType<typeof ordered>>;

const say = (
  { orderId }: Ordered,
  outcome: BankOutcome,
  id: string = crypto.randomUUID(),
): Promise<FactResult> => inbound.bank(tenantId, { id, orderId, ...outcome });
const shown = ({ kind, record }: Ordered) => api.get(`/v1/${kind}s/${record.id}`);
const atBank = async ({ record }: Ordered) =>
  (await api.get(`/portal/api/records/${record.id}`)).bank_order;
const available = async () => (await api.balance(ana)).available as number;

/** Leaves an order as the hand-over finds it, of which a worker has begun one. */
async function isWaiting({ orderId }: Ordered): Promise<void> {
  const at = [tenantId, orderId];
  await server.owner.query(
    `update instructions set status = 'waiting' where tenant_id = $1 and id = $2`,
    at,
  );
  await server.owner.query(
    `update jobs set name = 'instruction', wake_at = '2020-01-01', lease_until = '2020-01-01'
      where tenant_id = $1 and ref = $2`,
    at,
  );
}

/** Lets the next try of the hand-over come. */
const later = () => api.advance(hour);

test('an order that the bank refuses for good fails at once by the table of reasons, and is not handed over again', async () => {
  const before = await available();
  handOver = () => {
    throw new Refused('AC04', 'account 123456789 was closed', 'bank');
  };
  const withdrawal = await ordered('withdrawal');
  expect(await shown(withdrawal)).toMatchObject({
    status: 'failed',
    failure_code: 'account_closed',
  });
  expect(await atBank(withdrawal)).toMatchObject({
    status: 'closed',
    word: 'failed',
    said_by: 'bank',
    said_text: 'account … was closed',
  });
  expect(await available()).toBe(before);
  await later();
  expect([calls, await engine.jobs(withdrawal.orderId)]).toEqual([['take'], []]);
});

test('a refusal is known by its name and reason, whoever made its class', async () => {
  handOver = () => {
    throw Object.assign(new Error(), { name: 'Refused', reason: 'customer_refused' });
  };
  const load = await ordered('load');
  expect(await shown(load)).toMatchObject({ status: 'failed', failure_code: 'customer_refused' });
});

test('an order whose hand-over got no answer is asked about before it is sent again', async () => {
  handOver = 'away';
  const withdrawal = await ordered('withdrawal');
  expect(await atBank(withdrawal)).toMatchObject({ status: 'unclear' });
  isQueryAway = true;
  await later();
  expect([...new Set(calls.slice(1))]).toEqual(['query']);
  expect(await shown(withdrawal)).toMatchObject({ status: 'processing' });
  isQueryAway = false;
  handOver = 'taken';
  await later();
  expect(calls.slice(-2)).toEqual(['query', 'take']);
  expect(await atBank(withdrawal)).toMatchObject({ status: 'sent' });
});

test('an unclear order has no job that the release before would end', async () => {
  handOver = 'lost';
  isQueryAway = true;
  const withdrawal = await ordered('withdrawal');
  const names = async () => (await engine.jobs(withdrawal.orderId)).map(({ name }) => name);
  expect([await atBank(withdrawal), await names()]).toMatchObject([
    { status: 'unclear' },
    ['order_hand_over'],
  ]);
  isQueryAway = false;
  await later();
  expect([await atBank(withdrawal), await names()]).toMatchObject([{ status: 'sent' }, []]);
});

test('an order that settles after its hand-over timed out moves the money once', async () => {
  const before = await available();
  handOver = 'lost';
  const load = await ordered('load');
  expect(await atBank(load)).toMatchObject({ status: 'unclear' });
  expect(await say(load, settled)).toBe('taken');
  handOver = 'taken';
  await later();
  expect(calls).toEqual(['take']);
  expect([await available(), book.size]).toEqual([before + amount, 1]);
  expect(await atBank(load)).toMatchObject({ status: 'sent' });
  expect(await engine.jobs(load.orderId)).toEqual([]);
});

test('an order that fails after its hand-over timed out gives the money back once', async () => {
  const before = await available();
  handOver = 'lost';
  const withdrawal = await ordered('withdrawal');
  await later();
  expect(calls).toEqual(['take', 'query']);
  expect(await atBank(withdrawal)).toMatchObject({ status: 'sent' });
  expect(await available()).toBe(before - amount);
  expect(await say(withdrawal, { outcome: 'failed', reason: 'AC06' })).toBe('taken');
  expect(await say(withdrawal, { outcome: 'failed', reason: 'AC06' })).toBe('known');
  expect(await available()).toBe(before);
});

test('an order of which the bank has never heard is sent again after its silence, and executed once', async () => {
  handOver = 'away';
  const withdrawal = await ordered('withdrawal');
  handOver = 'taken';
  await later();
  await later();
  expect(calls).toEqual(['take', 'query', 'take']);
  expect([...book.keys()]).toEqual([withdrawal.orderId]);
});

test('an order that a process held when it ended is asked about before it is sent again', async () => {
  handOver = 'lost';
  const withdrawal = await ordered('withdrawal');
  // As a worker leaves it that has handed the order over and ended before the answer.
  await isWaiting(withdrawal);
  handOver = 'taken';
  await server.runJobs();
  await later();
  expect(calls).toEqual(['take', 'query']);
  expect(await atBank(withdrawal)).toMatchObject({ status: 'sent' });
});

test('a request whose time ends while nobody knows whether the bank has it is cancelled there, not withdrawn', async () => {
  handOver = 'lost';
  isQueryAway = true;
  const load = await ordered('load');
  await api.advance(day);
  expect(await shown(load)).toMatchObject({ status: 'failed', failure_code: 'request_expired' });
  expect(calls.at(-1)).toBe('cancel');
  expect(await atBank(load)).toMatchObject({ status: 'closing', cancel: 'asked' });
  expect(await say(load, settled)).toBe('late');
  expect(await atBank(load)).toMatchObject({ status: 'closed', word: 'settled' });
});

test('an order that the bank took while its record ended here is cancelled there', async () => {
  handOver = 'away';
  const load = await ordered('load');
  // As it stands where the hand-over began and the record ended before its end.
  await isWaiting(load);
  await api.simulate('load.failed', load.record.id);
  expect(await atBank(load)).toMatchObject({ status: 'withdrawn' });
  expect(await say(load, { outcome: 'sent', providerId: 'rfp_1' })).toBe('taken');
  await server.runJobs();
  expect(calls).toEqual(['take', 'cancel']);
  expect(await atBank(load)).toMatchObject({ status: 'closing', word: 'sent', cancel: 'asked' });
});

const timeouts = ['AB01', 'AB03', 'AB04', 'AB05', 'AB06', 'AB11', 'DS24', 'TM01'];

test.each(timeouts)(
  '%s of the network releases nothing before the bank was asked',
  async (reason) => {
    const before = await available();
    const withdrawal = await ordered('withdrawal');
    const failed: BankOutcome = { outcome: 'failed', reason };
    const id = crypto.randomUUID();
    expect(await say(withdrawal, failed, id)).toBe('queried');
    expect(await say(withdrawal, failed)).toBe('queried');
    expect(await shown(withdrawal)).toMatchObject({ status: 'processing' });
    await server.runJobs();
    expect(calls).toEqual(['take', 'query']);
    expect(await atBank(withdrawal)).toMatchObject({ asked_at: expect.any(String) });
    expect(await available()).toBe(before - amount);
    // The same message again is an answer now.
    expect(await say(withdrawal, failed, id)).toBe('taken');
    expect(await say(withdrawal, failed)).toBe('known');
    expect(await available()).toBe(before);
    expect(await atBank(withdrawal)).toMatchObject({ status: 'closed', asked_at: null });
    expect(await engine.jobs(withdrawal.orderId)).toEqual([]);
  },
);

test('an order that settles after the network timed out moves the money once', async () => {
  const before = await available();
  const withdrawal = await ordered('withdrawal');
  expect(await say(withdrawal, { outcome: 'failed', reason: 'AB03' })).toBe('queried');
  await server.runJobs();
  expect(await say(withdrawal, settled)).toBe('taken');
  expect(await say(withdrawal, { outcome: 'failed', reason: 'AB03' })).toBe('contradiction');
  expect([await available(), await engine.jobs(withdrawal.orderId)]).toEqual([before - amount, []]);
});

test('a bank that has no such order after the network timed out has said how it ended', async () => {
  const before = await available();
  const withdrawal = await ordered('withdrawal');
  book.clear();
  expect(await say(withdrawal, { outcome: 'failed', reason: 'AB03' })).toBe('queried');
  await server.runJobs();
  expect(await shown(withdrawal)).toMatchObject({ status: 'failed', failure_code: 'bank_timeout' });
  expect([await available(), await engine.jobs(withdrawal.orderId)]).toEqual([before, []]);
});

test('a bank that stays silent is asked again with longer pauses, and the record waits', async () => {
  const withdrawal = await ordered('withdrawal');
  await say(withdrawal, { outcome: 'failed', reason: 'TM01' });
  await api.advance(day);
  const asked = calls.filter((call) => call === 'query').length;
  expect(asked).toBeGreaterThan(20);
  expect(asked).toBeLessThan(40);
  expect(await shown(withdrawal)).toMatchObject({ status: 'processing' });
});

test('an order that was sent before is asked about, kept for a reviewer and not failed', async () => {
  handOver = 'again';
  const withdrawal = await ordered('withdrawal');
  await server.runJobs();
  expect(await shown(withdrawal)).toMatchObject({ status: 'processing' });
  expect(calls).toEqual(['take', 'query']);
  expect(await say(withdrawal, settled)).toBe('taken');
});

test('an order that was said to have been sent before, and that the bank does not know, fails as rejected', async () => {
  const before = await available();
  handOver = () => {
    throw new Refused('DUPL');
  };
  const withdrawal = await ordered('withdrawal');
  await server.runJobs();
  expect(calls).toEqual(['take', 'query']);
  expect(await shown(withdrawal)).toMatchObject({
    status: 'failed',
    failure_code: 'order_rejected',
  });
  expect(await atBank(withdrawal)).toMatchObject({ status: 'closed', asked_at: null });
  expect([await available(), await engine.jobs(withdrawal.orderId)]).toEqual([before, []]);
});

test('a timeout that a provider reports fails nothing before the bank was asked', async () => {
  const load = await ordered('load');
  const id = crypto.randomUUID();
  const fact = { id, orderId: load.orderId, outcome: 'failed', reason: 'TM01' } as const;
  const receipt = { id, tenantId, port: 'bank', fact } as const;
  const origin = { headers: {}, body: null };
  await server.providers.taking.take({ name: 'signed' }, [receipt], origin);
  expect((await shown(load)).status).toBe('processing');
  const [kept] = await engine.query<{ result: string }>(
    'select result from rail_messages where tenant_id = $1 and message_id = $2',
    id,
  );
  expect(kept?.result).toBe('queried');
});
