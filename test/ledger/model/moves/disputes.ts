import type { Choices } from '../../../kit/seed.ts';
import { post } from '../client.ts';
import type { Determination } from '../resources/dispute_rules.ts';
import { dayMs, isUnresolved, type ModelDispute } from '../types.ts';
import {
  create,
  latest,
  type Move,
  type Play,
  send,
  simulation,
  someone,
  type Twin,
} from './move.ts';

type Noticed = Pick<ModelDispute, 'customer' | 'payment'> & { readonly type: NoticeType };
type NoticeType = ModelDispute['handledAs'];
/** By then the statement that shows a payment is more than 60 days old, in most cases. */
const lateMs = 95 * dayMs;

/** The same again that was answered, or what is known for long; null: neither is there. */
function seldomNoticed({ disputes, payments, clock }: Twin['model'], choices: Choices) {
  if (choices.percent(50)) {
    const again = latest(
      choices,
      disputes.filter(({ status, linkedTo }) => status === 'closed' && linkedTo === null),
      6,
    );
    return again && { customer: again.customer, payment: again.payment, type: again.handledAs };
  }
  const old = payments.filter(
    ({ completedMs, id, customer: { type } }) =>
      completedMs > 0 && completedMs < clock.nowMs - lateMs && id !== '' && type === 'individual',
  );
  const payment = latest(choices, old);
  return payment && { customer: payment.customer, payment, type: 'unauthorized_transfer' as const };
}

/** A notice of its own payment, of another's, or of none. */
function anyNoticed({ model }: Twin, choices: Choices): Noticed {
  const moved = model.payments.filter(({ completedMs, id }) => completedMs > 0 && id !== '');
  const payment = choices.percent(12)
    ? null
    : latest(choices, choices.percent(85) ? moved : model.payments, choices.percent(50) ? 5 : 40);
  const customer = payment && choices.percent(92) ? payment.customer : someone(choices, model);
  const type = choices.pick(['error', 'unauthorized_transfer', 'purchase_dispute'] as const);
  return { customer, payment, type };
}

/** A customer gives notice, now and then of what was answered before or is known for long. */
export const createDispute: Play = async (twin, choices) => {
  const { model } = twin;
  const { nowMs } = model.clock;
  const seldom = choices.percent(40) ? seldomNoticed(model, choices) : null;
  const { customer, payment, type } = seldom ?? anyNoticed(twin, choices);
  const agoMs = choices.percent(70) ? 0 : choices.below(4 * dayMs);
  const aheadMs = choices.pick([1_000, 299_000, 301_000]);
  const receivedMs = choices.percent(6) ? nowMs + aheadMs : nowMs - agoMs;
  const order = post('/v1/disputes', {
    customer_id: customer.customerId,
    type,
    ...(payment ? { payment_id: payment.id } : {}),
    description: 'as the customer said',
    notice_received_at: new Date(receivedMs).toISOString(),
  });
  const expected = model.dispute({ customer, type, payment, receivedMs });
  const people = payment ? [customer, payment.payee] : [customer];
  return create(twin, choices, order, expected, model.disputes, people);
};

const determinations: readonly Determination[] = ['approved', 'partial', 'denied', 'withdrawn'];

/** Reversals of one customer at one instant have no promised order. */
const isCrowded = (dispute: ModelDispute, all: readonly ModelDispute[]): boolean =>
  all.some(
    (one) =>
      one !== dispute &&
      one.customer === dispute.customer &&
      (one.reversalMs !== null || (isUnresolved(one) && one.credited > 0)),
  );

function simulate(
  twin: Twin,
  choices: Choices,
  dispute: ModelDispute,
  event: string,
  expected: string,
): Promise<Move> {
  const { id, customer, merchant } = dispute;
  const people = merchant ? [customer, merchant] : [customer];
  return send(twin, choices, simulation(`dispute.${event}`, id), expected, people);
}

/** The reviewer decides. */
export const determineOne = (
  twin: Twin,
  choices: Choices,
  dispute: ModelDispute,
  how: Determination,
): Promise<Move> =>
  simulate(twin, choices, dispute, `resolved_${how}`, twin.model.determine(dispute, how));

/** A move of the reviewer, mostly on an open notice. */
export const review: Play = async (twin, choices) => {
  const { model } = twin;
  const all = model.disputes.filter(({ id }) => id !== '');
  const open = all.filter(({ status }) => status !== 'closed');
  const dispute = latest(choices, choices.percent(90) ? open : all, 12);
  if (!dispute) return null;
  const move = (event: string, expected: string) =>
    simulate(twin, choices, dispute, event, expected);
  const byDoor = (name: string, expected: string, body: object = {}) => {
    const order = post(`/portal/api/review/disputes/${dispute.id}/${name}`, { ...body });
    return send(twin, choices, order, expected, [dispute.customer]);
  };
  const at = choices.below(16);
  if (at === 13) return byDoor('extenuating', model.acceptDelay(dispute), { note: 'In hospital' });
  if (at > 13) {
    const answered =
      latest(
        choices,
        all.filter(({ status }) => status === 'closed'),
      ) ?? dispute;
    const order = post(`/portal/api/review/disputes/${answered.id}/give_papers`);
    return send(twin, choices, order, model.givePapers(answered), [answered.customer]);
  }
  if (at === 10) return move('reopened', model.reopen(dispute));
  if ((at === 11 || at === 12) && !isCrowded(dispute, all))
    return move('classified', model.classify(dispute));
  if (at < 2) return move('investigating', model.investigate(dispute));
  if (at < 5 && !isCrowded(dispute, all)) return move('provisional_credit', model.credit(dispute));
  if (at < 6) return move('closed', model.closeDispute(dispute));
  return determineOne(twin, choices, dispute, choices.pick(determinations));
};
