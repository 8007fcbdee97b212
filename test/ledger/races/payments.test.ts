import { expect, test } from 'vitest';
import { uuid } from '../../kit/ids.ts';
import { openPeople, type Person } from '../customers.ts';
import { type Outcome, recordOf } from '../sender.ts';
import { playRounds, raceAmong, raceMs, server } from './server.ts';
import { engineOf, eventsOf, openVerbs, pocketsOf, tally, times } from './verbs.ts';

/** Many lanes at once: what a round waits for is a batch, and rounds of others share it. */
let consumers: readonly Person[];

raceAmong(async () => {
  consumers = await openPeople(server, 120, 'individual', 10_000);
}, {});

const done = (outcomes: readonly Outcome[]) =>
  outcomes.filter(({ code }) => code === 'done').map(recordOf);

test(
  'of 32 payments of 10.01 made at once from 100.00 exactly 9 hold',
  async () => {
    const amount = 1_001;
    const endings = ['cancel', 'session.completed', 'session.canceled', 'session.expired'] as const;
    const payers = await openPeople(server, 24, 'business', 10_000);
    const payees = await openPeople(server, 24, 'business', 0);
    const lanes = payers.map((payer, index) => ({ payer, payee: payees[index] as Person }));

    await playRounds('spend', lanes, async (round, { payer, payee }) => {
      const verbs = openVerbs(server, engineOf(round));
      const outcomes = await times(32, () => verbs.pay(payer, payee, amount));
      expect(tally(outcomes)).toEqual({ done: 9, insufficient_funds: 23 });
      const held = await pocketsOf(server, payer);
      expect(held).toMatchObject({ available: 991, pending_outgoing: 9_009 });

      const ends = done(outcomes).map((payment) => ({ payment, how: round.pick(endings) }));
      const ended = await Promise.all(
        ends.map(({ payment, how }) =>
          how === 'cancel' ? verbs.cancel(payment) : verbs.simulate(how, payment),
        ),
      );
      expect(tally(ended)).toEqual({ done: 9 });

      const spent = ends.filter(({ how }) => how === 'session.completed').length * amount;
      const available = 10_000 - spent;
      expect(await pocketsOf(server, payer)).toEqual({
        available,
        pending_outgoing: 0,
        earmarked: 0,
      });
      if (spent > 0) await verbs.confirmed(verbs.pay(payee, payer, spent));
    });
  },
  raceMs,
);

test(
  'of confirm, cancel and expiry at once exactly one wins, the others are invalid_state, and it has one event',
  async () => {
    const [shop] = (await openPeople(server, 1, 'business', 0)) as [Person];
    const eventAfter = {
      confirm: 'payment.completed',
      cancel: 'payment.canceled',
      expire: 'payment.canceled',
    } as const;

    await playRounds('endings', consumers, async (round, payer) => {
      const verbs = openVerbs(server, engineOf(round));
      const made = recordOf(await verbs.pay(payer, shop, 11));
      const { confirmation_session: session } = made;
      const moves = {
        confirm: () => verbs.confirm(session),
        cancel: () => verbs.cancel(made),
        expire: () => verbs.simulate('session.expired', session),
      };
      const order = round.shuffle(['confirm', 'cancel', 'expire'] as const);
      const outcomes = await Promise.all(order.map((move) => moves[move]()));
      expect(tally(outcomes)).toEqual({ done: 1, invalid_state: 2 });

      const winner = order[outcomes.findIndex(({ code }) => code === 'done')] ?? 'confirm';
      const events = await eventsOf(server, uuid('payment', made.id));
      expect(events).toEqual(['payment.created', eventAfter[winner]]);
      expect(await pocketsOf(server, payer)).toMatchObject({ pending_outgoing: 0 });
    });
  },
  raceMs,
);

test(
  'of 20 payers of one dynamic code one completes, 19 fail payment_request_paid, and nothing stays held',
  async () => {
    const shops = await openPeople(server, 6, 'business', 0);
    const lanes = shops.map((shop, index) => {
      const first = index * 20;
      return { shop, payers: consumers.slice(first, first + 20) };
    });

    await playRounds('one code', lanes, async (round, { shop, payers }) => {
      const verbs = openVerbs(server, engineOf(round));
      const request = recordOf(await verbs.ask(shop, 5));
      const made = await Promise.all(
        payers.map((payer) => verbs.payCode(payer, 'balance', request)),
      );
      const payments = made.map(recordOf);
      const confirmed = await Promise.all(round.shuffle(payments).map(verbs.confirm));
      // A confirmation that finds the request paid fails its payment; the cascade may be faster.
      const { done: won = 0, invalid_state: late = 0 } = tally(confirmed);
      expect([won + late, won > 0]).toEqual([20, true]);

      const ends = await server.query(
        `select status, failure_code, count(*)::int, sum(held_cents)::int as held
         from payments where tenant_id = $1 and id = any($2)
         group by status, failure_code order by status`,
        payments.map(({ id }) => uuid('payment', id)),
      );
      expect(ends).toEqual([
        { status: 'completed', failure_code: null, count: 1, held: 0 },
        { status: 'failed', failure_code: 'payment_request_paid', count: 19, held: 0 },
      ]);
    });
    const [held] = await server.query(
      `select sum(pending_outgoing)::int as cents from balances
       where tenant_id = $1 and account_id = any($2)`,
      lanes.flatMap(({ payers }) => payers.map(({ accountId }) => accountId)),
    );
    expect(held).toEqual({ cents: 0 });
  },
  raceMs,
);
