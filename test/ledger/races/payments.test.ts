import { randomUUID as newKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { uuid } from '../../kit/ids.ts';
import { openPeople, type Person } from '../customers.ts';
import { type Outcome, recordOf } from '../sender.ts';
import { playRounds, raceAmong, raceMs, server } from './server.ts';
import { engineOf, eventsOf, pocketsOf, tally, times } from './verbs.ts';

/** Many lanes at once: what a round waits for is a batch, and rounds of others share it. */
let consumers: readonly Person[];

raceAmong(async () => {
  consumers = await openPeople(server, 120, 'individual', 10_000);
}, {});

const simulate = (
  via: number,
  event: 'session.completed' | 'session.canceled' | 'session.expired',
  id: string,
) => server.simulate(event, id, { via, key: newKey() });

const cancel = (via: number, id: string) =>
  server.send(server.commands.cancelPayment, { id }, { via, key: newKey() });

describe('races, after which the whole book holds', () => {
  test(
    'R1: of 32 payments of 10.01 made at once from 100.00 exactly 9 hold',
    async () => {
      const amount = 1_001;
      const endings = [
        'cancel',
        'session.completed',
        'session.canceled',
        'session.expired',
      ] as const;
      const payers = await openPeople(server, 24, 'business', 10_000);
      const payees = await openPeople(server, 24, 'business', 0);
      const pay = (from: Person, to: Person, cents: number, via: number) =>
        server.send(
          server.commands.createPayment,
          {
            payer_customer_id: from.customerId,
            payee_customer_id: to.customerId,
            amount: cents,
            source: 'balance',
            invoice_reference: 'race',
          },
          { via, key: newKey() },
        );

      const lanes = payers.map((payer, index) => ({ payer, payee: payees[index] as Person }));
      await playRounds('spend', lanes, async (round, { payer, payee }) => {
        const via = engineOf(round);
        const outcomes = await times(32, () => pay(payer, payee, amount, via()));
        expect(tally(outcomes)).toEqual({ done: 9, insufficient_funds: 23 });
        expect(await pocketsOf(server, payer)).toMatchObject({
          available: 991,
          pending_outgoing: 9_009,
        });

        const held = outcomes.filter(({ code }) => code === 'done').map(recordOf);
        const ends = held.map(({ id }) => ({
          id,
          how: round.pick(endings),
        }));
        const ended = await Promise.all(
          ends.map(({ id, how }) =>
            how === 'cancel' ? cancel(via(), id) : simulate(via(), how, id),
          ),
        );
        expect(tally(ended)).toEqual({ done: 9 });

        const spent = ends.filter(({ how }) => how === 'session.completed').length * amount;
        expect(await pocketsOf(server, payer)).toEqual({
          available: 10_000 - spent,
          pending_outgoing: 0,
          earmarked: 0,
        });
        if (spent === 0) return;
        const back = recordOf(await pay(payee, payer, spent, via()));
        recordOf(await simulate(via(), 'session.completed', back.id));
      });
    },
    raceMs,
  );

  test(
    'R2: one key sent eight times at once has one effect and eight equal replies',
    async () => {
      const [shop] = (await openPeople(server, 1, 'business', 0)) as [Person];

      await playRounds('same key', consumers, async (round, payer) => {
        const via = engineOf(round);
        const { available } = await pocketsOf(server, payer);
        const eightTimes = async (send: (via: number, key: string) => Promise<Outcome>) => {
          const key = newKey();
          const outcomes = await times(8, () => send(via(), key));
          expect(tally(outcomes)).toEqual({ done: 8 });
          const replies = outcomes.map((outcome) => ({ replayed: false, text: '', ...outcome }));
          expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
          expect(replies.filter(({ replayed }) => !replayed)).toHaveLength(1);
          return recordOf(outcomes[0] as Outcome);
        };

        const payment = await eightTimes((engine, key) =>
          server.send(
            server.commands.createPayment,
            {
              payer_customer_id: payer.customerId,
              payee_customer_id: shop.customerId,
              amount: 1_001,
              source: 'balance',
            },
            { via: engine, key },
          ),
        );
        expect(payment.confirmation_session.token).toMatch(/^st_/);
        expect(await pocketsOf(server, payer)).toMatchObject({
          available: available - 1_001,
          pending_outgoing: 1_001,
        });

        await eightTimes((engine, key) =>
          server.send(server.commands.cancelPayment, { id: payment.id }, { via: engine, key }),
        );
        expect(await pocketsOf(server, payer)).toMatchObject({ available, pending_outgoing: 0 });
      });
    },
    raceMs,
  );

  test(
    'R3: of confirm, cancel and expiry at once exactly one wins, the others are invalid_state, and it is told once',
    async () => {
      const [shop] = (await openPeople(server, 1, 'business', 0)) as [Person];
      const eventAfter = {
        confirm: 'payment.completed',
        cancel: 'payment.canceled',
        expire: 'payment.canceled',
      } as const;

      await playRounds('endings', consumers, async (round, payer) => {
        const via = engineOf(round);
        const made = recordOf(
          await server.send(
            server.commands.createPayment,
            {
              payer_customer_id: payer.customerId,
              payee_customer_id: shop.customerId,
              amount: 11,
              source: 'balance',
            },
            { via: via(), key: newKey() },
          ),
        );
        const moves = {
          confirm: () => simulate(via(), 'session.completed', made.confirmation_session.id),
          cancel: () => cancel(via(), made.id),
          expire: () => simulate(via(), 'session.expired', made.confirmation_session.id),
        };
        const order = round.shuffle(['confirm', 'cancel', 'expire'] as const);
        const outcomes = await Promise.all(order.map((move) => moves[move]()));
        expect(tally(outcomes)).toEqual({ done: 1, invalid_state: 2 });

        const winner = order[outcomes.findIndex(({ code }) => code === 'done')] ?? 'confirm';
        expect(await eventsOf(server, uuid('payment', made.id))).toEqual([
          'payment.created',
          eventAfter[winner],
        ]);
        expect(await pocketsOf(server, payer)).toMatchObject({ pending_outgoing: 0 });
      });
    },
    raceMs,
  );

  test(
    'R7: of 20 payers of one dynamic code one completes, 19 fail payment_request_paid, and nothing stays held',
    async () => {
      const shops = await openPeople(server, 6, 'business', 0);
      const lanes = shops.map((shop, index) => ({
        shop,
        payers: consumers.slice(index * 20, index * 20 + 20),
      }));

      await playRounds('one code', lanes, async (round, { shop, payers }) => {
        const via = engineOf(round);
        const request = recordOf(
          await server.send(
            server.commands.createPaymentRequest,
            { type: 'dynamic', merchant_customer_id: shop.customerId, amount: 5 },
            { via: via(), key: newKey() },
          ),
        );
        const made = await Promise.all(
          payers.map(({ customerId }) =>
            server.send(
              server.commands.createPayment,
              {
                payer_customer_id: customerId,
                qr_payload: request.qr_payload,
                source: 'balance',
              },
              { via: via(), key: newKey() },
            ),
          ),
        );
        const ids = made.map(recordOf).map(({ id }) => id as string);
        const confirmed = await Promise.all(
          round.shuffle(ids).map((id) => simulate(via(), 'session.completed', id)),
        );
        // A confirmation that finds the request paid fails its payment; the cascade may be faster.
        const { done = 0, invalid_state = 0 } = tally(confirmed);
        expect([done + invalid_state, done > 0]).toEqual([20, true]);

        const ends = await server.query(
          `select status, failure_code, count(*)::int, sum(held_cents)::int as held
             from payments where tenant_id = $1 and id = any($2)
             group by status, failure_code order by status`,
          ids.map((id) => uuid('payment', id)),
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
});
