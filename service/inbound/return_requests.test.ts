import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { uuid } from '../../test/kit/ids.ts';
import type { Person } from '../../test/kit/person.ts';
import { refusalOf } from '../../test/kit/refusal.ts';
import { openServer } from '../../test/kit/server.ts';
import type { ReturnAnswer } from '../rails/bank.ts';
import type { BankFact, Inbound, ReturnRequestFact } from '../rails/facts.ts';
import { returnAnswerJob, returnDueJob } from '../resources/return_requests/jobs.ts';
import { acceptReturnRequest } from '../resources/return_requests/moves.ts';
import { openInbound } from './inbound.ts';

/** Requests of other banks to give money back (rules/received-money#5). */

const server = await openServer({ manual: true });
const { api, engine } = server;
const tenantId = server.tenant.tenantId;
let inbound: Inbound;
let logged: Record<string, unknown>[] = [];
const log = () => {
  const error = (facts: Record<string, unknown>) => void logged.push(facts);
  return Object.assign(Object.create(server.service.log), { error });
};
let ana: Person;
beforeAll(async () => {
  inbound = openInbound({ engine: server.service.engine, log: log(), asks: false });
  ana = await api.banked('individual');
});
beforeEach(() => {
  logged = [];
});

const amount = 40_00;
let count = 0;
const newId = (): string => {
  count += 1;
  return `request-${count}-${crypto.randomUUID()}`;
};
const tell = (fact: BankFact, tenant = tenantId) => inbound.bank(tenant, fact);
const answerBy = async (seconds: number) => {
  const { now } = await api.get('/portal/api/clock');
  return new Date(Date.parse(now) + seconds * 1_000).toISOString();
};
const asked = async (
  of: string,
  more: Partial<ReturnRequestFact['returnRequest']> = {},
  id = newId(),
): Promise<ReturnRequestFact> => ({
  id,
  returnRequest: {
    of,
    amount,
    reason: 'FRAD',
    text: null,
    answerBy: await answerBy(3 * 86_400),
    ...more,
  },
});

async function settledLoad(person = ana): Promise<{ record: ReplyBody; orderId: string }> {
  const record = await api.confirmed(api.load(person, amount));
  const [order] = await engine.query(
    'select id from instructions where tenant_id = $1 and source_id = $2',
    uuid('load', record.id),
  );
  await api.simulate('load.settled', record.id);
  return { record, orderId: order.id };
}
const newest = async () => {
  const [row] = await engine.query(
    'select id, status, accepted_amount, told, reason, text, source_id from return_requests where tenant_id = $1 order by id desc limit 1',
  );
  return { shownId: publicId('return_request', row.id), ...row };
};
const requested = async (of: string, more = {}, id = newId()) => {
  await tell(await asked(of, more, id));
  return { bankId: id, ...(await newest()) };
};
const move = (id: string, name: 'accept' | 'refuse', body = {}) =>
  api.post(`/portal/api/review/return-requests/${id}/${name}`, body);
const ordersOf = (requestId: string) =>
  engine.query(
    'select id, kind, purpose, amount, return_of, answer from instructions where tenant_id = $1 and source_id = $2',
    requestId,
  );
const cash = async (): Promise<number> => {
  const [row] = await engine.query(
    `select coalesce(-sum(delta), 0)::bigint as cents from entries where tenant_id = $1 and pocket = 'cash'`,
  );
  return row.cents;
};
const available = async (person = ana) => (await api.balance(person)).available;

describe('a request about a settled load', () => {
  test('waits at the desk with its reason, its words and its deadline, and moves nothing', async () => {
    const { record, orderId } = await settledLoad();
    const before = await cash();
    const fact = await asked(orderId, { text: 'not authorised by 001234567890' });
    expect(await tell(fact)).toBe('taken');
    expect(await tell({ ...fact })).toBe('taken');
    const { shownId } = await newest();
    expect(await api.get(`/portal/api/cases/return-requests/${shownId}`)).toMatchObject({
      status: 'open',
      due_at: fact.returnRequest.answerBy,
      late: false,
      amount,
      moves: ['accept', 'refuse'],
      customer_id: ana.customerId,
      record: {
        source_id: record.id,
        account_id: ana.accountId,
        reason: 'FRAD',
        text: 'not authorised by …',
        reference: fact.id,
      },
    });
    expect(await cash()).toBe(before);
    expect(logged).toEqual([]);
  });

  test('is accepted by one order to the bank account that it came from, once', async () => {
    const { orderId } = await settledLoad();
    const request = await requested(orderId);
    const before = { cash: await cash(), available: await available() };
    expect(await move(request.shownId, 'accept')).toMatchObject({
      status: 'accepted',
      accepted_amount: amount,
      told: 'waiting',
    });
    expect(await available()).toBe(before.available - amount);
    expect(await ordersOf(request.id)).toMatchObject([
      {
        kind: 'credit_transfer',
        purpose: 'return_of_funds',
        amount,
        return_of: orderId,
      },
    ]);
    expect(await refusalOf(move(request.shownId, 'accept'))).toMatchObject({
      code: 'invalid_state',
    });
    for (let round = 0; round < 3; round += 1) await server.runJobs();
    expect(await ordersOf(request.id)).toMatchObject([{ answer: 'settled' }]);
    expect(await cash()).toBe(before.cash - amount);
    expect(await newest()).toMatchObject({ told: 'told' });
    await server.prove();
  });

  test('is accepted in part, at most what the account has, and at most what the load was', async () => {
    const ben = await api.banked('individual');
    const { orderId } = await settledLoad(ben);
    await api.confirmed(api.withdraw(ben, 30_00));
    const request = await requested(orderId);
    expect(await refusalOf(move(request.shownId, 'accept'))).toMatchObject({
      code: 'insufficient_funds',
      details: { available: 10_00, required: amount },
    });
    expect(await refusalOf(move(request.shownId, 'accept', { amount: amount + 1 }))).toMatchObject({
      code: 'parameter_invalid',
      param: 'amount',
    });
    await move(request.shownId, 'accept', { amount: 6_00 });
    const second = await requested(orderId);
    await api.fund(ben, 100_00);
    expect(await refusalOf(move(second.shownId, 'accept'))).toMatchObject({
      code: 'parameter_invalid',
      details: { reason: 'above_received', maximum: 34_00 },
    });
    await move(second.shownId, 'accept', { amount: 34_00 });
    await server.prove();
  });

  test('whose money is gone is refused with words for the other bank, and moves nothing', async () => {
    const { orderId } = await settledLoad();
    const request = await requested(orderId);
    const before = await cash();
    expect(await refusalOf(move(request.shownId, 'refuse'))).toMatchObject({
      code: 'parameter_missing',
      param: 'finding',
    });
    expect(await move(request.shownId, 'refuse', { finding: 'the money is spent' })).toMatchObject({
      status: 'refused',
      accepted_amount: null,
    });
    await server.runJobs();
    expect(await ordersOf(request.id)).toEqual([]);
    expect(await cash()).toBe(before);
    await server.prove();
  });

  test('that no bank takes back stands in suspense, with its account named', async () => {
    const { orderId } = await settledLoad();
    const request = await requested(orderId);
    const before = await cash();
    await engine.run(acceptReturnRequest(server.service), {
      id: request.id,
      amount: null,
      finding: null,
    });
    expect(await cash()).toBe(before);
    await server.prove();
    const [order] = await ordersOf(request.id);
    const failed = { outcome: 'failed', reason: 'AC04' } as const;
    await tell({ id: newId(), orderId: order.id, ...failed });
    expect(
      await engine.query(
        'select reason, amount, account_id from suspense where tenant_id = $1 and source_id = $2',
        request.id,
      ),
    ).toEqual([{ reason: 'undeliverable', amount, account_id: uuid('account', ana.accountId) }]);
    await server.prove();
  });
});

describe('a request', () => {
  test('is kept once, also when its bank repeats it in another message', async () => {
    const { orderId } = await settledLoad();
    const id = newId();
    const fact = await asked(orderId, {}, id);
    await Promise.all([1, 2, 3].map(() => tell(fact)));
    const [row] = await engine.query(
      'select count(*)::integer as count from return_requests where tenant_id = $1 and reference = $2',
      id,
    );
    expect(row.count).toBe(1);
  });

  test("about another Tenant's order is unknown: it names nothing, and can only be refused", async () => {
    const { orderId } = await settledLoad();
    const other = await server.anotherTenant();
    expect(await tell(await asked(orderId), other.tenantId)).toBe('unknown');
    expect(logged).toMatchObject([{ alarm: 'unknown' }]);
    const { rows } = await server.service.pool.query(
      'select id, order_id, source_id, account_id from return_requests where tenant_id = $1',
      [other.tenantId],
    );
    expect(rows).toMatchObject([{ order_id: null, source_id: null, account_id: null }]);
    const theirs = server.apiOf(other);
    const id = publicId('return_request', rows[0].id);
    expect(
      await refusalOf(theirs.post(`/portal/api/review/return-requests/${id}/accept`, {})),
    ).toMatchObject({ code: 'invalid_state', details: { reason: 'nothing_to_give_back' } });
  });

  test('about money that nobody ordered gives that money back, whole', async () => {
    const id = newId();
    const money = { amount, to: 'fbo', sender: null, remittance: null, endToEndId: null } as const;
    await tell({ id, money: { ...money, paymentId: id } });
    const request = await requested(id);
    const before = await cash();
    expect(await refusalOf(move(request.shownId, 'accept', { amount: 1 }))).toMatchObject({
      details: { reason: 'whole_amount_only' },
    });
    await move(request.shownId, 'accept');
    for (let round = 0; round < 3; round += 1) await server.runJobs();
    expect(await cash()).toBe(before - amount);
    await server.prove();
  });

  test.each<[string, object]>([
    ['returnRequest.amount', { amount: 0 }],
    ['returnRequest.of', { of: '' }],
    ['returnRequest.answerBy', { answerBy: 'tomorrow' }],
  ])('with a bad %s is refused', async (param, more) => {
    await expect(tell(await asked('unknown', more))).rejects.toMatchObject({
      code: 'parameter_invalid',
      param,
    });
  });

  test('nobody has answered alarms a day before its time, when it is over, and then each business day', async () => {
    const { orderId } = await settledLoad();
    const request = await requested(orderId);
    const dueAt = async () => {
      const [job] = await engine.query(
        `select due_at from jobs where tenant_id = $1 and name = 'return_request_due' and ref = $2`,
        request.id,
      );
      return job?.due_at;
    };
    const [{ answer_by }] = await engine.query(
      'select answer_by from return_requests where tenant_id = $1 and id = $2',
      request.id,
    );
    const { db, config } = server.service;
    const job = returnDueJob({ db, config, log: log() });
    const alarms = () => logged.filter((line) => line.alarm === 'return_request');
    expect(Date.parse(answer_by) - Date.parse(await dueAt())).toBe(86_400_000);
    await api.advance(2 * 86_400 + 60);
    expect(await dueAt()).toBe(answer_by);
    await engine.run(job, { ref: request.id });
    expect(alarms()).toMatchObject([{ answer_by, tenant_id: tenantId }]);
    await api.advance(86_400);
    expect(Date.parse(await dueAt())).toBeGreaterThan(Date.parse(answer_by));
    expect(await api.get(`/portal/api/cases/return-requests/${request.shownId}`)).toMatchObject({
      late: true,
    });
    await engine.run(job, { ref: request.id });
    expect(alarms()).toHaveLength(2);
    await move(request.shownId, 'refuse', { finding: 'too late to find it' });
    expect(await dueAt()).toBeUndefined();
    await engine.run(job, { ref: request.id });
    expect(alarms()).toHaveLength(2);
    await server.prove();
  });
});

describe('the answer', () => {
  const accepted = async (body = {}) => {
    const { orderId } = await settledLoad();
    const request = await requested(orderId);
    await move(request.shownId, 'accept', body);
    return request;
  };
  /** The answer's job as it stands before it has run. */
  const again = (id: string) =>
    engine.query(
      `update return_requests set told = 'waiting' where tenant_id = $1 and id = $2`,
      id,
    );

  test('is told after the commit, and again after a crash before it was recorded; the money moves once', async () => {
    const request = await accepted({ amount: 15_00, finding: 'a part is left' });
    const told: ReturnAnswer[] = [];
    const bank = {
      take: async () => {},
      answerReturnRequest: async (answer: ReturnAnswer) => {
        told.push(answer);
        if (told.length === 1) throw new Error('the process ends before it has heard');
      },
    };
    await again(request.id);
    const job = returnAnswerJob({ db: server.service.db, log: log(), bank });
    await expect(engine.run(job, { ref: request.id })).rejects.toThrow('the process ends');
    expect(await newest()).toMatchObject({ told: 'waiting' });
    await engine.run(job, { ref: request.id });
    await engine.run(job, { ref: request.id });
    const answer = {
      tenantId,
      id: request.bankId,
      answer: 'partial',
      amount: 15_00,
      text: 'a part is left',
    };
    expect(told).toEqual([answer, answer]);
    expect(await newest()).toMatchObject({ told: 'told' });
    for (let round = 0; round < 3; round += 1) await server.runJobs();
    expect(await ordersOf(request.id)).toMatchObject([{ amount: 15_00 }]);
  });

  test('of a bank that takes none is told by a person', async () => {
    const request = await accepted();
    await again(request.id);
    const bank = { take: async () => {} };
    await engine.run(returnAnswerJob({ db: server.service.db, log: log(), bank }), {
      ref: request.id,
    });
    expect(await newest()).toMatchObject({ told: 'by_hand' });
  });

  test('that the bank refuses for ever is told by a person, with an alarm', async () => {
    const request = await accepted();
    await again(request.id);
    const answerReturnRequest = () =>
      Promise.reject(Object.assign(new Error('too late'), { name: 'Refused', reason: 'ARDT' }));
    const bank = { take: async () => {}, answerReturnRequest };
    const job = returnAnswerJob({ db: server.service.db, log: log(), bank });
    await engine.run(job, { ref: request.id });
    expect(await newest()).toMatchObject({ told: 'by_hand' });
    expect(logged).toMatchObject([{ alarm: 'return_request', refused_for: 'ARDT' }]);
    expect(await engine.jobs(request.id)).toEqual([]);
  });
});

test('bank.return_requested asks for the money of a settled load back, and of no other', async () => {
  const { record } = await settledLoad();
  await api.post('/v1/sandbox/simulate/bank.return_requested', {
    object_id: record.id,
    amount: 12_00,
    remittance: 'our customer did not order it',
  });
  expect(await newest()).toMatchObject({
    source_id: uuid('load', record.id),
    reason: 'FRAD',
    text: 'our customer did not order it',
  });
  const waiting = await api.confirmed(api.load(ana, amount));
  expect(await refusalOf(api.simulate('bank.return_requested', waiting.id))).toMatchObject({
    code: 'invalid_state',
  });
});
