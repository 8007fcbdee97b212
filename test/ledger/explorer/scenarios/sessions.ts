import { randomUUID } from 'node:crypto';
import { defaultSettings } from '@tenant-payments/contract/core/settings.ts';
import { exchangeSession } from '../../../../service/resources/sessions/exchange.ts';
import {
  openFlow,
  signOfLife,
  takeResult,
} from '../../../../service/resources/sessions/open_flow.ts';
import { resendWebhookEvent } from '../../../../service/webhooks/resend.ts';
import type { ReplyBody } from '../../../kit/http.ts';
import { uuid } from '../../../kit/ids.ts';
import type { Person } from '../../customers.ts';
import { type Act, recordOf, type Scene, type Stage, scene, sessionOf } from '../actor.ts';

interface Confirming extends Readonly<Record<string, ReplyBody>> {
  readonly payer: Person;
  readonly shop: Person;
  readonly payment: ReplyBody;
  /** What the page shows, once it has opened the session; what the SDK was given. */
  readonly page: { readonly bearer: string; readonly result: string };
}
type Acts = Readonly<Record<string, Act<Confirming>>>;

const price = 1_000;

async function paying(stage: Stage): Promise<Confirming> {
  const [payer, shop] = await Promise.all([
    stage.person('individual', price),
    stage.person('business', 0),
  ]);
  const payment = recordOf(await stage.pay(payer, shop, price));
  return { payer, shop, payment, page: { bearer: '', result: '' } };
}

async function opened(stage: Stage): Promise<Confirming> {
  const cast = await paying(stage);
  const { token } = cast.payment.confirmation_session;
  const { bearer } = recordOf(await stage.run(openFlow, { token }));
  return { ...cast, page: { bearer, result: '' } };
}

async function ended(stage: Stage): Promise<Confirming> {
  const cast = await opened(stage);
  recordOf(await stage.confirm(cast.payment));
  const { bearer } = cast.page;
  const { result_token: result } = recordOf(await stage.run(takeResult, { bearer }));
  return { ...cast, page: { bearer, result } };
}

const ofPage: Acts = {
  open: (actor, { payment }) => actor.run(openFlow, { token: payment.confirmation_session.token }),
  sign_of_life: (actor, { page }) => actor.run(signOfLife, { bearer: page.bearer }),
  take_result: (actor, { page }) => actor.run(takeResult, { bearer: page.bearer }),
};
const exchanges: Acts = {
  exchange: (actor, { page }) => actor.run(exchangeSession, { result_token: page.result }),
  exchange_with_key: (actor, { page, key }) =>
    actor.run(exchangeSession, { result_token: page.result }, key),
  exchange_of_sandbox: (actor, { payment }) =>
    actor.run(exchangeSession, { result_token: `rt_test_${payment.confirmation_session.id}` }),
};
const moves: Acts = {
  confirm: (actor, { payment }) => actor.confirm(payment),
  decline: (actor, { payment }) => actor.decline(payment),
  leave: (actor, { payment }) => actor.play('session.canceled', payment.confirmation_session),
  reach_end: (actor, { payment }) => actor.play('session.expired', payment.confirmation_session),
  session_job: (actor, { payment }) => actor.runJob('session_end', sessionOf(payment)),
  cancel: (actor, { payment }) => actor.cancel(payment),
  new_session: (actor, { payer, payment }) => actor.newSession(payer, 'payment', payment),
};

const withKey = (build: (stage: Stage) => Promise<Confirming>) => async (stage: Stage) => ({
  ...(await build(stage)),
  key: randomUUID(),
});

/** Requests under keys: twins of one another, and others that bear the key of the first. */
interface Keyed extends Confirming {
  readonly one: string;
  readonly two: string;
}

const keyed = async (stage: Stage): Promise<Keyed> => ({
  ...(await paying(stage)),
  one: randomUUID(),
  two: randomUUID(),
});

const payBody = ({ payer, shop }: Confirming, amount: number) => ({
  payer_customer_id: payer.customerId,
  payee_customer_id: shop.customerId,
  source: 'bank_account' as const,
  amount,
});

const { limits } = defaultSettings('');
const daily = (cents: number) => ({ individual: cents, business: null });

export const sessionScenes: readonly Scene[] = [
  scene<Confirming>({
    name: 'session that was made',
    build: withKey(paying),
    acts: { ...moves, open: ofPage.open as Act<Confirming> },
  }),
  scene<Confirming>({
    name: 'session that is open',
    build: withKey(opened),
    acts: { ...moves, ...ofPage },
  }),
  scene<Confirming>({
    name: 'session that is open, past its end',
    lateSeconds: 11 * 60,
    build: withKey(opened),
    acts: { ...moves, ...ofPage },
  }),
  scene<Confirming>({
    name: 'session that has ended',
    build: withKey(ended),
    acts: { ...ofPage, ...exchanges, new_session: moves.new_session as Act<Confirming> },
  }),
  scene<Keyed>({
    name: 'requests under one key',
    build: keyed,
    acts: {
      pay: (actor, cast) => actor.run(actor.commands.createPayment, payBody(cast, 300), cast.one),
      pay_other: (actor, cast) =>
        actor.run(actor.commands.createPayment, payBody(cast, 400), cast.one),
      load: (actor, { payer, one }) =>
        actor.run(actor.commands.createLoad, { customer_id: payer.customerId, amount: 500 }, one),
      cancel: (actor, { payment, two }) =>
        actor.run(actor.commands.cancelPayment, { id: payment.id }, two),
      close: (actor, { payer, two }) =>
        actor.run(
          actor.commands.closeCustomer,
          { id: payer.customerId, reason: 'customer_request' },
          two,
        ),
    },
  }),
  scene<Confirming>({
    name: 'orders of one day',
    settings: {
      limits: {
        ...limits,
        payment_daily: daily(1_500),
        withdrawal_daily: daily(500),
        load_daily: daily(1_500),
      },
    },
    build: async (stage) => {
      const cast = await paying(stage);
      recordOf(await stage.decline(cast.payment));
      const waiting = recordOf(await stage.payByBank(cast.payer, cast.shop, 600));
      return { ...cast, waiting };
    },
    acts: {
      pay: (actor, { payer, shop }) => actor.pay(payer, shop, 600),
      pay_by_bank: (actor, { payer, shop }) => actor.payByBank(payer, shop, 600),
      pay_less: (actor, { payer, shop }) => actor.pay(payer, shop, 300),
      cancel: (actor, { waiting }) => actor.cancel(waiting),
      confirm: (actor, { waiting }) => actor.confirm(waiting),
      withdraw: (actor, { payer }) => actor.withdraw(payer, 300),
      load: (actor, { payer }) => actor.load(payer, 300),
    },
  }),
  scene<Confirming>({
    name: 'event that is delivered',
    delivers: true,
    build: async (stage) => {
      const cast = await paying(stage);
      const event = await stage.found('events', 'object_id', uuid('payment', cast.payment.id));
      return { ...cast, event: { id: `evt_${event.replaceAll('-', '')}` } };
    },
    acts: {
      resend: (actor, { event }) => actor.run(resendWebhookEvent, { id: event.id }),
      confirm: moves.confirm as Act<Confirming>,
      cancel: moves.cancel as Act<Confirming>,
    },
  }),
];
