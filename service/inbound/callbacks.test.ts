import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '../../test/kit/person.ts';
import { type Choices, choicesOf, seedOf } from '../../test/kit/seed.ts';
import { startTestServer, type TestServer } from '../../test/kit/server.ts';
import { command } from '../core/command.ts';
import { ApiError } from '../core/fail.ts';
import { suspenseChecks } from '../invariants/money/suspense.ts';
import type { BankFact, BankOutcome, FactResult, Inbound } from '../rails/facts.ts';
import { countLoad } from '../resources/limits/load_limits.ts';
import { createLoad } from '../resources/loads/create.ts';
import { confirmLoad } from '../resources/loads/moves.ts';
import { loads } from '../resources/loads/table.ts';
import { completeSession, openSession } from '../resources/sessions/open.ts';
import { payOut } from '../resources/withdrawals/moves.ts';
import { openInbound } from './inbound.ts';

/** A bank that sends doubled, reordered and contradictory messages. */
const people = 80;
/** Sequences of each kind and customer. */
const sequencesEach = 63;
const amount = 10_00;
const seed = seedOf(process.env);

let server: TestServer;
let inbound: Inbound;
let tenantId: string;
const persons: Person[] = [];

const limit = { individual: 1_000_000_000, business: null };
const limits = Object.fromEntries(
  ['load_per_transaction', 'load_daily', 'load_30_day', 'balance_maximum'].map((name) => [
    name,
    limit,
  ]),
);

beforeAll(async () => {
  console.log(`SEED=${seed}`);
  server = await startTestServer({ manual: true });
  tenantId = server.tenant.tenantId;
  const { engine, log } = server.service;
  const silent = Object.assign(Object.create(log), { error: () => {} });
  inbound = openInbound({ engine, log: silent });
  await server.service.pool.query(
    'update tenants set settings = settings || $2, revision = revision + 1 where tenant_id = $1',
    [tenantId, JSON.stringify({ limits })],
  );
  const made = Array.from({ length: people }, () => server.api.banked('individual'));
  persons.push(...(await Promise.all(made)));
  await Promise.all(persons.map((person) => server.api.fund(person, sequencesEach * amount)));
});
afterAll(() => server.stop(), 60_000);

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
          created_at: work.now,
          confirmed_at: null,
          settled_at: null,
        },
        'create',
      );
      confirmLoad(work, { load, account, link, session: null, counters: null as never });
      completeSession(work, opened.row, load.status, null);
      payOut(work, account, link, amount);
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
}
type Predict = (record: Expected, told: BankOutcome) => FactResult;

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
  if (told.outcome === 'settled' && told.amount !== amount) return 'amount_mismatch';
  if (status === 'failed') return 'contradiction';
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
function said(choices: Choices): BankOutcome {
  const cents = choices.pick([amount, amount, amount, 4_00, 6_00, amount + 1]);
  return choices.pick<BankOutcome>([
    { outcome: 'settled', amount: cents },
    { outcome: 'settled', amount },
    { outcome: 'failed', reason: choices.pick(['AC04', 'AM04']) },
    { outcome: 'returned', amount: cents },
  ]);
}

/** Some facts of one order, some of them twice, under the same id or another, in any order. */
function sequence(choices: Choices, orderId: string): BankFact[] {
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
async function hear(fact: BankFact): Promise<FactResult> {
  for (;;) {
    try {
      return await inbound.bank(tenantId, fact);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 503) throw error;
    }
  }
}

/** Reports one sequence, and compares every result with the prediction. */
async function tell({ id, source_type, source_id }: Order): Promise<[string, Expected]> {
  const expected: Expected = { status: 'processing', credited: 0, money: new Map() };
  const heard = new Map<string, FactResult>();
  const facts = sequence(choicesOf(seed, `${source_type} ${places.get(source_id)}`), id);
  for (const fact of facts) {
    const verdict = heard.get(fact.id) ?? predictions[source_type](expected, fact);
    heard.set(fact.id, verdict);
    const given = await hear(fact);
    if (given !== verdict)
      throw new Error(`${given} instead of ${verdict}: ${source_type} ${JSON.stringify(facts)}`);
  }
  return [source_id, expected];
}

/** The position of each order, so that its sequence follows from the seed. */
const places = new Map<string, number>();

/**
 * Reports all at once, but the loads and the withdrawals of one customer one by one: they share a row,
 * so batches under way together would only rerun.
 */
async function tellAll(orders: readonly Order[]): Promise<Map<string, Expected>> {
  const lines = new Map<string, Order[]>();
  for (const [place, order] of orders.entries()) {
    places.set(order.source_id, place);
    const key = `${order.source_type} ${order.linked_account_id}`;
    lines.set(key, [...(lines.get(key) ?? []), order]);
  }
  const told: [string, Expected][] = [];
  const teller = async (line: readonly Order[]) => {
    for (const order of line) told.push(await tell(order));
  };
  await Promise.all([...lines.values()].map(teller));
  return new Map(told);
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

test('ten thousand doubled, reordered and contradictory sequences credit no money twice', async () => {
  const funded = new Set((await found()).map(({ id }) => id));
  for (const { customerId } of persons) await server.engine.run(order, { customerId });
  const orders = await query<Order>(
    `select id, source_type, source_id, linked_account_id from instructions
     where tenant_id = $1 order by linked_account_id, source_type, id`,
  );
  const waiting = orders.filter(({ source_id }) => !funded.has(source_id));
  expect(waiting.length).toBeGreaterThan(10_000);
  const predicted = await tellAll(waiting);
  const records = (await found()).filter(({ id }) => !funded.has(id));
  expect(records).toHaveLength(waiting.length);
  for (const { id, ...record } of records) {
    const { money, ...expected } = predicted.get(id) ?? {};
    const kept = money && money.size > 0 ? Object.fromEntries(money) : null;
    expect({ id, ...record }).toEqual({ id, ...expected, money: kept });
  }
  for (const { sql } of suspenseChecks)
    expect((await server.service.pool.query(sql)).rows).toEqual([]);
});
