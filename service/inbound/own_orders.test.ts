import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { beforeEach, expect, test } from 'vitest';
import { uuid } from '../../test/kit/ids.ts';
import { openServer } from '../../test/kit/server.ts';
import type { BankInstruction } from '../rails/bank.ts';
import type { BankOutcome, FactResult } from '../rails/facts.ts';
import { orderIdOfRecord } from '../rails/order_id.ts';
import { fundReserve } from '../resources/accounts/fund_reserve.ts';
import { proposeBankAccount, putBankAccountInForce } from '../resources/own_bank_accounts/moves.ts';
import { returnSuspense } from '../resources/suspense/moves.ts';
import { compareBook } from '../restore/book.ts';
import { bookBankMessage } from './book_message.ts';
import { openInbound } from './inbound.ts';

/** Orders of the platform for itself, with a bank that answers when a test says so (rules/bank-orders). */

let taken: BankInstruction[] = [];
let alarms: string[] = [];
const server = await openServer({
  manual: true,
  bank: { take: async (order) => void taken.push(order) },
});
const { api, engine, service } = server;
const { tenantId } = server.tenant;
const logged: { readonly alarm: string }[] = [];
const error = (facts: { alarm: string }) => {
  alarms.push(facts.alarm);
  logged.push(facts);
};
const inbound = openInbound({
  engine: service.engine,
  log: Object.assign(Object.create(service.log), { error }),
  asks: false,
});
await engine.change({
  fees: [
    {
      payment_type: 'consumer_to_merchant',
      source: 'balance',
      type: 'platform',
      fixed: 0,
      basis_points: 100,
      paid_by: 'payee',
    },
  ],
});
await server.runJobs();
const ana = await api.funded('individual', 900_00);
const cafe = await api.banked('business');

beforeEach(() => {
  taken = [];
  alarms = [];
});

const daySeconds = 86_400;
const answer = ({ id }: Pick<BankInstruction, 'id'>, outcome: BankOutcome): Promise<FactResult> =>
  inbound.bank(tenantId, { id: crypto.randomUUID(), orderId: id, ...outcome });
const settled = ({ amount }: BankInstruction): BankOutcome => ({ outcome: 'settled', amount });
const refused: BankOutcome = { outcome: 'failed', reason: 'AC04' };

/** The order that the bank was handed for this. */
function orderOf(purpose: BankInstruction['purpose']): BankInstruction {
  const order = taken.find((one) => one.purpose === purpose);
  if (!order) throw new Error(`the bank has no order for ${purpose}`);
  return order;
}

async function held(...pockets: string[]): Promise<Record<string, number>> {
  const rows = await engine.query<{ pocket: string; cents: number }>(
    `select pocket, sum(delta)::bigint as cents from entries
     where tenant_id = $1 and account_id is null group by pocket`,
  );
  const found = new Map(rows.map(({ pocket, cents }) => [pocket, cents]));
  return Object.fromEntries(pockets.map((pocket) => [pocket, found.get(pocket) ?? 0]));
}

/** A payment whose fee of $1.00 is swept on its day. */
async function sweep(): Promise<BankInstruction> {
  await api.confirmed(api.pay(ana, cafe, 100_00));
  await api.advance(daySeconds);
  return orderOf('fee_sweep');
}

test('a sweep is an order from the account of the customers to the operating one, and no cash before the bank has paid', async () => {
  const before = await held('cash');
  const order = await sweep();
  expect(order).toMatchObject({
    kind: 'internal_transfer',
    amount: 1_00,
    from: { role: 'fbo' },
    to: { role: 'operating' },
    reference: null,
    counterparty: null,
    remittance: expect.stringMatching(/^Test Tenant adj-[0-9a-f]{32}$/),
    expiresAt: null,
    endToEndId: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  const own = ['fees_platform', 'sweep_in_transit', 'cash'] as const;
  expect(await held(...own)).toEqual({ ...before, fees_platform: 0, sweep_in_transit: 1_00 });
  expect(await answer(order, settled(order))).toBe('taken');
  expect(await answer(order, settled(order))).toBe('known');
  expect(await held('sweep_in_transit', 'cash')).toEqual({
    sweep_in_transit: 0,
    cash: (before.cash ?? 0) + 1_00,
  });
  expect(alarms).toEqual([]);
  await server.prove();
});

test('fees of a sweep that the bank refuses wait for the next one, with an alarm, and are reported once', async () => {
  const order = await sweep();
  expect(await answer(order, refused)).toBe('taken');
  expect(alarms).toEqual(['own_order']);
  expect(await held('fees_platform', 'sweep_in_transit')).toEqual({
    fees_platform: 1_00,
    sweep_in_transit: 0,
  });
  taken = [];
  await api.advance(daySeconds);
  const again = orderOf('fee_sweep');
  expect(again).toMatchObject({ amount: 1_00 });
  expect(again.id).not.toBe(order.id);
  await answer(again, settled(again));
  await api.advance(daySeconds);
  const rows = await engine.query<{ swept: number }>(
    'select sum(fee_clearing_swept)::bigint as swept from reconciliation_reports where tenant_id = $1',
  );
  const [{ cents } = { cents: 0 }] = await engine.query<{ cents: number }>(
    `select sum(platform_fees)::bigint as cents from fee_sweeps f join instructions i
       on i.tenant_id = f.tenant_id and i.source_id = f.id
     where f.tenant_id = $1 and i.answer = 'settled'`,
  );
  expect(rows).toEqual([{ swept: cents }]);
  await server.prove();
});

test('an answer to a sweep that says another amount or another end moves nothing', async () => {
  const order = await sweep();
  expect(await answer(order, { outcome: 'settled', amount: 2 })).toBe('amount_mismatch');
  expect(await held('sweep_in_transit')).toEqual({ sweep_in_transit: 1_00 });
  expect(await answer(order, settled(order))).toBe('taken');
  expect(await answer(order, refused)).toBe('contradiction');
  expect(await answer(order, { outcome: 'returned', amount: 1_00 })).toBe('contradiction');
  expect(await held('sweep_in_transit')).toEqual({ sweep_in_transit: 0 });
  await server.prove();
});

/** Books what the bank has moved, as two reviewers do. */
async function book(of: BankInstruction): Promise<void> {
  const [message] = await engine.query<{ id: string }>(
    `select m.id from bank_messages m join instructions i on i.tenant_id = m.tenant_id
       and i.source_id = m.source_id where m.tenant_id = $1 and i.id = $2 and m.status = 'open'`,
    of.id,
  );
  await engine.run(bookBankMessage, { id: message?.id ?? '' });
}

test.each([
  ['less', 40],
  ['more', 1_60],
] as const)(
  'a sweep and money for the reserve that the bank moved %s of than was ordered end, and the reserve has the difference',
  async (_what, amount) => {
    const before = await held('cash', 'reserve', 'sweep_in_transit', 'top_up_in_transit');
    const swept = await sweep();
    await engine.run(fundReserve, { amount: 1_00 });
    await server.runJobs();
    const funded = orderOf('reserve_top_up');
    for (const order of [swept, funded]) {
      expect(await answer(order, { outcome: 'settled', amount })).toBe('amount_mismatch');
      await book(order);
      expect(await answer(order, { outcome: 'settled', amount })).toBe('known');
    }
    // The same left and came, while $1.00 of it was fees.
    expect(await held('cash', 'reserve', 'sweep_in_transit', 'top_up_in_transit')).toEqual({
      ...before,
      reserve: (before.reserve ?? 0) + 1_00,
    });
    await server.prove();
  },
);

test('a sweep that a restore has lost is the same order to the bank', async () => {
  const order = await sweep();
  const [{ day } = { day: '' }] = await engine.query<{ day: string }>(
    'select day from fee_sweeps where tenant_id = $1 order by day desc limit 1',
  );
  expect(order.id).toBe(orderIdOfRecord({ tenantId }, 'internal_transfer', 'fee_sweep', day));
  const line = { id: order.id, tenantId, amount: 1_00, outcome: settled(order) };
  const standing = async () => (await compareBook(service.pool, [line]))[0];
  expect(await standing()).toMatchObject({ standing: 'behind', status: 'sent' });
  await answer(order, settled(order));
  expect(await standing()).toMatchObject({ standing: 'ended', status: 'settled' });
});

test('money for the reserve comes from the operating account, and is taken back when the bank refuses it', async () => {
  const before = await held('reserve', 'top_up_in_transit', 'cash');
  await engine.run(fundReserve, { amount: 70_00 });
  await server.runJobs();
  const order = orderOf('reserve_top_up');
  expect(order).toMatchObject({
    kind: 'internal_transfer',
    from: { role: 'operating' },
    to: { role: 'fbo' },
  });
  expect(await held('cash')).toEqual({ cash: before.cash });
  await answer(order, { outcome: 'failed', reason: 'AM04' });
  expect(alarms).toEqual(['own_order']);
  expect(await held('reserve', 'top_up_in_transit', 'cash')).toEqual(before);
  taken = [];
  await engine.run(fundReserve, { amount: 70_00 });
  await server.runJobs();
  const again = orderOf('reserve_top_up');
  await answer(again, settled(again));
  expect(await held('reserve', 'cash')).toEqual({
    reserve: (before.reserve ?? 0) + 70_00,
    cash: (before.cash ?? 0) - 70_00,
  });
  await server.prove();
});

/** Money that came for a load which had failed, and its order to go back. */
async function sentBack(amount: number) {
  const load = await api.confirmed(api.load(ana, amount));
  await server.runJobs();
  const cameBy = orderOf('load');
  await api.simulate('load.failed', load.id);
  await api.simulate('load.paid_late', load.id);
  const [item] = await engine.query<{ id: string }>(
    'select id from suspense where tenant_id = $1 and source_id = $2',
    uuid('load', load.id),
  );
  await engine.run(returnSuspense, { id: item?.id ?? '' });
  await server.runJobs();
  return { cameBy, itemId: item?.id ?? '', order: orderOf('return_of_funds') };
}

test('money that goes back is an order to the bank account that it came from', async () => {
  const { cameBy, order } = await sentBack(23_00);
  expect(order).toMatchObject({
    kind: 'credit_transfer',
    from: { role: 'fbo' },
    to: null,
    reference: cameBy.reference,
    returnOf: cameBy.id,
  });
  expect(await held('suspense', 'return_in_transit')).toEqual({
    suspense: 0,
    return_in_transit: 23_00,
  });
  await answer(order, settled(order));
  expect(await held('return_in_transit')).toEqual({ return_in_transit: 0 });
  await server.prove();
});

test('money that the bank does not take back is in suspense again, and then goes to the operating account', async () => {
  const { order, itemId } = await sentBack(24_00);
  expect(await answer(order, refused)).toBe('taken');
  const kept = await engine.query<{ id: string }>(
    `select id, reason, amount, status from suspense where tenant_id = $1 and source_id = $2`,
    itemId,
  );
  expect(kept).toMatchObject([{ reason: 'undeliverable', amount: 24_00, status: 'held' }]);
  expect(await held('suspense', 'return_in_transit')).toEqual({
    suspense: 24_00,
    return_in_transit: 0,
  });
  await engine.run(returnSuspense, { id: kept[0]?.id ?? '' });
  await server.runJobs();
  const last = orderOf('suspense_return');
  expect(last).toMatchObject({
    kind: 'internal_transfer',
    to: { role: 'operating' },
    returnOf: order.id,
  });
  await answer(last, settled(last));
  await server.prove();
});

test('money that was sent back and comes again is in suspense', async () => {
  const { order, itemId } = await sentBack(25_00);
  await answer(order, settled(order));
  expect(await answer(order, { outcome: 'returned', amount: 25_00 })).toBe('unmatched');
  const { data } = await api.get('/portal/api/review');
  expect(data).toContainEqual(
    expect.objectContaining({
      record: expect.objectContaining({
        reason: 'returned',
        source_id: publicId('adjustment', itemId),
      }),
    }),
  );
  await server.prove();
});

test('money that no bank took back, that was sent all the same and comes back then, is not lost', async () => {
  const { order } = await sentBack(31_00);
  await answer(order, refused);
  await answer(order, settled(order));
  await book(order);
  const before = await held('cash');
  const id = crypto.randomUUID();
  const of = { to: 'fbo', sender: null, remittance: null } as const;
  const money = { amount: 31_00, endToEndId: order.endToEndId, paymentId: id, ...of };
  expect(await inbound.bank(tenantId, { id, money })).toBe('unmatched');
  expect(await held('cash')).toEqual({ cash: (before.cash ?? 0) - 31_00 });
  await server.prove();
});

test('a request may be answered as long as its record waits, however late it is handed over', async () => {
  const load = await api.confirmed(api.load(ana, 26_00));
  await server.runJobs();
  const order = orderOf('load');
  const [due] = await engine.query<{ due_at: string }>(
    `select due_at from jobs where tenant_id = $1 and ref = $2 and name = 'load_timeout'`,
    uuid('load', load.id),
  );
  expect(order).toMatchObject({ from: null, to: { role: 'fbo' }, expiresAt: due?.due_at });
  await answer(order, refused);
});

test('an order names the own account that is in force when it is handed over, with its number', async () => {
  const given = {
    id: 'operating',
    title: 'Maple Market Operating',
    account_type: 'checking',
    routing_number: '021000021',
    account_number: '00098765432',
  } as const;
  await engine.run(proposeBankAccount(server.service), given);
  const paidFrom = async () => {
    taken = [];
    await engine.run(fundReserve, { amount: 1_00 });
    await server.runJobs();
    return orderOf('reserve_top_up').from;
  };
  expect(await paidFrom()).toEqual({ role: 'operating', account: null });
  await engine.run(putBankAccountInForce, { id: 'operating' });
  const { id: _, ...account } = given;
  expect(await paidFrom()).toEqual({
    role: 'operating',
    account: { ...account, last4: '5432' },
  });
});

test('who refused an order and why stays with it, without numbers and addresses', async () => {
  const load = await api.confirmed(api.load(ana, 27_00));
  await server.runJobs();
  const text =
    'Account 4111 1111 1111 1111 of ana@example.com is\u0007 closed since 2024, see 0012345';
  await answer(orderOf('load'), { outcome: 'failed', reason: 'AC04', saidBy: 'bank', text });
  const { record, bank_order } = await api.get(`/portal/api/records/${load.id}`);
  expect(record.failure_code).toBe('account_closed');
  expect(bank_order).toMatchObject({
    kind: 'request_for_payment',
    status: 'closed',
    said_by: 'bank',
    said_text: 'Account … of [redacted] is closed since 2024, see …',
  });
});

test('a reason that nobody knows alarms with its words', async () => {
  await api.confirmed(api.load(ana, 28_00));
  await server.runJobs();
  await answer(orderOf('load'), { outcome: 'failed', reason: 'ZZ99', text: 'Ask branch 12' });
  expect(logged.at(-1)).toMatchObject({
    alarm: 'bank_reason',
    fact: { reason: 'ZZ99', text: 'Ask branch 12' },
  });
});

test('what a module says in another form than ours of a refusal is left out, and the refusal is taken', async () => {
  const load = await api.confirmed(api.load(ana, 29_00));
  await server.runJobs();
  const odd = { saidBy: 'somebody', text: 5 } as object;
  expect(await answer(orderOf('load'), { ...refused, ...odd })).toBe('taken');
  const { bank_order } = await api.get(`/portal/api/records/${load.id}`);
  expect(bank_order).toMatchObject({ said_by: null, said_text: null });
});
