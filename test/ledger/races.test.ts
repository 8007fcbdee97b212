import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyLedger } from '../../service/invariants/verify.ts';
import { completeFlow, endFlow, leaveFlow, raceCommands } from './race_commands.ts';
import { newKey, openRaceHouse, type Outcome, type RaceHouse, uuid } from './race_house.ts';
import type { Person } from './race_people.ts';
import { playRounds, type Round } from './rounds.ts';
import { seedOf } from './seeded.ts';
import { seed as seedPerson } from './tmp_seed.ts';

const seed = seedOf(process.env);
const rounds = Number(process.env.ROUNDS ?? 1_000);
const timeout = 300_000;

let house: RaceHouse;
let commands: ReturnType<typeof raceCommands>;

beforeAll(async () => {
  house = await openRaceHouse();
  commands = raceCommands(house.first.service);
}, timeout);
afterAll(async () => { await house.stop(); }, timeout);

const codesOf = (outcomes: readonly Outcome[]) => {
  const counts: Record<string, number> = {};
  for (const { code } of outcomes) counts[code ?? 'done'] = (counts[code ?? 'done'] ?? 0) + 1;
  return counts;
};
const viaOf = (round: Round) => round.number % 2 === 0 ? () => round.number >> 1 : () => round.below(2);

async function report(name: string, started: number) {
  const [a, b] = house.services;
  const [d] = await house.query<{ deadlocks: string; xact_rollback: string }>('select deadlocks, xact_rollback from pg_stat_database where datname = current_database()', []);
  console.log(name, `SEED=${seed}`, `${((performance.now() - started) / 1000).toFixed(1)} s`, 'resent', house.resent(), JSON.stringify(a.engine.stats), JSON.stringify(b.engine.stats), JSON.stringify(d));
}

const people = (n: number, type: 'individual' | 'business', cents: number) =>
  Promise.all(Array.from({ length: n }, () => seedPerson(house, type, cents)));

test('spend', async () => {
  const payers = await people(40, 'business', 10_000);
  const payees = await people(40, 'business', 0);
  const lanes = payers.map((payer, i) => ({ payer, payee: payees[i] as Person }));
  const started = performance.now();
  await playRounds({ name: 'spend', seed, rounds }, lanes, async (round, { payer, payee }) => {
    const via = viaOf(round);
    const input = { payer_customer_id: payer.customerId, payee_customer_id: payee.customerId, amount: 1001, source: 'balance', invoice_reference: 'x' } as const;
    const outcomes = await Promise.all(Array.from({ length: 32 }, () => house.send(commands.createPayment, input, { via: via(), key: newKey() })));
    expect(codesOf(outcomes)).toEqual({ done: 9, insufficient_funds: 23 });
    await Promise.all(outcomes.map(async (o) => {
      if (o.code !== null) return;
      const end = round.below(3);
      const session = { id: uuid('session', o.body.confirmation_session.id), kind: 'session', failure_code: null };
      const r = end === 0 ? await house.send(commands.cancelPayment, { id: o.body.id }, { via: via(), key: newKey() })
        : end === 1 ? await house.send(leaveFlow, session, { via: via() }) : await house.send(endFlow, session, { via: via() });
      expect(r.code).toBe(null);
    }));
    const [b] = await house.query('select available, pending_outgoing from balances where account_id = $1', [payer.accountId]);
    expect(b).toEqual({ available: 10000, pending_outgoing: 0 });
  });
  await report('spend', started);
}, timeout);

test('same key', async () => {
  const payers = await people(40, 'individual', 10_000);
  const [payee] = await people(1, 'business', 0);
  const started = performance.now();
  await playRounds({ name: 'key', seed, rounds }, payers, async (round, payer) => {
    const via = viaOf(round);
    const key = newKey();
    const input = { payer_customer_id: payer.customerId, payee_customer_id: payee!.customerId, amount: 1001, source: 'balance' } as const;
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => house.send(commands.createPayment, input, { via: via(), key })));
    expect(codesOf(outcomes)).toEqual({ done: 8 });
    const done = outcomes as Extract<Outcome, { code: null }>[];
    expect(new Set(done.map((o) => o.text)).size).toBe(1);
    expect(done.filter((o) => !o.replayed)).toHaveLength(1);
    const [b] = await house.query('select available, pending_outgoing from balances where account_id = $1', [payer.accountId]);
    expect(b).toEqual({ available: 10000 - 1001, pending_outgoing: 1001 });
    const cancelKey = newKey();
    const cancels = await Promise.all(Array.from({ length: 8 }, () => house.send(commands.cancelPayment, { id: done[0]!.body.id }, { via: via(), key: cancelKey })));
    expect(codesOf(cancels)).toEqual({ done: 8 });
  });
  await report('key', started);
}, timeout);

test('confirm x cancel x expire', async () => {
  const payers = await people(40, 'individual', 100_000);
  const [payee] = await people(1, 'business', 0);
  const started = performance.now();
  const wins: Record<string, number> = {};
  await playRounds({ name: 'end', seed, rounds }, payers, async (round, payer) => {
    const via = viaOf(round);
    const input = { payer_customer_id: payer.customerId, payee_customer_id: payee!.customerId, amount: 11, source: 'balance' } as const;
    const made = await house.send(commands.createPayment, input, { via: via(), key: newKey() });
    if (made.code !== null) throw new Error(made.code);
    const session = { id: uuid('session', made.body.confirmation_session.id), kind: 'session', failure_code: null };
    const moves = {
      confirm: () => house.send(completeFlow, session, { via: via(), key: newKey() }),
      cancel: () => house.send(commands.cancelPayment, { id: made.body.id }, { via: via(), key: newKey() }),
      expire: () => house.send(endFlow, session, { via: via() }),
    };
    const order = round.shuffle(Object.keys(moves) as (keyof typeof moves)[]);
    const results = await Promise.all(order.map(async (m) => [m, (await moves[m]()).code] as const));
    const winners = results.filter(([, code]) => code === null);
    expect(winners).toHaveLength(1);
    expect(results.filter(([, code]) => code === 'invalid_state')).toHaveLength(2);
    const w = winners[0]![0];
    wins[w] = (wins[w] ?? 0) + 1;
    const events = await house.query<{ type: string }>('select type from events where object_id = $1 order by version', [uuid('payment', made.body.id)]);
    expect(events.map((e) => e.type)).toEqual(['payment.created', w === 'confirm' ? 'payment.completed' : 'payment.canceled']);
    const [b] = await house.query('select pending_outgoing from balances where account_id = $1', [payer.accountId]);
    expect(b).toEqual({ pending_outgoing: 0 });
  });
  await report('end ' + JSON.stringify(wins), started);
}, timeout);

test('20 payers', async () => {
  const lanes = await Promise.all(Array.from({ length: 6 }, async () => ({ payers: await people(20, 'individual', 100_000), shop: (await people(1, 'business', 0))[0] as Person })));
  const started = performance.now();
  let failedAt = 0;
  await playRounds({ name: 'payers', seed, rounds }, lanes, async (round, { payers, shop }) => {
    const via = viaOf(round);
    const request = await house.send(commands.createPaymentRequest, { type: 'dynamic', merchant_customer_id: shop.customerId, amount: 5 }, { via: via(), key: newKey() });
    if (request.code !== null) throw new Error(request.code);
    const made = await Promise.all(payers.map((p) => house.send(commands.createPayment, { payer_customer_id: p.customerId, qr_payload: request.body.qr_payload, source: 'balance' }, { via: via(), key: newKey() })));
    expect(codesOf(made)).toEqual({ done: 20 });
    const ids = made.map((m) => m.code === null ? uuid('payment', m.body.id) : '');
    const confirms = await Promise.all(made.map((m) => m.code === null ? house.send(completeFlow, { id: uuid('session', m.body.confirmation_session.id), kind: 'session', failure_code: null }, { via: via(), key: newKey() }) : m));
    failedAt += codesOf(confirms).done ?? 0;
    const rows = await house.query('select status, failure_code, count(*)::int as n, sum(held_cents)::int as held from payments where id = any($1) group by 1, 2 order by 1', [ids]);
    expect(rows).toEqual([{ status: 'completed', failure_code: null, n: 1, held: 0 }, { status: 'failed', failure_code: 'payment_request_paid', n: 19, held: 0 }]);
  });
  await report('payers ' + failedAt, started);
}, timeout);

test('book', async () => {
  const started = performance.now();
  const v = await verifyLedger(house.first.service.pool);
  const kinds: Record<string, number> = {};
  for (const x of v.violations) kinds[x.invariant] = (kinds[x.invariant] ?? 0) + 1;
  console.log(v.checked, kinds, v.violations.slice(0, 5));
  await report('book', started);
}, timeout);
