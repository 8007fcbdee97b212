import {
  liabilityMerchant,
  liabilityPlatform,
} from '../../../../service/resources/disputes/moves.ts';
import type { ReplyBody } from '../../../kit/http.ts';
import { uuid } from '../../../kit/ids.ts';
import type { Person } from '../../customers.ts';
import { type Act, recordOf, type Scene, type Stage, scene } from '../actor.ts';

interface Disputing extends Readonly<Record<string, ReplyBody>> {
  readonly payer: Person;
  readonly shop: Person;
  readonly payment: ReplyBody;
  readonly refund: ReplyBody;
  readonly dispute: ReplyBody;
}
type Acts = Readonly<Record<string, Act<Disputing>>>;

const price = 1_000;

/** A disputed payment of which a part is to be refunded. */
async function disputing(stage: Stage): Promise<Disputing> {
  const [payer, shop] = await Promise.all([
    stage.person('individual', price),
    stage.person('business', 0),
  ]);
  const payment = await stage.confirmed(stage.pay(payer, shop, price));
  const refund = recordOf(await stage.refund(payment, 300));
  return { payer, shop, payment, refund, dispute: recordOf(await stage.notice(payer, payment)) };
}

const led =
  (...moves: readonly ('investigating' | 'provisional_credit' | 'resolved_denied')[]) =>
  async (stage: Stage): Promise<Disputing> => {
    const cast = await disputing(stage);
    for (const move of moves) recordOf(await stage.play(`dispute.${move}`, cast.dispute));
    return cast;
  };

const id = ({ dispute }: Disputing) => uuid('dispute', dispute.id);
const determinations: Acts = {
  approve: (actor, { dispute }) => actor.play('dispute.resolved_approved', dispute),
  approve_half: (actor, { dispute }) => actor.play('dispute.resolved_partial', dispute),
  deny: (actor, { dispute }) => actor.play('dispute.resolved_denied', dispute),
  withdraw_notice: (actor, { dispute }) => actor.play('dispute.resolved_withdrawn', dispute),
};
const refunds = {
  confirm_refund: (actor, { refund }) => actor.confirm(refund),
  decline_refund: (actor, { refund }) => actor.decline(refund),
  refund_more: (actor, { payment }) => actor.refund(payment, 200),
} satisfies Acts;
const moves = {
  investigate: (actor, { dispute }) => actor.play('dispute.investigating', dispute),
  credit: (actor, { dispute }) => actor.play('dispute.provisional_credit', dispute),
  finish: (actor, { dispute }) => actor.play('dispute.closed', dispute),
  credit_job: (actor, cast) => actor.runJob('dispute_credit', id(cast)),
  follow_job: (actor, cast) => actor.runJob('dispute_follow', id(cast)),
} satisfies Acts;
const parties = {
  close_payer: (actor, { payer }) => actor.close(payer),
  close_shop: (actor, { shop }) => actor.close(shop),
} satisfies Acts;
const spend: Act<Disputing> = (actor, { payer, shop }) => actor.pay(payer, shop, 500);
const again: Act<Disputing> = (actor, { payer, payment }) => actor.notice(payer, payment);

export const disputeScenes: readonly Scene[] = [
  scene<Disputing>({
    name: 'dispute that has come',
    build: disputing,
    acts: {
      ...determinations,
      ...refunds,
      ...parties,
      investigate: moves.investigate,
      credit: moves.credit,
      triage_job: (actor, cast) => actor.runJob('dispute_triage', id(cast)),
      dispute_again: again,
      shop_bears: (actor, cast) => actor.run(liabilityMerchant, { id: id(cast) }),
    },
  }),
  scene<Disputing>({
    name: 'dispute in investigation',
    build: led('investigating'),
    acts: {
      ...determinations,
      ...refunds,
      ...parties,
      credit: moves.credit,
      credit_job: moves.credit_job,
      follow_job: moves.follow_job,
      platform_bears: (actor, cast) => actor.run(liabilityPlatform, { id: id(cast) }),
    },
  }),
  scene<Disputing>({
    name: 'dispute that was credited',
    build: led('investigating', 'provisional_credit'),
    acts: { ...determinations, ...refunds, ...parties, spend, credit: moves.credit },
  }),
  scene<Disputing>({
    name: 'dispute whose credit is to be taken back',
    build: led('investigating', 'provisional_credit', 'resolved_denied'),
    acts: {
      finish: moves.finish,
      reversal_job: (actor, cast) => actor.runJob('dispute_reversal', id(cast)),
      spend,
      ...parties,
      finish_closing: (actor, { payer }) => actor.toAccount('account.closed', payer),
      dispute_again: again,
      refund_more: refunds.refund_more,
    },
  }),
  scene<Disputing>({
    name: 'dispute with a second notice',
    build: async (stage) => {
      const cast = await disputing(stage);
      return { ...cast, second: recordOf(await stage.notice(cast.payer, cast.payment)) };
    },
    acts: {
      ...determinations,
      credit: moves.credit,
      investigate: moves.investigate,
      dispute_again: again,
      investigate_second: (actor, { second }) => actor.play('dispute.investigating', second),
      deny_second: (actor, { second }) => actor.play('dispute.resolved_denied', second),
      follow_second: (actor, { second }) =>
        actor.runJob('dispute_follow', uuid('dispute', second.id)),
      triage_second: (actor, { second }) =>
        actor.runJob('dispute_triage', uuid('dispute', second.id)),
    },
  }),
];
