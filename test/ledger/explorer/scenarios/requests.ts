import type { ReplyBody } from '../../../kit/http.ts';
import { uuid } from '../../../kit/ids.ts';
import type { Person } from '../../customers.ts';
import {
  type Act,
  type Actor,
  recordOf,
  type Scene,
  type Stage,
  scene,
  sessionOf,
} from '../actor.ts';

/** One code and two who would pay it: from a balance, and by bank. */
interface Asking extends Readonly<Record<string, ReplyBody>> {
  readonly payer: Person;
  readonly other: Person;
  readonly shop: Person;
  readonly request: ReplyBody;
  readonly mine: ReplyBody;
  readonly theirs: ReplyBody;
}
type Acts = Readonly<Record<string, Act<Asking>>>;

const price = 500;

async function ask(stage: Stage): Promise<Asking> {
  const [payer, other, shop] = await Promise.all([
    stage.person('individual', 2 * price),
    stage.person('individual', 500),
    stage.person('business', 0),
  ]);
  const request = recordOf(await stage.ask(shop, price));
  const [mine, theirs] = await Promise.all([
    stage.payCode(payer, 'balance', request),
    stage.payCode(other, 'bank_account', request),
  ]);
  return { payer, other, shop, request, mine: recordOf(mine), theirs: recordOf(theirs) };
}

/** A code without an amount: its payer says how much. */
const payAny = (
  actor: Actor,
  { customerId }: Person,
  source: 'balance' | 'bank_account',
  { qr_payload }: ReplyBody,
) =>
  actor.run(actor.commands.createPayment, {
    payer_customer_id: customerId,
    source,
    qr_payload,
    amount: price,
  });

const requestId = ({ request }: Asking) => uuid('payment_request', request.id);

const mine = {
  confirm_mine: (actor, { mine }) => actor.confirm(mine),
  cancel_mine: (actor, { mine }) => actor.cancel(mine),
} satisfies Acts;
const theirs = {
  confirm_theirs: (actor, { theirs }) => actor.confirm(theirs),
  decline_theirs: (actor, { theirs }) => actor.decline(theirs),
} satisfies Acts;
const ofRequest = {
  cancel_request: (actor, { request }) => actor.cancelRequest(request),
  expire_request: (actor, { request }) => actor.play('payment_request.expired', request),
  expiry_job: (actor, cast) => actor.runJob('payment_request_expiry', requestId(cast)),
  pay_once_more: (actor, { payer, request }) => actor.payCode(payer, 'balance', request),
} satisfies Acts;
const ofShop = {
  close_shop: (actor, { shop }) => actor.close(shop),
  suspend_shop: (actor, { shop }) => actor.toAccount('account.suspended', shop),
} satisfies Acts;
const ended: Acts = {
  ended_job: (actor, cast) => actor.runJob('payment_request_ended', requestId(cast)),
};
const bankSays: Acts = {
  bank_pays: (actor, { theirs }) => actor.play('payment.completed', theirs),
  bank_refuses: (actor, { theirs }) => actor.play('payment.failed', theirs),
};

export const requestScenes: readonly Scene[] = [
  scene<Asking>({
    name: 'request that two may pay',
    build: ask,
    acts: { ...mine, ...theirs, ...ofRequest, ...ofShop, ...ended },
  }),
  scene<Asking>({
    name: 'request that a bank is asked to pay',
    build: async (stage) => {
      const cast = await ask(stage);
      recordOf(await stage.confirm(cast.theirs));
      return cast;
    },
    acts: {
      ...bankSays,
      ...mine,
      ...ofRequest,
      ...ofShop,
      timeout_job: (actor, { theirs }) =>
        actor.runJob('payment_timeout', uuid('payment', theirs.id)),
    },
  }),
  scene<Asking>({
    name: 'request that expired while a bank was asked',
    lateSeconds: 16 * 60,
    build: async (stage) => {
      const cast = await ask(stage);
      recordOf(await stage.confirm(cast.theirs));
      return cast;
    },
    acts: {
      ...bankSays,
      expiry_job: ofRequest.expiry_job,
      confirm_mine: mine.confirm_mine,
      session_job: (actor, { mine }) => actor.runJob('session_end', sessionOf(mine)),
      cancel_request: ofRequest.cancel_request,
      timeout_job: (actor, { theirs }) =>
        actor.runJob('payment_timeout', uuid('payment', theirs.id)),
    },
  }),
  scene<Asking>({
    name: 'request that was paid',
    isFresh: true,
    build: async (stage) => {
      const cast = await ask(stage);
      recordOf(await stage.confirm(cast.mine));
      return cast;
    },
    acts: {
      ...theirs,
      ...ended,
      ...ofRequest,
      new_session: (actor, { other, theirs }) => actor.newSession(other, 'payment', theirs),
      refund: (actor, { mine }) => actor.refund(mine, price),
    },
  }),
  scene<Asking>({
    name: 'request of a closing shop',
    isFresh: true,
    build: async (stage) => {
      const cast = await ask(stage);
      recordOf(await stage.close(cast.shop));
      return cast;
    },
    acts: {
      ...mine,
      ...theirs,
      ...ofRequest,
      closing_job: (actor, { shop }) => actor.runJob('account_closing', shop.accountId),
      requests_job: (actor, { shop }) => actor.runJob('requests_closing', shop.accountId),
    },
  }),
  scene<Asking>({
    name: 'code that anybody may pay',
    build: async (stage) => {
      const cast = await ask(stage);
      const { payer, shop, other } = cast;
      const asked = await stage.run(stage.commands.createPaymentRequest, {
        type: 'static',
        collection_point: { reference: 'till', name: 'Till' },
        merchant_customer_id: shop.customerId,
      });
      const request = recordOf(asked);
      const [one, two] = [
        recordOf(await payAny(stage, payer, 'balance', request)),
        recordOf(await payAny(stage, other, 'bank_account', request)),
      ];
      return { ...cast, request, mine: one, theirs: two };
    },
    acts: {
      ...mine,
      ...theirs,
      ...ofRequest,
      ...ofShop,
      pay_once_more: (actor, { payer, request }) => payAny(actor, payer, 'balance', request),
    },
  }),
];
