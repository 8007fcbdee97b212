import { adjustAccount } from '../../../../service/resources/accounts/adjust.ts';
import type { ReplyBody } from '../../../kit/http.ts';
import { uuid } from '../../../kit/ids.ts';
import type { Person } from '../../customers.ts';
import { type Act, recordOf, type Scene, type Stage, scene, sessionOf } from '../actor.ts';

interface Refunding extends Readonly<Record<string, ReplyBody>> {
  readonly payer: Person;
  readonly shop: Person;
  readonly payment: ReplyBody;
  readonly refund: ReplyBody;
  /** A payment that brings the shop money once it is confirmed. */
  readonly coming: ReplyBody;
}
type Acts = Readonly<Record<string, Act<Refunding>>>;

const price = 1_000;
const back = 600;

/** A refund of a payment whose shop has so much besides; what the payment brought is gone. */
async function refunding(stage: Stage, cents: number): Promise<Refunding> {
  const [payer, shop] = await Promise.all([
    stage.person('individual', 2 * price),
    stage.person('business', cents),
  ]);
  const payment = await stage.confirmed(stage.pay(payer, shop, price));
  recordOf(await stage.run(adjustAccount, { id: shop.accountId, amount: -995 }));
  const [refund, coming] = await Promise.all([
    stage.refund(payment, back),
    stage.pay(payer, shop, price),
  ]);
  return { payer, shop, payment, refund: recordOf(refund), coming: recordOf(coming) };
}

async function waiting(stage: Stage): Promise<Refunding> {
  const cast = await refunding(stage, 0);
  recordOf(await stage.confirm(cast.refund));
  return cast;
}

const id = ({ refund }: Refunding) => uuid('refund', refund.id);

const endings: Acts = {
  confirm: (actor, { refund }) => actor.confirm(refund),
  decline: (actor, { refund }) => actor.decline(refund),
  reach_end: (actor, { refund }) => actor.play('session.expired', refund),
  session_job: (actor, { refund }) => actor.runJob('session_end', sessionOf(refund)),
  deadline_job: (actor, cast) => actor.runJob('refund_deadline', id(cast)),
};
const parties = {
  suspend_shop: (actor, { shop }) => actor.toAccount('account.suspended', shop),
  close_shop: (actor, { shop }) => actor.close(shop),
  close_payer: (actor, { payer }) => actor.close(payer),
} satisfies Acts;
const besides = {
  dispute: (actor, { payer, payment }) => actor.notice(payer, payment),
  refund_rest: (actor, { payment }) => actor.refund(payment, price - back),
} satisfies Acts;
const money = {
  queue_job: (actor, { shop }) => actor.runJob('refund_queue', shop.accountId),
  money_comes: (actor, { coming }) => actor.confirm(coming),
  adjust: (actor, { shop }) => actor.run(adjustAccount, { id: shop.accountId, amount: back }),
} satisfies Acts;
const waitJob: Act<Refunding> = (actor, cast) => actor.runJob('refund_wait', id(cast));

/** By bank both ways: the payer's bank is asked to take it. */
async function sent(stage: Stage): Promise<Refunding> {
  const [payer, shop] = await Promise.all([
    stage.person('individual', 500),
    stage.person('business', 0),
  ]);
  const payment = await stage.confirmed(stage.payByBank(payer, shop, price));
  recordOf(await stage.play('payment.completed', payment));
  const refund = await stage.confirmed(stage.refund(payment, back));
  const order = await stage.found('instructions', 'source_id', uuid('refund', refund.id));
  return { payer, shop, payment, refund, order, coming: null };
}

export const refundScenes: readonly Scene[] = [
  scene<Refunding>({
    name: 'refund that is held and waits',
    build: (stage) => refunding(stage, price),
    acts: {
      ...endings,
      ...parties,
      ...besides,
      new_session: (actor, { shop, refund }) => actor.newSession(shop, 'refund', refund),
      spend_the_rest: (actor, { shop }) => actor.withdraw(shop, price - back),
    },
  }),
  scene<Refunding>({
    name: 'refund whose session is over',
    lateSeconds: 16 * 60,
    build: (stage) => refunding(stage, price),
    acts: { ...endings, close_shop: parties.close_shop, dispute: besides.dispute },
  }),
  scene<Refunding>({
    name: 'refund without money that waits',
    build: (stage) => refunding(stage, 0),
    acts: { ...endings, ...parties, ...money, dispute: besides.dispute },
  }),
  scene<Refunding>({
    name: 'refund that waits for money',
    build: waiting,
    acts: {
      ...money,
      ...parties,
      ...besides,
      wait_job: waitJob,
      closing_job: (actor, { shop }) => actor.runJob('account_closing', shop.accountId),
    },
  }),
  scene<Refunding>({
    name: 'refund that has waited too long',
    lateSeconds: 30 * 24 * 3600 + 60,
    build: waiting,
    acts: { wait_job: waitJob, ...money, close_shop: parties.close_shop },
  }),
  scene<Refunding>({
    name: 'two refunds that wait for money',
    build: async (stage) => {
      const cast = await waiting(stage);
      const second = await stage.confirmed(stage.refund(cast.payment, price - back));
      return { ...cast, second };
    },
    acts: {
      ...money,
      wait_job: waitJob,
      wait_job_of_second: (actor, { second }) =>
        actor.runJob('refund_wait', uuid('refund', second.id)),
      suspend_shop: parties.suspend_shop,
      close_shop: parties.close_shop,
    },
  }),
  scene<Refunding>({
    name: 'refund of a suspended shop',
    build: async (stage) => {
      const cast = await waiting(stage);
      recordOf(await stage.toAccount('account.suspended', cast.shop));
      return cast;
    },
    acts: {
      ...money,
      wait_job: waitJob,
      reactivate: (actor, { shop }) => actor.toAccount('account.reactivated', shop),
      close_shop: parties.close_shop,
      restricted_job: (actor, { shop }) => actor.runJob('account_restricted', shop.accountId),
    },
  }),
  scene<Refunding>({
    name: 'refund at the bank',
    build: sent,
    acts: {
      complete: (actor, { refund }) => actor.play('refund.completed', refund),
      fail: (actor, { refund }) => actor.play('refund.failed', refund),
      says_settled: (actor, { order }) =>
        actor.bankFact(order, 'settled', { outcome: 'settled', amount: back }),
      says_failed: (actor, { order }) =>
        actor.bankFact(order, 'failed', { outcome: 'failed', reason: 'AC04' }),
      says_returned: (actor, { order }) =>
        actor.bankFact(order, 'returned', { outcome: 'returned', amount: back }),
      ...parties,
      ...besides,
    },
  }),
];
