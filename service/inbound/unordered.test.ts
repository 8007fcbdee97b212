import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { uuid } from '../../test/kit/ids.ts';
import type { Person } from '../../test/kit/person.ts';
import { refusalOf } from '../../test/kit/refusal.ts';
import { openServer } from '../../test/kit/server.ts';
import type { BankFact, Inbound, ReceivedMoney } from '../rails/facts.ts';
import { openInbound } from './inbound.ts';

/** Money without an order of its own (rules/received-money#1). */

const server = await openServer({ manual: true });
const { api, engine } = server;
const tenantId = server.tenant.tenantId;
let inbound: Inbound;
let logged: Record<string, unknown>[] = [];
let ana: Person;
let cafe: Person;
beforeAll(async () => {
  const { log, engine: own } = server.service;
  const error = (facts: Record<string, unknown>) => void logged.push(facts);
  inbound = openInbound({
    engine: own,
    log: Object.assign(Object.create(log), { error }),
    asks: false,
  });
  ana = await api.banked('individual');
  cafe = await api.banked('business', 'savings');
  await api.fund(ana, 1_000_00);
});
beforeEach(() => {
  logged = [];
});

const amount = 50_00;
let count = 0;
const newId = (): string => {
  count += 1;
  return `payment-${count}-${crypto.randomUUID()}`;
};

const paid = (money: Partial<ReceivedMoney> = {}, id = newId()): BankFact => ({
  id,
  money: {
    amount,
    to: 'fbo',
    sender: null,
    remittance: null,
    endToEndId: null,
    paymentId: id,
    ...money,
  },
});
const tell = (fact: BankFact, tenant = tenantId) => inbound.bank(tenant, fact);

interface Ordered {
  readonly record: ReplyBody;
  readonly orderId: string;
  readonly endToEndId: string;
}
const begins = {
  load: () => api.load(ana, amount),
  payment: () => api.payByBank(ana, cafe, amount),
  withdrawal: () => api.withdraw(ana, amount),
};
async function ordered(kind: keyof typeof begins): Promise<Ordered> {
  const record = await api.confirmed(begins[kind]());
  const [order] = await engine.query(
    'select id from instructions where tenant_id = $1 and source_id = $2',
    uuid(kind, record.id),
  );
  return { record, orderId: order.id, endToEndId: order.id.replaceAll('-', '') };
}

const cash = async (): Promise<number> => {
  const [row] = await engine.query(
    `select coalesce(-sum(delta), 0)::bigint as cents from entries where tenant_id = $1 and pocket = 'cash'`,
  );
  return row.cents;
};
/** The newest unmatched money. */
const newest = async () => {
  const [row] = await engine.query(
    `select s.id, s.amount, s.reason, s.status, s.account_id, s.linked_account_id,
        r.provider_id, r.sender_name, r.sender_last4, r.remittance
      from suspense s left join received_money r on r.tenant_id = s.tenant_id and r.id = s.source_id
      where s.tenant_id = $1 order by s.id desc limit 1`,
  );
  return { shownId: `adj_${row.id.replaceAll('-', '')}`, ...row };
};

describe('money that nobody ordered', () => {
  const sender = { name: 'Otto Marsh', last4: '4321' };

  test('waits in suspense with its sender and their words, without numbers of accounts', async () => {
    const before = await cash();
    const remittance = 'rent for May, from account 001234567890, otto@example.com';
    expect(await tell(paid({ sender, remittance, endToEndId: 'NOTPROVIDED' }))).toBe('unmatched');
    expect(await newest()).toMatchObject({
      amount,
      reason: 'unsolicited',
      status: 'held',
      account_id: null,
      sender_name: 'Otto Marsh',
      sender_last4: '4321',
      remittance: 'rent for May, from account …, [redacted]',
    });
    expect((await cash()) - before).toBe(amount);
    expect(logged).toMatchObject([{ alarm: 'unmatched', kind: 'money_fact' }]);
    expect(JSON.stringify(logged)).not.toMatch(/Otto|rent/);
    await server.prove();
  });

  test('is booked once, whichever fact says it again', async () => {
    const before = await cash();
    const id = newId();
    const fact = paid({}, id);
    expect(await tell(fact)).toBe('unmatched');
    expect(await tell(fact)).toBe('unmatched');
    expect(await tell(paid({ paymentId: id }))).toBe('known');
    const again = await Promise.all(
      Array.from({ length: 5 }, () => tell(paid({ paymentId: `${id} again`.replace(' ', '-') }))),
    );
    expect(again.filter((result) => result === 'unmatched')).toHaveLength(1);
    expect((await cash()) - before).toBe(2 * amount);
  });

  test('is shown on the money desk and assigned to an account by the reviewer', async () => {
    await tell(paid({ sender, remittance: 'deposit' }));
    const item = await newest();
    const detail = await api.get(`/portal/api/unmatched-money/${item.shownId}`);
    expect(detail).toMatchObject({
      record: { source_type: null, source_id: null, reason: 'unsolicited' },
      received: {
        provider_id: item.provider_id,
        sender_name: 'Otto Marsh',
        sender_last4: '4321',
        remittance: 'deposit',
        record_id: null,
      },
      proposals: [],
    });
    const balance = await api.balance(cafe);
    await api.post(`/portal/api/review/suspense/${item.shownId}/match`, {
      account_id: cafe.accountId,
    });
    expect((await api.balance(cafe)).available - balance.available).toBe(amount);
    await server.prove();
  });

  test('goes back by one order to the operating account, where no account to pay to is known', async () => {
    const before = await cash();
    await tell(paid());
    const item = await newest();
    await api.post(`/portal/api/review/suspense/${item.shownId}/return`, {});
    await server.runJobs();
    const [order] = await engine.query(
      'select kind, purpose from instructions where tenant_id = $1 and source_id = $2',
      item.id,
    );
    expect(order).toMatchObject({ kind: 'internal_transfer', purpose: 'return_of_funds' });
    expect(
      await refusalOf(api.post(`/portal/api/review/suspense/${item.shownId}/return`, {})),
    ).toMatchObject({
      code: 'invalid_state',
    });
    await server.runJobs();
    expect((await cash()) - before).toBe(0);
    await server.prove();
  });

  test("that names another Tenant's order names none", async () => {
    const load = await ordered('load');
    const other = await server.anotherTenant();
    const theirs = other.tenantId;
    expect(await tell(paid({ endToEndId: load.endToEndId }), theirs)).toBe('unmatched');
    expect(await api.get(`/v1/loads/${load.record.id}`)).toMatchObject({ status: 'processing' });
    const { rows } = await server.service.pool.query(
      'select reason from suspense where tenant_id = $1',
      [theirs],
    );
    expect(rows).toEqual([{ reason: 'unsolicited' }]);
  });

  test.each<[string, Partial<ReceivedMoney>, string]>([
    ['no amount', { amount: 0 }, 'money.amount'],
    ['a part of a cent', { amount: 1.5 }, 'money.amount'],
    ['another own account', { to: 'operating' as 'fbo' }, 'money.to'],
    ['an empty id', { paymentId: '' }, 'money.paymentId'],
    ['an id with a line break', { paymentId: 'a\nb' }, 'money.paymentId'],
  ])('of %s is refused and books nothing', async (_what, money, param) => {
    const before = await cash();
    await expect(tell(paid(money))).rejects.toMatchObject({ code: 'parameter_invalid', param });
    expect(await cash()).toBe(before);
  });
});

describe.each(['load', 'payment'] as const)('a %s', (kind) => {
  const path = kind === 'load' ? 'loads' : 'payments';
  const shown = ({ record }: Ordered) => api.get(`/v1/${path}/${record.id}`);
  const done = kind === 'load' ? 'settled' : 'completed';

  test('is settled by money that names its order, by end-to-end id or in the words of its sender', async () => {
    for (const naming of [
      ({ endToEndId }: Ordered) => ({ endToEndId }),
      ({ endToEndId }: Ordered) => ({ remittance: `invoice ${endToEndId.toUpperCase()}` }),
      ({ orderId }: Ordered) => ({ remittance: `(${orderId})`, endToEndId: 'NOTPROVIDED' }),
    ]) {
      const order = await ordered(kind);
      expect(await tell(paid(naming(order)))).toBe('taken');
      expect(await shown(order)).toMatchObject({ status: done });
    }
    await server.prove();
  });

  test('that is paid a second time keeps the money in suspense, with its holder named', async () => {
    const order = await ordered(kind);
    const { endToEndId } = order;
    expect(await tell(paid({ endToEndId }))).toBe('taken');
    expect(await tell(paid({ endToEndId }))).toBe('unmatched');
    const item = await newest();
    expect(item).toMatchObject({
      reason: 'paid_twice',
      amount,
      account_id: uuid('account', ana.accountId),
      linked_account_id: uuid('linked_account', ana.linkedAccountId ?? ''),
    });
    expect(await api.get(`/portal/api/unmatched-money/${item.shownId}`)).toMatchObject({
      received: { record_id: order.record.id },
    });
    const { proposals } = await api.get(`/portal/api/unmatched-money/${item.shownId}`);
    expect(proposals[0].reasons[0]).toMatchObject({
      reason: 'named_by_bank',
      record_id: order.record.id,
    });
    await api.post(`/portal/api/review/suspense/${item.shownId}/return`, {});
    const [back] = await engine.query(
      'select kind, purpose, return_of from instructions where tenant_id = $1 and source_id = $2',
      item.id,
    );
    expect(back).toEqual({
      kind: 'credit_transfer',
      purpose: 'return_of_funds',
      return_of: order.orderId,
    });
    await server.prove();
  });

  test('that has failed and is paid twice has both sums in suspense, and each goes back by an order of its own', async () => {
    const { endToEndId, orderId } = await ordered(kind);
    await tell({ id: newId(), orderId, outcome: 'failed', reason: 'AC04' });
    expect(await tell(paid({ endToEndId }))).toBe('late');
    const late = await newest();
    expect(await tell(paid({ endToEndId }))).toBe('unmatched');
    const second = await newest();
    expect([late.reason, second.reason]).toEqual(['late', 'paid_twice']);
    for (const { shownId } of [late, second])
      await api.post(`/portal/api/review/suspense/${shownId}/return`, {});
    const orders = await engine.query(
      'select id from instructions where tenant_id = $1 and return_of = $2',
      orderId,
    );
    expect(orders).toHaveLength(2);
    await server.prove();
  });
});

/** Every order of a list. */
const permutations = <T>(list: readonly T[]): T[][] =>
  list.length < 2
    ? [[...list]]
    : list.flatMap((one, place) =>
        permutations(list.filter((_, other) => other !== place)).map((rest) => [one, ...rest]),
      );

test('two payments of one request are booked twice, in whichever order and words the bank tells them', async () => {
  const words = ['answer', 'first', 'first by its id', 'second'] as const;
  for (const order of permutations(words)) {
    const { orderId, endToEndId } = await ordered('load');
    const [first, second] = [newId(), newId()];
    const facts: Readonly<Record<(typeof words)[number], () => BankFact>> = {
      answer: () => ({ id: newId(), orderId, outcome: 'settled', amount }),
      'first by its id': () => ({
        id: newId(),
        orderId,
        outcome: 'settled',
        amount,
        paymentId: first,
      }),
      first: () => paid({ endToEndId, paymentId: first }),
      second: () => paid({ endToEndId, paymentId: second }),
    };
    const before = await cash();
    for (const word of order) await tell(facts[word]());
    for (const word of order) await tell(facts[word]());
    expect([order, (await cash()) - before]).toEqual([order, 2 * amount]);
  }
  await server.prove();
});

describe('money that names an order which pays out', () => {
  test('is that transfer sent back: its holder has it again, once', async () => {
    const { record, endToEndId, orderId } = await ordered('withdrawal');
    await api.simulate('withdrawal.settled', record.id);
    const before = (await api.balance(ana)).available;
    expect(await tell(paid({ endToEndId }))).toBe('taken');
    expect(await tell({ id: newId(), orderId, outcome: 'returned', amount })).toBe('known');
    expect((await api.balance(ana)).available - before).toBe(amount);
    expect(await tell(paid({ endToEndId }))).toBe('unmatched');
    expect(await newest()).toMatchObject({ reason: 'unsolicited' });
    await server.prove();
  });

  test('waits in suspense while the transfer is not known to be settled, which it does not settle', async () => {
    const { record, endToEndId, orderId } = await ordered('withdrawal');
    expect(await tell(paid({ endToEndId }))).toBe('unmatched');
    expect(await newest()).toMatchObject({ reason: 'returned', amount });
    expect(await api.get(`/v1/withdrawals/${record.id}`)).toMatchObject({ status: 'processing' });
    const before = await cash();
    expect(await tell({ id: newId(), orderId, outcome: 'settled', amount })).toBe('taken');
    expect(await tell({ id: newId(), orderId, outcome: 'returned', amount })).toBe('known');
    expect((await cash()) - before).toBe(-amount);
    await server.prove();
  });
});

describe('bank.money_received', () => {
  test('of a customer is money without an order, with amount and words as they are given', async () => {
    await api.post('/v1/sandbox/simulate/bank.money_received', {
      object_id: ana.customerId,
      amount: 12_34,
      remittance: 'for my account',
    });
    expect(await newest()).toMatchObject({
      reason: 'unsolicited',
      amount: 12_34,
      remittance: 'for my account',
    });
  });

  test('of a load settles it, and then pays it once more', async () => {
    const { record } = await ordered('load');
    await api.simulate('bank.money_received', record.id);
    expect(await api.get(`/v1/loads/${record.id}`)).toMatchObject({ status: 'settled' });
    await api.simulate('bank.money_received', record.id);
    expect(await newest()).toMatchObject({ reason: 'paid_twice' });
  });

  test('of a load that simulate has settled is a second payment', async () => {
    const { record } = await ordered('load');
    await api.simulate('load.settled', record.id);
    await api.simulate('bank.money_received', record.id);
    expect(await newest()).toMatchObject({ reason: 'paid_twice' });
  });

  test('is refused for a load without an order, and its words for another event', async () => {
    const load = await api.load(ana, amount);
    expect(await refusalOf(api.simulate('bank.money_received', load.id))).toMatchObject({
      code: 'invalid_state',
      details: { reason: 'never_processing' },
    });
    const body = { object_id: load.id, amount: 1 };
    expect(await refusalOf(api.post('/v1/sandbox/simulate/load.settled', body))).toMatchObject({
      code: 'parameter_invalid',
      param: 'amount',
    });
  });
});
