import { describe, expect, test } from 'vitest';
import type { ReplyBody } from '../../kit/http/http.ts';
import { uuid } from '../../kit/ids.ts';
import { openPeople, type Person } from '../customers.ts';
import { recordOf } from '../sender.ts';
import { playRounds, raceAmong, raceMs, server } from './server.ts';
import {
  atOnce,
  engineOf,
  eventsOf,
  openVerbs,
  pocketsOf,
  tally,
  times,
  type Verbs,
} from './verbs.ts';

let consumers: readonly Person[];
raceAmong(async () => {
  consumers = await openPeople(server, 60, 'individual', 10_000);
});

/** Two refunds wait for one shop; it has nothing. */
interface Queue {
  readonly payer: Person;
  readonly shop: Person;
  /** The payments made last, to be refunded next. */
  paid: ReplyBody[];
}

async function openQueue(payer: Person, shop: Person): Promise<Queue> {
  const verbs = openVerbs(server, () => 0);
  const paid = [];
  for (const amount of [300, 200]) paid.push(await verbs.confirmed(verbs.pay(payer, shop, amount)));
  const drained = await verbs.confirmed(verbs.withdraw(shop, 500));
  recordOf(await verbs.simulate('withdrawal.settled', drained));
  return { payer, shop, paid };
}

/** Both refunds were paid once each. @returns their ids in the order in which the shop paid them */
async function paidInTurn({ shop }: Queue, refunds: readonly ReplyBody[]): Promise<string[]> {
  const entries = await server.query<{ source_id: string }>(
    `select source_id from entries where tenant_id = $1 and account_id = $2
       and source_id = any($3) and step = 'refund_completed_balance' order by number`,
    shop.accountId,
    refunds.map(({ id }) => uuid('refund', id)),
  );
  return entries.map(({ source_id }) => source_id);
}

/** Money that comes in two payments at once, which together are just enough. */
async function creditTwice(verbs: Verbs, { payer, shop }: Queue, first: number) {
  const credits = [];
  for (const amount of [first, 500 - first])
    credits.push(recordOf(await verbs.pay(payer, shop, amount)));
  return credits;
}

describe('races of refunds, after which the whole ledger holds', () => {
  test(
    'of 8 refunds of 60 % of one payment made at once one is taken, 7 are refund_exceeds_payment',
    async () => {
      const shops = await openPeople(server, 12, 'business', 0);
      const lanes = consumers.map((payer, index) => ({
        payer,
        shop: shops[index % shops.length] as Person,
        payment: null as ReplyBody | null,
      }));
      const endings = {
        confirm: ['refund.created', 'refund.processing', 'refund.completed'],
        decline: ['refund.created', 'refund.failed'],
        expire: ['refund.created', 'refund.failed'],
      } as const;

      await playRounds('over-refund', lanes, async (round, lane) => {
        const verbs = openVerbs(server, engineOf(round));
        lane.payment ??= await verbs.confirmed(verbs.pay(lane.payer, lane.shop, 1_000));
        const { payment } = lane;
        const outcomes = await times(8, () => verbs.refund(payment, 600));
        expect(tally(outcomes)).toEqual({ done: 1, refund_exceeds_payment: 7 });

        const made = outcomes.filter(({ code }) => code === 'done').map(recordOf)[0];
        const ending = round.pick(['confirm', 'decline', 'expire'] as const);
        if (ending === 'expire') recordOf(await verbs.simulate('session.expired', made));
        else recordOf(await verbs[ending](made));
        expect(await eventsOf(server, uuid('refund', made.id))).toEqual(endings[ending]);
        const refunded = ending === 'confirm' ? 600 : 0;
        const [counters] = await server.query(
          'select open_refunds, refunded_amount from payments where tenant_id = $1 and id = $2',
          uuid('payment', payment.id),
        );
        expect(counters).toEqual({ open_refunds: 0, refunded_amount: refunded });
        if (refunded > 0) lane.payment = null;
      });
    },
    raceMs,
  );

  test(
    'refunds that wait are served by credits that come at once: in their order, each once, and none is forgotten',
    async () => {
      const shops = await openPeople(server, 30, 'business', 10_000);
      const verbs = openVerbs(server, () => 0);
      // A shop needs a link to be drained, and nothing besides what it is paid.
      for (const shop of shops) {
        const drained = await verbs.confirmed(verbs.withdraw(shop, 10_000));
        recordOf(await verbs.simulate('withdrawal.settled', drained));
      }
      const lanes = await Promise.all(
        shops.map((shop, index) => openQueue(consumers[index] as Person, shop)),
      );

      await playRounds('queue', lanes, async (round, lane) => {
        const verbs = openVerbs(server, engineOf(round));
        const refunds: ReplyBody[] = [];
        for (const payment of lane.paid)
          refunds.push(recordOf(await verbs.refund(payment, payment.amount)));
        const [head, tail] = refunds;
        recordOf(await verbs.confirm(head));
        // Half of the time the second begins to wait while the money comes.
        const isLate = round.percent(50);
        if (!isLate) recordOf(await verbs.confirm(tail));
        const credits = await creditTwice(verbs, lane, 100 + round.below(301));
        const moves = [...credits, ...(isLate ? [tail] : [])];
        const outcomes = await atOnce(
          round,
          moves.map((record) => () => verbs.confirm(record)),
        );
        expect(tally(outcomes)).toEqual({ done: moves.length });

        await server.settled(lane.shop.accountId);
        const served = await paidInTurn(lane, refunds);
        const inOrder = refunds.map(({ id }) => uuid('refund', id));
        expect(isLate ? [...served].sort() : served).toEqual(
          isLate ? [...inOrder].sort() : inOrder,
        );
        for (const id of inOrder)
          expect((await eventsOf(server, id)).slice(-2)).toEqual([
            'refund.processing',
            'refund.completed',
          ]);
        expect(await pocketsOf(server, lane.shop)).toEqual({
          available: 0,
          pending_outgoing: 0,
          earmarked: 0,
        });
        lane.paid = credits;
      });
    },
    raceMs,
  );
});
