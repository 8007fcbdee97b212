import { randomUUID as newKey } from 'node:crypto';
import type { SimulateName } from '@tenant-payments/contract/catalog.ts';
import { describe, expect, test } from 'vitest';
import type { ReplyBody } from '../../kit/http/http.ts';
import { uuid } from '../../kit/ids.ts';
import { openPeople, type Person } from '../customers.ts';
import { type Outcome, recordOf } from '../sender.ts';
import { playRounds, type Round, raceAmong, raceMs, rounds, server } from './server.ts';
import { atOnce, engineOf, openVerbs, pocketsOf } from './verbs.ts';

const amount = 1_000;

let lanes: { readonly payer: Person; readonly shop: Person }[];
raceAmong(async () => {
  const [payers, shops] = await Promise.all([
    openPeople(server, 60, 'individual', 100_000),
    openPeople(server, 60, 'business', 10_000),
  ]);
  lanes = payers.map((payer, index) => ({ payer, shop: shops[index] as Person }));
});

/** A payment under dispute, as the ledger has it. */
interface Standing {
  readonly refunded: number;
  readonly under_way: number;
  readonly standing: number;
  readonly awarded: number;
}

async function standingOf(payment: ReplyBody): Promise<Standing> {
  const [found] = await server.query<Standing>(
    `select refunded_amount::integer as refunded, open_refunds::integer as under_way,
      disputed_cents::integer as standing, awarded_cents::integer as awarded
     from payments where tenant_id = $1 and id = $2`,
    uuid('payment', payment.id),
  );
  if (!found) throw new Error(`no payment ${payment.id}`);
  return found;
}

interface Notice {
  readonly id: string;
  readonly status: string;
  readonly outcome: string | null;
  readonly linked_to: string | null;
}

const noticesOf = (payment: ReplyBody): Promise<Notice[]> =>
  server.query<Notice>(
    `select 'dsp_' || replace(id::text, '-', '') as id, status, outcome, linked_to from disputes
     where tenant_id = $1 and movement_id = $2 order by linked_to nulls first, id`,
    uuid('payment', payment.id),
  );

const done = (outcomes: readonly Outcome[]): ReplyBody[] =>
  outcomes.flatMap((outcome) => (outcome.code === 'done' ? recordOf(outcome) : []));

/** The acts of a reviewer and a merchant with one payment at the same time. */
function openParties(round: Round) {
  const via = engineOf(round);
  const verbs = openVerbs(server, via);
  const { commands, send, simulate } = server;
  const play = (event: SimulateName, id: string) =>
    simulate(event, id, { via: via(), key: newKey() });
  return {
    verbs,
    play,
    notice: ({ customerId }: Person, movement: object): Promise<Outcome> =>
      send(
        commands.createDispute,
        {
          customer_id: customerId,
          type: round.pick(['error', 'unauthorized_transfer', 'purchase_dispute'] as const),
          ...movement,
          description: 'It was not me',
          notice_received_at: '2026-01-20T14:00:00Z',
        },
        { via: via(), key: newKey() },
      ),
  };
}

const determinations = [
  'dispute.resolved_approved',
  'dispute.resolved_partial',
  'dispute.resolved_denied',
  'dispute.resolved_withdrawn',
] as const;

describe('races of refunds and disputes, after which the whole ledger holds', () => {
  test(
    'of a payment that is disputed and refunded at once its payer is given no more than it paid, and the merchant no less than is left',
    async () => {
      await playRounds('disputes', lanes, async (round, lane) => {
        const { payer, shop } = lane;
        const { verbs, play, notice } = openParties(round);
        const payment = await verbs.confirmed(verbs.pay(payer, shop, amount));
        const before = await pocketsOf(server, payer);
        const had = await pocketsOf(server, shop);

        // Two notices and two refunds come at once: one notice stands, one refund is too much.
        const movement = { payment_id: payment.id };
        const made = await atOnce(round, [
          () => notice(payer, movement),
          () => notice(payer, movement),
          () => verbs.refund(payment, 600),
          () => verbs.refund(payment, 600),
        ]);
        expect(made.map(({ code }) => code).sort()).toEqual([
          'done',
          'done',
          'done',
          'refund_exceeds_payment',
        ]);
        const refund = done(made).find(({ object }) => object === 'refund');
        const notices = await noticesOf(payment);
        const [first] = notices;
        expect(notices.map(({ linked_to }) => linked_to === null)).toEqual([true, false]);
        if (!first) return;

        // The reviewer credits and decides while the merchant confirms or declines.
        recordOf(await play('dispute.investigating', first.id));
        const determination = round.pick(determinations);
        const moves = [
          () => play('dispute.provisional_credit', first.id),
          () => (round.percent(80) ? verbs.confirm(refund) : verbs.decline(refund)),
          () => play(determination, first.id),
          () => verbs.refund(payment, 400),
        ];
        const [, , , further] = await atOnce(round, moves);
        if (further?.code === 'done') await verbs.confirm(recordOf(further));
        await server.settled(uuid('dispute', first.id), shop.accountId);

        // Whatever came of that, it is brought to its end.
        const [open] = await noticesOf(payment);
        if (open && open.outcome === null) recordOf(await play(determination, first.id));
        const [decided] = await noticesOf(payment);
        if (decided?.status === 'resolved') recordOf(await play('dispute.closed', first.id));
        const ended = await noticesOf(payment);
        expect(ended.map(({ status }) => status)).toEqual(['closed', 'closed']);
        expect(new Set(ended.map(({ outcome }) => outcome)).size).toBe(1);

        const { refunded, under_way, standing, awarded } = await standingOf(payment);
        expect(under_way).toBe(0);
        expect(standing).toBe(awarded);
        expect(refunded + standing).toBeLessThanOrEqual(amount);
        const after = await pocketsOf(server, payer);
        expect(after.available - before.available).toBe(refunded + standing);
        const has = await pocketsOf(server, shop);
        expect(has.earmarked).toBe(0);
        // A merchant bears what its earmark had then: an open refund may have held a part of it.
        const recovered = had.available - has.available - refunded;
        expect(recovered).toBeGreaterThanOrEqual(0);
        expect(recovered).toBeLessThanOrEqual(standing);
      });
    },
    raceMs,
  );

  test(
    'of four notices of one load given at once one stands for itself, and the others end with it',
    async () => {
      const loads = await Promise.all(
        lanes.map(async ({ payer }) => {
          const [load] = await server.query<{ id: string }>(
            `select 'txn_' || replace(id::text, '-', '') as id from entries
             where tenant_id = $1 and account_id = $2 and transaction_type = 'load'`,
            payer.accountId,
          );
          return { payer, transactionId: load?.id ?? '' };
        }),
      );
      await playRounds(
        'notices',
        loads,
        async (round, lane) => {
          const { play, notice } = openParties(round);
          const transaction = { transaction_id: lane.transactionId };
          const outcomes = await atOnce(
            round,
            [1, 2, 3, 4].map(() => () => notice(lane.payer, transaction)),
          );
          const made = done(outcomes).map(({ id }) => uuid('dispute', id));
          expect(made).toHaveLength(4);
          const read = () =>
            server.query<Notice>(
              `select 'dsp_' || replace(id::text, '-', '') as id, status, outcome, linked_to
             from disputes where tenant_id = $1 and id = any($2) order by linked_to nulls first`,
              made,
            );
          const notices = await read();
          const [first] = notices;
          const others = notices.slice(1).map(({ linked_to }) => linked_to);
          expect(first?.linked_to).toBeNull();
          expect(others).toEqual(Array(3).fill(uuid('dispute', first?.id ?? '')));
          recordOf(await play('dispute.resolved_denied', first?.id ?? ''));
          const ended = (await read()).map(({ status, outcome }) => `${status} ${outcome}`);
          expect(ended).toEqual(Array(4).fill('closed denied'));
        },
        Math.ceil(rounds / 4),
      );
    },
    raceMs,
  );
});
