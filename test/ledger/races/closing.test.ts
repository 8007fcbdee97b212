import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { describe, expect, test } from 'vitest';
import type { ReplyBody } from '../../kit/http/http.ts';
import { uuid } from '../../kit/ids.ts';
import { linkBank, openPeople, type Person } from '../customers.ts';
import { type Outcome, recordOf } from '../sender.ts';
import { playRounds, type Round, raceAmong, raceMs, rounds, server } from './server.ts';
import { atOnce, engineOf, eventsOf, openVerbs, pocketsOf, tally, type Verbs } from './verbs.ts';

const lanesAtOnce = 40;

interface Lane {
  readonly payer: Person;
  readonly shop: Person;
}

let lanes: readonly Lane[];
raceAmong(async () => {
  const payers = await openPeople(server, lanesAtOnce, 'individual', 10_000);
  const shops = await openPeople(server, lanesAtOnce, 'business', 10_000);
  lanes = payers.map((payer, index) => ({ payer, shop: shops[index] as Person }));
});

/** A customer who will close, with money on the way. */
interface Scenario {
  readonly closer: Person;
  readonly record: ReplyBody;
  /** Brings the money, or finds that it cannot come any more. */
  readonly bring: () => Promise<Outcome>;
  /** The bank's answer in the end, where it is asked. */
  readonly answer?: 'payment.completed' | 'payment.failed';
}

const newcomer = async (type: Person['type'], cents: number): Promise<Person> =>
  (await openPeople(server, 1, type, cents))[0] as Person;

/** The money that may still come to a closing account, one kind a round. */
const scenarios: readonly ((verbs: Verbs, lane: Lane, round: Round) => Promise<Scenario>)[] = [
  async (verbs, { payer }) => {
    const closer = await newcomer('business', 0);
    const record = recordOf(await verbs.pay(payer, closer, 100));
    return { closer, record, bring: () => verbs.confirm(record) };
  },
  async (verbs, _lane, round) => {
    const closer = await newcomer('individual', 0);
    await linkBank(server, closer);
    const record = await verbs.confirmed(verbs.load(closer, 200));
    const answer = round.pick(['load.settled', 'load.failed'] as const);
    return { closer, record, bring: () => verbs.simulate(answer, record) };
  },
  async (verbs, { shop }) => {
    const closer = await newcomer('individual', 300);
    const payment = await verbs.confirmed(verbs.pay(closer, shop, 300));
    const record = recordOf(await verbs.refund(payment, 150));
    return { closer, record, bring: () => verbs.confirm(record) };
  },
  async (verbs, { payer }, round) => {
    const closer = await newcomer('business', 0);
    const record = recordOf(await verbs.payByBank(payer, closer, 100));
    const answer = round.pick(['payment.completed', 'payment.failed'] as const);
    return { closer, record, bring: () => verbs.confirm(record), answer };
  },
];

const statusOf = async ({ accountId }: Person): Promise<string | undefined> =>
  (
    await server.query<{ status: string }>(
      'select status from accounts where tenant_id = $1 and id = $2',
      accountId,
    )
  )[0]?.status;

/** Whatever the bank still has of the account arrives. */
async function settlePayouts(verbs: Verbs, { accountId }: Person): Promise<void> {
  const payouts = await server.query<{ id: string }>(
    `select id from withdrawals where tenant_id = $1 and account_id = $2 and status = 'processing'`,
    accountId,
  );
  for (const { id } of payouts)
    recordOf(await verbs.simulate('withdrawal.settled', { id: publicId('withdrawal', id) }));
}

/** An account that still has money, or whose money is on its way to a bank, is not closed; any other is. */
async function expectClosedAtZero(closer: Person): Promise<void> {
  const { available, pending_outgoing, earmarked } = await pocketsOf(server, closer);
  const isClosed = available + pending_outgoing + earmarked === 0;
  const events = ['account.created', 'account.closing', ...(isClosed ? ['account.closed'] : [])];
  expect([await statusOf(closer), await eventsOf(server, closer.accountId)]).toEqual([
    isClosed ? 'closed' : 'closing',
    events,
  ]);
}

/** Leads the closing to its end: what is left is paid out to a bank, and arrives there. */
async function payOut(verbs: Verbs, closer: Person): Promise<void> {
  const { available } = await pocketsOf(server, closer);
  if (available > 0) await linkBank(server, closer);
  await server.settled(closer.accountId);
  await settlePayouts(verbs, closer);
  await server.settled(closer.accountId);
  expect(await statusOf(closer)).toBe('closed');
}

describe('races of a closing account, after which the whole ledger holds', () => {
  test(
    'an account that closes while money comes takes it or refuses it, pays it out, and closes once, at exactly zero',
    async () => {
      const ends: Record<string, number> = {};
      await playRounds('closing', lanes, async (round, lane) => {
        const verbs = openVerbs(server, engineOf(round));
        const prepare = scenarios[round.number % scenarios.length] as (typeof scenarios)[number];
        const { closer, record, bring, answer } = await prepare(verbs, lane, round);
        const id = publicId('account', closer.accountId);
        const moves = [
          () => verbs.close(closer),
          bring,
          () => verbs.simulate('account.closed', { id }),
          () => verbs.simulate('account.closed', { id }),
        ];
        const [closing, brought, ...closings] = await atOnce(round, moves);
        expect([closing?.code, brought?.code]).toEqual(['done', 'done']);
        const { done = 0, invalid_state = 0 } = tally(closings);
        expect([done + invalid_state, done < 2]).toEqual([2, true]);

        await server.settled(closer.accountId);
        if (answer && (await endOf(record)).startsWith('processing'))
          recordOf(await verbs.simulate(answer, record));
        await server.settled(closer.accountId);
        await expectClosedAtZero(closer);
        // Each further step costs a newcomer, so not all are led to their end.
        if (round.percent(25)) await payOut(verbs, closer);
        const end = `${round.number % scenarios.length} ${await endOf(record)}`;
        ends[end] = (ends[end] ?? 0) + 1;
      });
      // Each way was met, or the race was none: the money came first, and the closing did.
      if (rounds >= 1_000)
        expect(Object.keys(ends).length).toBeGreaterThanOrEqual(scenarios.length);
    },
    raceMs,
  );
});

/** How the record that brings the money ended, in a word. */
async function endOf({ id, object }: ReplyBody): Promise<string> {
  const kind = object as 'payment' | 'load' | 'refund';
  const [row] = await server.query<{ status: string; failure_code: string | null }>(
    `select status, failure_code from ${kind}s where tenant_id = $1 and id = $2`,
    uuid(kind, id),
  );
  return `${row?.status} ${row?.failure_code}`;
}
