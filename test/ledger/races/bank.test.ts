import { defaultSettings } from '@tenant-payments/contract/core/settings.ts';
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

const lanesAtOnce = 40;

interface Lane {
  readonly payer: Person;
  readonly other: Person;
  readonly shop: Person;
  /** A payment by bank, large enough for every refund of its lane. */
  paid: ReplyBody;
}

let lanes: readonly Lane[];
raceAmong(async () => {
  const people = await openPeople(server, lanesAtOnce * 2, 'individual', 10_000);
  const shops = await openPeople(server, lanesAtOnce, 'business', 0);
  const verbs = openVerbs(server, () => 0);
  lanes = await Promise.all(
    shops.map(async (shop, index) => {
      const payer = people[index * 2] as Person;
      const paid = await verbs.confirmed(verbs.payByBank(payer, shop, 10_000));
      recordOf(await verbs.simulate('payment.completed', paid));
      return { payer, other: people[index * 2 + 1] as Person, shop, paid };
    }),
  );
});

/** The records at the bank, and both answers of the bank. */
const atTheBank = {
  load: {
    make: (verbs: Verbs, { payer }: Lane) => verbs.load(payer, 100),
    yes: 'load.settled',
    no: 'load.failed',
  },
  withdrawal: {
    make: (verbs: Verbs, { payer }: Lane) => verbs.withdraw(payer, 100),
    yes: 'withdrawal.settled',
    no: 'withdrawal.failed',
  },
  payment: {
    make: (verbs: Verbs, { payer, shop }: Lane) => verbs.payByBank(payer, shop, 7),
    yes: 'payment.completed',
    no: 'payment.failed',
  },
  refund: {
    make: (verbs: Verbs, { paid }: Lane) => verbs.refund(paid, 9),
    yes: 'refund.completed',
    no: 'refund.failed',
  },
} as const;
const kinds = ['load', 'withdrawal', 'payment', 'refund'] as const;

test(
  'of two yes and two no of the bank at once exactly one wins, the others are invalid_state, and it has one event',
  async () => {
    await playRounds('bank', lanes, async (round, lane) => {
      const verbs = openVerbs(server, engineOf(round));
      const kind = kinds[round.number % kinds.length] ?? 'load';
      const { make, yes, no } = atTheBank[kind];
      const record = await verbs.confirmed(make(verbs, lane));
      const answers = [yes, yes, no, no];
      const outcomes = await atOnce(
        round,
        answers.map((answer) => () => verbs.simulate(answer, record)),
      );
      expect(tally(outcomes)).toEqual({ done: 1, invalid_state: 3 });
      const winner = answers[outcomes.findIndex(({ code }) => code === 'done')];
      expect(await eventsOf(server, uuid(kind, record.id))).toEqual([
        `${kind}.created`,
        `${kind}.processing`,
        winner,
      ]);
    });
  },
  raceMs,
);

test(
  'of two withdrawals and two payments of the same cents exactly one holds them',
  async () => {
    await playRounds('same cents', lanes, async (round, lane) => {
      const verbs = openVerbs(server, engineOf(round));
      const { other, shop } = lane;
      const { available } = await pocketsOf(server, other);
      const outcomes = await atOnce(round, [
        () => verbs.withdraw(other, available),
        () => verbs.withdraw(other, available),
        () => verbs.pay(other, shop, available),
        () => verbs.pay(other, shop, available),
      ]);
      expect(tally(outcomes)).toEqual({ done: 1, insufficient_funds: 3 });
      expect(await pocketsOf(server, other)).toEqual({
        available: 0,
        pending_outgoing: available,
        earmarked: 0,
      });
      const winner = outcomes.filter(({ code }) => code === 'done').map(recordOf)[0];
      recordOf(await verbs.decline(winner));
      expect(await pocketsOf(server, other)).toMatchObject({ available, pending_outgoing: 0 });
    });
  },
  raceMs,
);

describe('a dynamic request', () => {
  /** The statuses of the request and of its two payments. */
  async function statuses(request: ReplyBody, payments: readonly ReplyBody[]): Promise<string[]> {
    const rows = await server.query<{ id: string; status: string }>(
      `select id, status from payments where tenant_id = $1 and id = any($2)
       union all select id, status from payment_requests where tenant_id = $1 and id = $3`,
      payments.map(({ id }) => uuid('payment', id)),
      uuid('payment_request', request.id),
    );
    const byId = new Map(rows.map(({ id, status }) => [id, status]));
    const ids = [
      uuid('payment_request', request.id),
      ...payments.map(({ id }) => uuid('payment', id)),
    ];
    return ids.map((id) => byId.get(id) ?? '');
  }

  test(
    'confirmed by bank and from a balance and canceled at once is paid by one payment at most',
    async () => {
      await playRounds('claim', lanes, async (round, lane) => {
        const verbs = openVerbs(server, engineOf(round));
        const request = recordOf(await verbs.ask(lane.shop, 5));
        const byBank = recordOf(await verbs.payCode(lane.payer, 'bank_account', request));
        const fromBalance = recordOf(await verbs.payCode(lane.other, 'balance', request));
        const payments = [byBank, fromBalance];
        await atOnce(round, [
          () => verbs.confirm(byBank),
          () => verbs.confirm(fromBalance),
          () => verbs.cancelRequest(request),
        ]);
        const ref = uuid('payment_request', request.id);
        await server.settled(ref);
        const first = (await statuses(request, payments)).join(' ');
        expect([
          'open processing requires_confirmation',
          'paid failed completed',
          'canceled canceled canceled',
        ]).toContain(first);
        if (first !== 'open processing requires_confirmation') return;

        // The claim is decided by the bank; when it fails the other may pay after all.
        const pays = round.percent(50);
        const [answered, late] = await atOnce(round, [
          () => verbs.simulate(pays ? 'payment.completed' : 'payment.failed', byBank),
          () => verbs.confirm(fromBalance),
        ]);
        expect(answered?.code).toBe('done');
        await server.settled(ref);
        const second = (await statuses(request, payments)).join(' ');
        const isLate = late?.code === 'done';
        if (pays) expect(second).toBe('paid completed failed');
        else if (isLate) expect(second).toBe('paid failed completed');
        else {
          expect(second).toBe('open failed requires_confirmation');
          recordOf(await verbs.cancelRequest(request));
        }
      });
    },
    raceMs,
  );
});

test(
  'of 32 orders at once exactly as many are taken as fit a daily limit',
  async () => {
    const { limits } = defaultSettings('');
    const daily = { individual: 1_000, business: 1_000 };
    const tenant = await server.anotherTenant({
      fees: [],
      confirmation_grace_seconds: 0,
      limits: { ...limits, payment_daily: daily, withdrawal_daily: daily },
    });
    const people = await openPeople(tenant, 30, 'individual', 10_000);
    const shops = await openPeople(tenant, 6, 'business', 0);

    await playRounds('limits', people, async (round, person) => {
      const verbs = openVerbs(tenant, engineOf(round));
      const shop = round.pick(shops);
      const make = [
        () => verbs.pay(person, shop, 300),
        () => verbs.payByBank(person, shop, 300),
        () => verbs.withdraw(person, 300),
      ][round.number % 3] as () => ReturnType<Verbs['withdraw']>;
      const outcomes = await times(32, make);
      expect(tally(outcomes)).toEqual({ done: 3, limit_exceeded: 29 });
      // Given back, so that the next round finds the whole day.
      const taken = outcomes.filter(({ code }) => code === 'done').map(recordOf);
      expect(tally(await Promise.all(taken.map(verbs.decline)))).toEqual({ done: 3 });
    });
  },
  raceMs,
);
