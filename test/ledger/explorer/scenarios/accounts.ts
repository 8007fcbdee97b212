import { closeBankMessage } from '../../../../service/rails/bank_messages.ts';
import { adjustAccount } from '../../../../service/resources/accounts/adjust.ts';
import {
  placeLegalHold,
  releaseLegalHold,
} from '../../../../service/resources/accounts/legal_hold.ts';
import { matchSuspense, returnSuspense } from '../../../../service/resources/suspense/moves.ts';
import type { ReplyBody } from '../../../kit/http.ts';
import { uuid } from '../../../kit/ids.ts';
import type { Person } from '../../customers.ts';
import { type Act, recordOf, type Scene, type Stage, scene } from '../actor.ts';

interface Holding extends Readonly<Record<string, ReplyBody>> {
  readonly person: Person;
  readonly shop: Person;
  readonly link: ReplyBody;
  /** Money that comes once it is confirmed, or that a bank is asked for. */
  readonly coming: ReplyBody;
  /** A payment of the person's that waits. */
  readonly going: ReplyBody;
}
type Acts = Readonly<Record<string, Act<Holding>>>;

const cents = 1_000;

/** A person with money, of which a part waits to go, and more may come. */
async function holding(stage: Stage): Promise<Holding> {
  const [person, shop] = await Promise.all([
    stage.person('business', cents),
    stage.person('business', cents),
  ]);
  const [coming, going, link] = await Promise.all([
    stage.pay(shop, person, 400),
    stage.pay(person, shop, 300),
    stage.found('linked_accounts', 'customer_id', uuid('customer', person.customerId)),
  ]);
  return {
    person,
    shop,
    link: { id: `la_${link.replaceAll('-', '')}` },
    coming: recordOf(coming),
    going: recordOf(going),
  };
}

const led =
  (...moves: readonly ('account.suspended' | 'account.dormant' | 'customer.in_review')[]) =>
  async (stage: Stage): Promise<Holding> => {
    const cast = await holding(stage);
    for (const move of moves)
      recordOf(
        await (move === 'customer.in_review'
          ? stage.toCustomer(move, cast.person)
          : stage.toAccount(move, cast.person)),
      );
    return cast;
  };

const ofAccount = {
  suspend: (actor, { person }) => actor.toAccount('account.suspended', person),
  reactivate: (actor, { person }) => actor.toAccount('account.reactivated', person),
  close: (actor, { person }) => actor.close(person),
} satisfies Acts;
const ofCustomer = {
  review: (actor, { person }) => actor.toCustomer('customer.in_review', person),
  approve: (actor, { person }) => actor.toCustomer('customer.approved', person),
  reject: (actor, { person }) => actor.toCustomer('customer.rejected', person),
} satisfies Acts;
const money = {
  money_comes: (actor, { coming }) => actor.confirm(coming),
  money_goes: (actor, { going }) => actor.confirm(going),
  adjust_down: (actor, { person }) =>
    actor.run(adjustAccount, { id: person.accountId, amount: -500 }),
} satisfies Acts;
const rest: Acts = {
  withdraw: (actor, { person }) => actor.withdraw(person, 500),
  adjust_up: (actor, { person }) => actor.run(adjustAccount, { id: person.accountId, amount: 200 }),
};
const holds = {
  place_hold: (actor, { person }) => actor.run(placeLegalHold, { id: person.accountId }),
  release_hold: (actor, { person }) => actor.run(releaseLegalHold, { id: person.accountId }),
} satisfies Acts;
const closing = {
  closing_job: (actor, { person }) => actor.runJob('account_closing', person.accountId),
  restricted_job: (actor, { person }) => actor.runJob('account_restricted', person.accountId),
  finish_closing: (actor, { person }) => actor.toAccount('account.closed', person),
} satisfies Acts;
const ofLink = {
  unlink: (actor, { person, link }) => actor.unlink(person, link),
  fail_link: (actor, { link }) => actor.play('linked_account.failed', link),
} satisfies Acts;

/** Closing, with its payout at the bank. */
async function payingOut(stage: Stage): Promise<Holding> {
  const cast = await holding(stage);
  recordOf(await stage.close(cast.person));
  await stage.runJob('account_restricted', cast.person.accountId);
  await stage.runJob('account_closing', cast.person.accountId);
  const payout = await stage.found('withdrawals', 'account_id', cast.person.accountId);
  return { ...cast, payout: { id: `wd_${payout.replaceAll('-', '')}` } };
}

/** Odd money of a person, which waits for a reviewer. */
interface Odd extends Readonly<Record<string, ReplyBody>> {
  readonly person: Person;
  readonly other: Person;
  readonly item: string;
  readonly message: string;
  readonly order: string;
}

async function odd(stage: Stage): Promise<Odd> {
  const [person, other] = await Promise.all([
    stage.person('individual', 500),
    stage.person('individual', 0),
  ]);
  const load = await stage.confirmed(stage.load(person, 700));
  recordOf(await stage.play('load.failed', load));
  recordOf(await stage.play('load.paid_late', load));
  const ref = uuid('load', load.id);
  const [item, message, order] = await Promise.all([
    stage.found('suspense', 'source_id', ref),
    stage.found('bank_messages', 'source_id', ref),
    stage.found('instructions', 'source_id', ref),
  ]);
  return { person, other, load, item, message, order };
}

export const accountScenes: readonly Scene[] = [
  scene<Holding>({
    name: 'account with money',
    build: holding,
    acts: {
      ...ofAccount,
      ...money,
      ...rest,
      ...holds,
      review: ofCustomer.review,
      make_dormant: (actor, { person }) => actor.toAccount('account.dormant', person),
      close_period: (actor, { person }) => actor.toAccount('statement.available', person),
    },
  }),
  scene<Holding>({
    name: 'account that is dormant',
    build: led('account.dormant'),
    acts: {
      ...ofAccount,
      ...money,
      withdraw: rest.withdraw as Act<Holding>,
      review: ofCustomer.review,
    },
  }),
  scene<Holding>({
    name: 'account that two keep suspended',
    build: led('account.suspended', 'customer.in_review'),
    acts: { ...ofAccount, ...ofCustomer, ...money, restricted_job: closing.restricted_job },
  }),
  scene<Holding>({
    name: 'account that begins to close',
    isFresh: true,
    build: async (stage) => {
      const cast = await holding(stage);
      recordOf(await stage.close(cast.person));
      return cast;
    },
    acts: { ...closing, ...money, ...holds, ...ofLink, ...ofCustomer },
  }),
  scene<Holding>({
    name: 'account that is paid out',
    build: payingOut,
    acts: {
      ...closing,
      ...ofLink,
      money_comes: money.money_comes,
      place_hold: holds.place_hold,
      review: ofCustomer.review,
      settle: (actor, { payout }) => actor.play('withdrawal.settled', payout),
      fail: (actor, { payout }) => actor.play('withdrawal.failed', payout),
      adjust_up: rest.adjust_up as Act<Holding>,
    },
  }),
  scene<Holding>({
    name: 'account that closes without a bank',
    isFresh: true,
    build: async (stage) => {
      const cast = await holding(stage);
      recordOf(await stage.unlink(cast.person, cast.link));
      recordOf(await stage.close(cast.person));
      await stage.runJob('account_restricted', cast.person.accountId);
      return { ...cast, second: recordOf(await stage.link(cast.person)) };
    },
    acts: {
      ...closing,
      verify: (actor, { second }) => actor.play('linked_account.verified', second),
      fail_link: (actor, { second }) => actor.play('linked_account.failed', second),
      link_another: (actor, { person }) => actor.link(person),
      take_all: (actor, { person }) =>
        actor.run(adjustAccount, { id: person.accountId, amount: -cents }),
      money_comes: money.money_comes,
    },
  }),
  scene<Odd>({
    name: 'money in suspense',
    build: odd,
    acts: {
      match: (actor, { item }) => actor.run(matchSuspense, { id: item, account_id: null }),
      match_other: (actor, { item, other }) =>
        actor.run(matchSuspense, { id: item, account_id: other.accountId }),
      give_back: (actor, { item }) => actor.run(returnSuspense, { id: item }),
      close_message: (actor, { message }) => actor.run(closeBankMessage, { id: message }),
      says_again: (actor, { order }) =>
        actor.bankFact(order, 'again', { outcome: 'settled', amount: 700 }),
      says_other: (actor, { order }) =>
        actor.bankFact(order, 'other', { outcome: 'settled', amount: 600 }),
      close: (actor, { person }) => actor.close(person),
      finish_closing_other: (actor, { other }) => actor.toAccount('account.closed', other),
      close_other: (actor, { other }) => actor.close(other),
    },
  }),
];
