import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { command } from '@tenant-payments/engine/command.ts';
import { ApiError } from '@tenant-payments/engine/fail.ts';
import { expect } from 'vitest';
import type { Person } from '../../test/kit/person.ts';
import { type Choices, choicesOf } from '../../test/kit/seed.ts';
import { openServer } from '../../test/kit/server.ts';
import { type ProofContext, proofTest } from '../../test/prove/proof.ts';
import { suspenseChecks } from '../invariants/money/suspense.ts';
import type { BankOutcome, FactResult, OrderFact } from '../rails/facts.ts';
import { countLoad } from '../resources/limits/load_limits.ts';
import { createLoad } from '../resources/loads/create.ts';
import { confirmLoad } from '../resources/loads/moves.ts';
import { loads } from '../resources/loads/table.ts';
import { completeSession, openSession } from '../resources/sessions/open.ts';
import { payOut } from '../resources/withdrawals/moves.ts';
import { openInbound } from './inbound.ts';

/** A bank that sends doubled, reordered and contradictory messages. */

/** Sequences of each kind and customer. */
const sequencesEach = 63;
const amount = 10_00;

const server = await openServer({ manual: true });
const { tenantId } = server.tenant;
const { engine, log } = server.service;
const silent = Object.assign(Object.create(log), { error: () => {} });
const inbound = openInbound({ engine, log: silent, asks: false });

const limit = { individual: 1_000_000_000, business: null };
const limits = Object.fromEntries(
  ['load_per_transaction', 'load_daily', 'load_30_day', 'balance_maximum'].map((name) => [
    name,
    limit,
  ]),
);

/** Customers with the money for all that they are paid out. */
async function openPeople(count: number): Promise<Person[]> {
  await server.service.pool.query(
    'update tenants set settings = settings || $2, revision = revision + 1 where tenant_id = $1',
    [tenantId, JSON.stringify({ limits })],
  );
  const made = Array.from({ length: count }, () => server.api.banked('individual'));
  const people = await Promise.all(made);
  await Promise.all(people.map((person) => server.api.fund(person, sequencesEach * amount)));
  return people;
}

/** Makes loads of one customer with orders to the bank, and as many withdrawals. */
const order = command('order', {
  load: (read, { customerId }: { customerId: string }) =>
    createLoad.load(read, { customer_id: customerId, amount }, undefined),
  decide: (work, { customer, account, counters, links: [link] }) => {
    if (!customer || !account || !counters || !link) throw new Error('a customer with a bank');
    for (let index = 0; index < sequencesEach; index += 1) {
      const claim = { customer, openedAt: account.opened_at, ledgerCents: 0, amount };
      const counted = countLoad(work, counters, claim);
      const id = work.newId();
      const opened = openSession(work, {
        flow: 'payment_confirm',
        customerId: customer.id,
        target: { type: 'load', id },
        returnUrl: null,
      });
      const load = work.create(
        loads,
        {
          id,
          customer_id: customer.id,
          account_id: account.id,
          linked_account_id: link.id,
          amount,
          failure_code: null,
          network_reason_code: null,
          session_id: opened.row.id,
          ...counted,
          bank_order_id: null,
          metadata: null,
          created_at: work.now,
          confirmed_at: null,
          settled_at: null,
        },
        'create',
      );
      const session = { id: load.session_id, row: null };
      confirmLoad(work, { load, account, link, session, counters: null as never });
      completeSession(work, opened.row, load.status, null);
      payOut(work, account, link, amount, randomUUID());
    }
    return { value: null };
  },
});

/** The predicted result for a record. */
interface Expected {
  status: 'processing' | 'settled' | 'failed';
  /** Cents credited to the customer since the order. */
  credited: number;
  /** Every amount that came to suspense, and its status. */
  readonly money: Map<number, 'held' | 'matched'>;
  /** The bank has said that it sent another amount, which nobody books here. */
  isOtherSent: boolean;
}
/** The answers of this bank. */
type Answer = Extract<BankOutcome, { outcome: 'settled' | 'failed' | 'returned' }>;
type Predict = (record: Expected, told: Answer) => FactResult;

function takeIn({ money }: Expected, cents: number, verdict: FactResult): FactResult {
  if (money.has(cents)) return 'known';
  money.set(cents, 'held');
  return verdict;
}

const load: Predict = (record, told) => {
  const { status } = record;
  if (told.outcome === 'returned') return 'contradiction';
  if (told.outcome === 'failed') {
    if (status === 'processing') record.status = 'failed';
    return status === 'processing' ? 'taken' : status === 'failed' ? 'known' : 'contradiction';
  }
  if (status === 'failed') return takeIn(record, told.amount, 'late');
  if (told.amount !== amount) return takeIn(record, told.amount, 'amount_mismatch');
  record.status = 'settled';
  record.credited = amount;
  return status === 'processing' ? 'taken' : 'known';
};

const withdrawal: Predict = (record, told) => {
  const { status } = record;
  if (told.outcome === 'failed') {
    if (status === 'processing') record.status = 'failed';
    if (status === 'processing') record.credited = amount;
    return status === 'processing' ? 'taken' : status === 'failed' ? 'known' : 'contradiction';
  }
  if (told.outcome === 'settled' && told.amount !== amount) {
    record.isOtherSent = true;
    return 'amount_mismatch';
  }
  if (status === 'failed') return 'contradiction';
  if (told.outcome === 'returned' && status === 'processing' && record.isOtherSent)
    return takeIn(record, told.amount, 'unmatched');
  record.status = 'settled';
  if (told.outcome === 'settled') return status === 'processing' ? 'taken' : 'known';
  if (record.money.has(told.amount)) return 'known';
  const given = [...record.money.keys()].reduce((sum, cents) => sum + cents, 0);
  const fits = given + told.amount <= amount;
  record.money.set(told.amount, fits ? 'matched' : 'held');
  if (fits) record.credited += told.amount;
  return fits ? 'taken' : 'unmatched';
};

const predictions = { load, withdrawal } as const;

/** A random answer of the bank: mostly the exact amount, sometimes another. */
function said(choices: Choices): Answer {
  const cents = choices.pick([amount, amount, amount, 4_00, 6_00, amount + 1]);
  return choices.pick<Answer>([
    { outcome: 'settled', amount: cents },
    { outcome: 'settled', amount },
    { outcome: 'failed', reason: choices.pick(['AC04', 'AM04']) },
    { outcome: 'returned', amount: cents },
  ]);
}

/** Some facts of one order, some of them twice, under the same id or another, in any order. */
function sequence(choices: Choices, orderId: string): (OrderFact & Answer)[] {
  const id = () => crypto.randomUUID();
  const facts = Array.from({ length: 1 + choices.below(3) }, () => ({
    id: id(),
    orderId,
    ...said(choices),
  }));
  const doubled = facts.filter(() => choices.percent(40));
  const again = doubled.map((fact) => (choices.percent(50) ? fact : { ...fact, id: id() }));
  return choices.shuffle([...facts, ...again]);
}

type Kind = keyof typeof predictions;
interface Order {
  readonly id: string;
  readonly source_type: Kind;
  readonly source_id: string;
  readonly linked_account_id: string;
}

/** Reports a fact, again after each 503. */
async function hear(fact: OrderFact): Promise<FactResult> {
  for (;;) {
    try {
      return await inbound.bank(tenantId, fact);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 503) throw error;
    }
  }
}

interface Told {
  readonly expected: ReadonlyMap<string, Expected>;
  /** Results that were not predicted. */
  readonly violations: readonly string[];
}

/**
 * Reports a sequence for each order and compares every result with the prediction: all at once, but the loads
 * and the withdrawals of one customer one by one, since they share a row and batches under way together would
 * only rerun.
 */
async function tellAll(orders: readonly Order[], { seed, progress }: ProofContext): Promise<Told> {
  const told = new Map<string, Expected>();
  const violations: string[] = [];

  async function tell({ id, source_type, source_id }: Order, place: number): Promise<void> {
    const expected: Expected = {
      status: 'processing',
      credited: 0,
      money: new Map(),
      isOtherSent: false,
    };
    const heard = new Map<string, FactResult>();
    const facts = sequence(choicesOf(seed, `${source_type} ${place}`), id);
    for (const fact of facts) {
      const verdict = heard.get(fact.id) ?? predictions[source_type](expected, fact);
      heard.set(fact.id, verdict);
      const given = await hear(fact);
      if (given !== verdict)
        violations.push(`${given} instead of ${verdict}: ${source_type} ${JSON.stringify(facts)}`);
    }
    told.set(source_id, expected);
    progress(told.size);
  }

  const lines = new Map<string, (() => Promise<void>)[]>();
  for (const [place, order] of orders.entries()) {
    const key = `${order.source_type} ${order.linked_account_id}`;
    lines.set(key, [...(lines.get(key) ?? []), () => tell(order, place)]);
  }
  const inTurn = async (line: readonly (() => Promise<void>)[]) => {
    for (const next of line) await next();
  };
  await Promise.all([...lines.values()].map(inTurn));
  return { expected: told, violations };
}

const query = async <Row extends object>(sql: string): Promise<Row[]> =>
  (await server.service.pool.query(sql, [tenantId])).rows;

/** Each record in the database: its status, the cents credited, the money in suspense. */
const found = () =>
  query<{ id: string; status: string; credited: number; money: Record<string, string> | null }>(
    `select r.id, r.status, coalesce(c.credited, 0) as credited, s.money
     from (select tenant_id, id, status from loads
       union all select tenant_id, id, status from withdrawals) r
     left join (select coalesce(s.source_id, e.source_id) as id, sum(e.delta)::bigint as credited
       from entries e left join suspense s on s.tenant_id = e.tenant_id and s.id = e.source_id
       where e.pocket = 'available'
         and e.step in ('load_settled', 'withdrawal_released', 'suspense_matched') group by 1) c
       on c.id = r.id
     left join (select source_id as id, jsonb_object_agg(amount, status) as money from suspense
       group by source_id) s on s.id = r.id
     where r.tenant_id = $1`,
  );

proofTest(
  'doubled, reordered and contradictory messages of the bank credit no money twice',
  1_000,
  async (context) => {
    const people = await openPeople(Math.ceil(context.rounds / 2 / sequencesEach));
    const funded = new Set((await found()).map(({ id }) => id));
    for (const { customerId } of people) await server.engine.run(order, { customerId });
    const orders = await query<Order>(
      `select id, source_type, source_id, linked_account_id from instructions
       where tenant_id = $1 and source_type <> 'adjustment' order by linked_account_id, source_type, id`,
    );
    const waiting = orders.filter(({ source_id }) => !funded.has(source_id));
    const told = await tellAll(waiting, context);
    const records = (await found()).filter(({ id }) => !funded.has(id));
    expect(records).toHaveLength(waiting.length);
    const violations = [...told.violations];
    for (const { id, ...record } of records) {
      const { money, isOtherSent: _, ...expected } = told.expected.get(id) ?? {};
      const kept = money && money.size > 0 ? Object.fromEntries(money) : null;
      const wanted = { ...expected, money: kept };
      if (!isDeepStrictEqual({ ...record }, wanted))
        violations.push(`${id} is ${JSON.stringify(record)}, not ${JSON.stringify(wanted)}`);
    }
    for (const { sql } of suspenseChecks)
      expect((await server.service.pool.query(sql)).rows).toEqual([]);
    return { rounds: records.length, violations };
  },
);
