import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildService, closeService } from '../../start/app.ts';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { uuid } from '../../test/kit/ids.ts';
import type { Person } from '../../test/kit/person.ts';
import { refusalOf } from '../../test/kit/refusal.ts';
import { openServer } from '../../test/kit/server.ts';
import type { BankOutcome, Inbound } from '../rails/facts.ts';
import type { Service } from '../service.ts';
import { openInbound } from './inbound.ts';

let inbound: Inbound;
/** Another process on the same database. */
let second: Service;
let elsewhere: Inbound;
let alarms: string[] = [];
let ana: Person;
let cafe: Person;

const openDoor = ({ engine, log }: Service): Inbound => {
  const error = (facts: { alarm: string }) => void alarms.push(facts.alarm);
  return openInbound({ engine, log: Object.assign(Object.create(log), { error }), asks: false });
};

const server = await openServer({ manual: true });
const { api, engine } = server;
const tenantId = server.tenant.tenantId;
beforeAll(async () => {
  const { service } = server;
  const { connectionString: databaseUrl = '' } = service.pool.options;
  second = await buildService(service.config, {
    databaseUrl,
    controlUrl: server.controlUrl,
    log: service.log,
    realNow: service.clocks.realNow,
  });
  inbound = openDoor(service);
  elsewhere = openDoor(second);
  ana = await api.banked('individual');
  cafe = await api.banked('business', 'savings');
  await api.fund(ana, 1_000_00);
});
beforeEach(() => {
  alarms = [];
});
afterAll(async () => {
  await closeService(second);
});

type Kind = 'load' | 'payment' | 'withdrawal' | 'refund';
interface Ordered {
  readonly kind: Kind;
  readonly record: ReplyBody;
  readonly id: string;
  readonly orderId: string;
}

const amount = 50_00;
/** A refund of a payment that the payer's bank has paid. */
async function refundByBank(): Promise<ReplyBody> {
  const payment = await api.confirmed(api.payByBank(ana, cafe, amount));
  await api.simulate('payment.completed', payment.id);
  return api.refund(payment, amount);
}
const begins: Readonly<Record<Kind, () => Promise<ReplyBody>>> = {
  load: () => api.load(ana, amount),
  payment: () => api.payByBank(ana, cafe, amount),
  withdrawal: () => api.withdraw(ana, amount),
  refund: refundByBank,
};

/** A record that waits for the bank, with its order. */
async function ordered(kind: Kind): Promise<Ordered> {
  const record = await begins[kind]();
  await api.confirmed(record);
  const id = uuid(kind, record.id);
  const [order] = await engine.query(
    'select id from instructions where tenant_id = $1 and source_id = $2',
    id,
  );
  return { kind, record, id, orderId: order.id };
}

const settled = (cents = amount): BankOutcome => ({ outcome: 'settled', amount: cents });
const failed: BankOutcome = { outcome: 'failed', reason: 'AC04' };
const returned = (cents = amount): BankOutcome => ({ outcome: 'returned', amount: cents });

const told = (
  { orderId }: Ordered,
  outcome: BankOutcome,
  at = inbound,
  id: string = crypto.randomUUID(),
) => at.bank(tenantId, { id, orderId, ...outcome });

const moneyOf = ({ id }: Ordered) =>
  engine.query(
    `select id, amount, status, reason, source_type, account_id, linked_account_id from suspense
     where tenant_id = $1 and source_id = $2 order by created_at, id`,
    id,
  );
const messagesOf = ({ id }: Ordered) =>
  engine.query(
    `select outcome, amount, network_reason_code, reference, record_status, suspense_id, status
     from bank_messages where tenant_id = $1 and source_id = $2 order by created_at, id`,
    id,
  );
/** The ledger’s steps for money in suspense. */
const postingsOf = (item: { id: string }) =>
  engine.query(
    `select step, pocket, delta, transaction_type from entries
     where tenant_id = $1 and source_id = $2 order by id`,
    item.id,
  );
const paths: Readonly<Record<Kind, string>> = {
  load: 'loads',
  payment: 'payments',
  withdrawal: 'withdrawals',
  refund: 'refund-requests',
};
const shown = ({ kind, record: { id } }: Ordered) => api.get(`/v1/${paths[kind]}/${id}`);
const availableOf = async (person: Person): Promise<number> =>
  (await api.balance(person)).available;
const entryCount = async () =>
  (await engine.query('select count(*)::integer as count from entries where tenant_id = $1'))[0]
    .count;

const received = [
  { step: 'suspense_received', pocket: 'cash', transaction_type: null },
  { step: 'suspense_received', pocket: 'suspense', transaction_type: null },
];
const inSuspense = (cents: number) => [
  { ...received[0], delta: -cents },
  { ...received[1], delta: cents },
];

describe.each(['load', 'payment'] as const)('a %s', (kind) => {
  test('paid with another amount stays as it is; the money waits in suspense', async () => {
    const record = await ordered(kind);
    expect(await told(record, settled(49_99), inbound, `bank ${kind}`)).toBe('amount_mismatch');
    expect(await shown(record)).toMatchObject({ status: 'processing', version: 2 });
    const [item, ...more] = await moneyOf(record);
    expect(more).toEqual([]);
    expect(item).toMatchObject({
      amount: 49_99,
      status: 'held',
      reason: 'other_amount',
      source_type: kind,
      account_id: uuid('account', ana.accountId),
      linked_account_id: uuid('linked_account', ana.linkedAccountId ?? ''),
    });
    expect(await postingsOf(item)).toEqual(inSuspense(49_99));
    expect(await messagesOf(record)).toEqual([
      {
        outcome: 'settled',
        amount: 49_99,
        network_reason_code: null,
        reference: `bank ${kind}`,
        record_status: 'processing',
        suspense_id: item.id,
        status: 'open',
      },
    ]);
    expect(alarms).toEqual(['amount_mismatch']);
  });

  test('paid with another amount is settled by the exact one', async () => {
    const record = await ordered(kind);
    await told(record, settled(60_00));
    expect(await told(record, settled())).toBe('taken');
    expect(await told(record, settled())).toBe('known');
    expect(await told(record, settled(60_00))).toBe('known');
    expect(await moneyOf(record)).toMatchObject([{ amount: 60_00, status: 'held' }]);
  });

  test('that has failed takes no money: late money waits in suspense, once', async () => {
    const record = await ordered(kind);
    await told(record, failed);
    expect(await told(record, settled())).toBe('late');
    expect(await told(record, settled())).toBe('known');
    expect(await shown(record)).toMatchObject({ status: 'failed', version: 3 });
    const [item, ...more] = await moneyOf(record);
    expect(more).toEqual([]);
    expect(item).toMatchObject({ amount, status: 'held', reason: 'late' });
    expect(await postingsOf(item)).toEqual(inSuspense(amount));
    expect(await messagesOf(record)).toMatchObject([
      { outcome: 'settled', record_status: 'failed', suspense_id: item.id },
    ]);
    expect(alarms).toEqual(['late']);
  });

  test('that has failed and is paid with another amount keeps that too', async () => {
    const record = await ordered(kind);
    await told(record, failed);
    expect(await told(record, settled(1))).toBe('late');
    expect(await told(record, settled())).toBe('late');
    expect(await moneyOf(record)).toMatchObject([{ amount: 1 }, { amount }]);
  });
});

describe('a withdrawal that the bank sends back', () => {
  async function settledOne(): Promise<Ordered> {
    const withdrawal = await ordered('withdrawal');
    await told(withdrawal, settled());
    return withdrawal;
  }

  test('is credited to its holder at once, by an adjustment, and stays settled', async () => {
    const withdrawal = await settledOne();
    const before = await availableOf(ana);
    expect(await told(withdrawal, returned())).toBe('taken');
    expect(await availableOf(ana)).toBe(before + amount);
    expect(await shown(withdrawal)).toMatchObject({ status: 'settled', version: 3 });
    const [item] = await moneyOf(withdrawal);
    expect(item).toMatchObject({ status: 'matched', reason: 'returned', amount });
    expect(await postingsOf(item)).toEqual([
      ...inSuspense(amount),
      { step: 'suspense_matched', pocket: 'suspense', delta: -amount, transaction_type: null },
      {
        step: 'suspense_matched',
        pocket: 'available',
        delta: amount,
        transaction_type: 'adjustment',
      },
    ]);
    const { data } = await api.get(`/v1/accounts/${ana.accountId}/transactions?limit=1`);
    expect(data).toMatchObject([
      {
        type: 'adjustment',
        direction: 'credit',
        amount,
        fee_amount: 0,
        status: 'posted',
        counterparty: null,
        source_type: 'adjustment',
        source_id: `adj_${item.id.replaceAll('-', '')}`,
      },
    ]);
    expect(await engine.events(uuid('transaction', data[0].id))).toEqual(['transaction.posted']);
    expect(alarms).toEqual([]);
  });

  test('is credited once, however often it is reported', async () => {
    const withdrawal = await settledOne();
    await told(withdrawal, returned());
    const after = await availableOf(ana);
    expect(await told(withdrawal, returned())).toBe('known');
    expect(await told(withdrawal, settled())).toBe('known');
    expect(await availableOf(ana)).toBe(after);
  });

  test('may come in parts; more than was withdrawn waits for a reviewer', async () => {
    const withdrawal = await settledOne();
    const before = await availableOf(ana);
    expect(await told(withdrawal, returned(30_00))).toBe('taken');
    expect(await told(withdrawal, returned(20_00))).toBe('taken');
    expect(await told(withdrawal, returned(1))).toBe('unmatched');
    expect(await availableOf(ana)).toBe(before + amount);
    expect(await moneyOf(withdrawal)).toMatchObject([
      { amount: 30_00, status: 'matched' },
      { amount: 20_00, status: 'matched' },
      { amount: 1, status: 'held' },
    ]);
    expect(alarms).toEqual(['unmatched']);
  });

  test('may be reported before its settlement, and settles it', async () => {
    const withdrawal = await ordered('withdrawal');
    const before = await availableOf(ana);
    expect(await told(withdrawal, returned())).toBe('taken');
    expect(await shown(withdrawal)).toMatchObject({ status: 'settled', version: 3 });
    expect(await availableOf(ana)).toBe(before + amount);
    expect(await told(withdrawal, settled())).toBe('known');
  });

  test('waits for a reviewer when its account is closed', async () => {
    const ben = await api.banked('individual');
    await api.fund(ben, 25_00);
    await api.close(ben);
    await server.workers.jobs.runDueJobs(tenantId);
    await api.simulate('account.closed', ben.accountId);
    const [payout] = await engine.query(
      'select id from withdrawals where tenant_id = $1 and account_id = $2',
      uuid('account', ben.accountId),
    );
    const [order] = await engine.query(
      'select id from instructions where tenant_id = $1 and source_id = $2',
      payout.id,
    );
    const record = { kind: 'withdrawal', record: {}, id: payout.id, orderId: order.id } as const;
    expect(await told(record, returned(25_00))).toBe('unmatched');
    expect(await moneyOf(record)).toMatchObject([{ amount: 25_00, status: 'held' }]);
    expect(await availableOf(ben)).toBe(0);
    expect(alarms).toEqual(['unmatched']);
  });

  test('reaches a closing account, which pays it out again', async () => {
    const ben = await api.banked('individual');
    await api.fund(ben, 25_00);
    const withdrawal = await api.confirmed(api.withdraw(ben, 25_00));
    const id = uuid('withdrawal', withdrawal.id);
    const [order] = await engine.query(
      'select id from instructions where tenant_id = $1 and source_id = $2',
      id,
    );
    await api.close(ben);
    const record = { kind: 'withdrawal', record: withdrawal, id, orderId: order.id } as const;
    expect(await told(record, returned(25_00))).toBe('taken');
    await server.workers.jobs.runDueJobs(tenantId);
    expect(await api.balance(ben)).toMatchObject({ available: 0, pending_outgoing: 25_00 });
  });
});

test('a refund that the bank sends back waits for a reviewer, with the payer named', async () => {
  const refund = await ordered('refund');
  await told(refund, settled());
  expect(await told(refund, returned())).toBe('unmatched');
  expect(await moneyOf(refund)).toMatchObject([
    {
      status: 'held',
      reason: 'returned',
      source_type: 'refund',
      account_id: uuid('account', ana.accountId),
    },
  ]);
  expect(await shown(refund)).toMatchObject({ status: 'completed' });
});

/** The bank’s first answer, and a contradiction to it without money. */
const contradictions: readonly (readonly [Kind, BankOutcome | null, BankOutcome, string])[] = [
  ['load', settled(), failed, 'contradiction'],
  ['load', settled(), returned(), 'contradiction'],
  ['payment', settled(), failed, 'contradiction'],
  ['withdrawal', settled(), failed, 'contradiction'],
  ['withdrawal', failed, settled(), 'contradiction'],
  ['withdrawal', failed, returned(), 'contradiction'],
  ['withdrawal', null, settled(49_00), 'amount_mismatch'],
  ['withdrawal', settled(), settled(51_00), 'amount_mismatch'],
  ['refund', settled(), failed, 'contradiction'],
  ['refund', failed, settled(), 'contradiction'],
  ['refund', null, settled(51_00), 'amount_mismatch'],
  ['load', null, settled(0), 'amount_mismatch'],
  ['withdrawal', settled(), returned(-1), 'contradiction'],
];

test.each(contradictions)(
  'of a %s told %j, %j is kept for a reviewer and moves nothing',
  async (kind, first, then, verdict) => {
    const record = await ordered(kind);
    if (first) await told(record, first);
    const before = [await shown(record), await entryCount()];
    expect(await told(record, then, inbound, `m-${record.id}`)).toBe(verdict);
    expect(await told(record, then)).toBe(verdict);
    expect([await shown(record), await entryCount()]).toEqual(before);
    expect(await moneyOf(record)).toEqual([]);
    expect(await messagesOf(record)).toEqual([
      {
        outcome: then.outcome,
        amount: 'amount' in then ? then.amount : null,
        network_reason_code: then.outcome === 'failed' ? then.reason : null,
        reference: `m-${record.id}`,
        record_status: (before[0] as ReplyBody).status,
        suspense_id: null,
        status: 'open',
      },
    ]);
    expect(alarms).toEqual([verdict, verdict]);
  },
);

describe('reported to two processes at once', () => {
  const doors = () => [inbound, elsewhere];

  test('late money comes in once', async () => {
    const load = await ordered('load');
    await told(load, failed);
    const copies = Array.from({ length: 20 }, (_, index) =>
      told(load, settled(), doors()[index % 2]),
    );
    expect((await Promise.all(copies)).sort()).toEqual([...Array(19).fill('known'), 'late']);
    expect(await moneyOf(load)).toHaveLength(1);
  });

  test('no more than was withdrawn is credited at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const withdrawal = await ordered('withdrawal');
      await told(withdrawal, settled());
      const before = await availableOf(ana);
      const parts = [30_00, 31_00].map((cents, index) =>
        told(withdrawal, returned(cents), doors()[index]),
      );
      expect((await Promise.all(parts)).sort()).toEqual(['taken', 'unmatched']);
      const given = (await availableOf(ana)) - before;
      expect([30_00, 31_00]).toContain(given);
    }
  });
});

describe('simulated in the sandbox', () => {
  test('load.paid_late: the money of a failed load goes to suspense', async () => {
    const load = await ordered('load');
    await api.simulate('load.failed', load.record.id);
    expect(await api.simulate('load.paid_late', load.record.id)).toMatchObject({
      status: 'accepted',
    });
    expect(await moneyOf(load)).toMatchObject([{ amount, reason: 'late', status: 'held' }]);
    expect(await refusalOf(api.simulate('load.paid_late', load.record.id))).toMatchObject({
      code: 'invalid_state',
      details: { current_status: 'failed', reason: 'received_before' },
    });
  });

  test('withdrawal.returned: the money of a settled withdrawal is credited to its holder', async () => {
    const withdrawal = await ordered('withdrawal');
    await api.simulate('withdrawal.settled', withdrawal.record.id);
    const before = await availableOf(ana);
    await api.simulate('withdrawal.returned', withdrawal.record.id);
    expect(await availableOf(ana)).toBe(before + amount);
    expect(
      await refusalOf(api.simulate('withdrawal.returned', withdrawal.record.id)),
    ).toMatchObject({
      details: { reason: 'received_before' },
    });
  });

  test.each([
    ['load.paid_late', 'load', 'processing'],
    ['withdrawal.returned', 'withdrawal', 'processing'],
  ] as const)('%s is refused of a %s that is %s', async (event, kind, status) => {
    const record = await ordered(kind);
    expect(await refusalOf(api.simulate(event, record.record.id))).toMatchObject({
      code: 'invalid_state',
      details: { current_status: status },
    });
    expect(await moneyOf(record)).toEqual([]);
  });

  test('load.paid_late is refused for a load without an order to the bank', async () => {
    const load = await api.load(ana, amount);
    await api.simulate('session.canceled', load.id, 'confirmation_declined');
    expect(await refusalOf(api.simulate('load.paid_late', load.id))).toMatchObject({
      details: { current_status: 'failed', reason: 'never_processing' },
    });
  });
});
