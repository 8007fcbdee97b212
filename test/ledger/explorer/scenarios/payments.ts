import { adjustAccount } from '../../../../service/resources/accounts/adjust.ts';
import type { ReplyBody } from '../../../kit/http.ts';
import { uuid } from '../../../kit/ids.ts';
import type { Person } from '../../customers.ts';
import type { Act, Scene } from '../actor.ts';
import { recordOf, scene, sessionOf } from '../actor.ts';

interface Shopping extends Readonly<Record<string, ReplyBody>> {
  readonly payer: Person;
  readonly shop: Person;
  readonly payment: ReplyBody;
}

const price = 1_000;

/** What can happen to both sides of a payment. */
const parties: Readonly<Record<string, Act<Shopping>>> = {
  suspend_payer: (actor, { payer }) => actor.toAccount('account.suspended', payer),
  close_payer: (actor, { payer }) => actor.close(payer),
  suspend_shop: (actor, { shop }) => actor.toAccount('account.suspended', shop),
  close_shop: (actor, { shop }) => actor.close(shop),
};

/** How a record that waits for its customer ends. */
const endings: Readonly<Record<string, Act<Shopping>>> = {
  confirm: (actor, { payment }) => actor.confirm(payment),
  decline: (actor, { payment }) => actor.decline(payment),
  leave: (actor, { payment }) => actor.play('session.canceled', payment),
  cancel: (actor, { payment }) => actor.cancel(payment),
  reach_end: (actor, { payment }) => actor.play('session.expired', payment),
  session_job: (actor, { payment }) => actor.runJob('session_end', sessionOf(payment)),
  deadline_job: (actor, { payment }) =>
    actor.runJob('payment_deadline', uuid('payment', payment.id)),
  new_session: (actor, { payer, payment }) => actor.newSession(payer, 'payment', payment),
};

const restricted: Act<Shopping> = (actor, { payer }) =>
  actor.runJob('account_restricted', payer.accountId);

const notice: Act<Shopping> = (actor, { payer, payment }) => actor.notice(payer, payment);

const bankSays: Readonly<Record<string, Act<Shopping>>> = {
  bank_pays: (actor, { payment }) => actor.play('payment.completed', payment),
  bank_refuses: (actor, { payment }) => actor.play('payment.failed', payment),
  timeout_job: (actor, { payment }) => actor.runJob('payment_timeout', uuid('payment', payment.id)),
};

export const paymentScenes: readonly Scene[] = [
  scene<Shopping>({
    name: 'payment that waits',
    build: async (stage) => {
      const [payer, shop] = [
        await stage.person('individual', price),
        await stage.person('business', 0),
      ];
      return { payer, shop, payment: recordOf(await stage.pay(payer, shop, price)) };
    },
    acts: {
      ...endings,
      ...parties,
      review_payer: (actor, { payer }) => actor.toCustomer('customer.in_review', payer),
      withdraw_the_same: (actor, { payer }) => actor.withdraw(payer, price),
      pay_the_same: (actor, { payer, shop }) => actor.pay(payer, shop, price),
      refund: (actor, { payment }) => actor.refund(payment, price),
    },
  }),
  scene<Shopping>({
    name: 'payment whose session is over',
    lateSeconds: 16 * 60,
    build: async (stage) => {
      const [payer, shop] = [
        await stage.person('individual', price),
        await stage.person('business', 0),
      ];
      return { payer, shop, payment: recordOf(await stage.pay(payer, shop, price)) };
    },
    acts: { ...endings, suspend_payer: parties.suspend_payer as Act<Shopping> },
  }),
  scene<Shopping>({
    name: 'payment whose payer was suspended',
    isFresh: true,
    build: async (stage) => {
      const [payer, shop] = [
        await stage.person('individual', price),
        await stage.person('business', 0),
      ];
      const payment = recordOf(await stage.pay(payer, shop, price));
      recordOf(await stage.toAccount('account.suspended', payer));
      return { payer, shop, payment };
    },
    acts: {
      ...endings,
      restricted_job: restricted,
      reactivate: (actor, { payer }) => actor.toAccount('account.reactivated', payer),
      close_payer: parties.close_payer as Act<Shopping>,
    },
  }),
  scene<Shopping>({
    name: 'payment by bank that waits',
    build: async (stage) => {
      const [payer, shop] = [
        await stage.person('individual', 500),
        await stage.person('business', 0),
      ];
      return { payer, shop, payment: recordOf(await stage.payByBank(payer, shop, price)) };
    },
    acts: { ...endings, ...parties, ...bankSays },
  }),
  scene<Shopping>({
    name: 'payment by bank in processing',
    build: async (stage) => {
      const [payer, shop] = [
        await stage.person('individual', 500),
        await stage.person('business', 0),
      ];
      return { payer, shop, payment: await stage.confirmed(stage.payByBank(payer, shop, price)) };
    },
    acts: {
      ...bankSays,
      ...parties,
      cancel: endings.cancel as Act<Shopping>,
      refund: (actor, { payment }) => actor.refund(payment, price),
      dispute: notice,
      closing_job: (actor, { shop }) => actor.runJob('account_closing', shop.accountId),
    },
  }),
  scene<Shopping>({
    name: 'payment by bank past its time',
    lateSeconds: 40 * 24 * 3600,
    build: async (stage) => {
      const [payer, shop] = [
        await stage.person('individual', 500),
        await stage.person('business', 0),
      ];
      return { payer, shop, payment: await stage.confirmed(stage.payByBank(payer, shop, price)) };
    },
    acts: { ...bankSays, close_payer: parties.close_payer as Act<Shopping> },
  }),
  scene<Shopping>({
    name: 'payment that is completed',
    build: async (stage) => {
      const [payer, shop] = [
        await stage.person('individual', price),
        await stage.person('business', 0),
      ];
      return { payer, shop, payment: await stage.confirmed(stage.pay(payer, shop, price)) };
    },
    acts: {
      ...parties,
      confirm: endings.confirm as Act<Shopping>,
      cancel: endings.cancel as Act<Shopping>,
      refund_all: (actor, { payment }) => actor.refund(payment, price),
      refund_most: (actor, { payment }) => actor.refund(payment, 600),
      refund_some: (actor, { payment }) => actor.refund(payment, 300),
      dispute: notice,
      dispute_by_shop: (actor, { shop, payment }) => actor.notice(shop, payment),
      take_it: (actor, { shop }) => actor.run(adjustAccount, { id: shop.accountId, amount: -995 }),
    },
  }),
];
