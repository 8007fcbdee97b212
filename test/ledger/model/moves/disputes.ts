import type { Choices } from '../../../kit/seed.ts';
import { post } from '../client.ts';
import type { Determination } from '../resources/disputes.ts';
import { dayMs, isUnresolved, type ModelDispute } from '../types.ts';
import {
  asked,
  keepTold,
  latest,
  type Move,
  type Play,
  simulation,
  someone,
  type Twin,
} from './move.ts';

/** Somebody gives notice: of a payment of its own, of somebody else's, or of nothing named. */
export const createDispute: Play = async (twin, choices, nowMs) => {
  const { hand, model } = twin;
  const moved = model.payments.filter(({ completedMs, id }) => completedMs > 0 && id !== '');
  const payment = choices.percent(12)
    ? null
    : latest(choices, choices.percent(85) ? moved : model.payments, choices.percent(50) ? 5 : 40);
  const customer = payment && choices.percent(92) ? payment.customer : someone(choices, model);
  const type = choices.pick(['error', 'unauthorized_transfer', 'purchase_dispute'] as const);
  const agoMs = choices.percent(70) ? 0 : choices.below(4 * dayMs);
  const receivedMs = choices.percent(3) ? nowMs + 1_000 : nowMs - agoMs;
  const order = post('/v1/disputes', {
    customer_id: customer.customerId,
    type,
    ...(payment ? { payment_id: payment.id } : {}),
    description: 'as the customer said',
    notice_received_at: new Date(receivedMs).toISOString(),
  });
  const expected = model.dispute({ customer, type, payment, receivedMs }, nowMs);
  const sent = await hand.ask(order, expected, choices);
  const dispute = model.disputes.at(-1);
  if (sent.outcome.code === 'done' && expected === 'done' && dispute)
    keepTold(twin, dispute, sent, nowMs);
  const told = `${type} of ${payment?.id ?? 'nothing'} by ${customer.customerId}`;
  const people = payment ? [customer, payment.payee] : [customer];
  return { told, expected, actual: sent.outcome.code, people, stages: true };
};

const determinations: readonly Determination[] = ['approved', 'partial', 'denied', 'withdrawn'];

/** What is taken back of one customer at one instant comes in no order that anybody promises. */
const isCrowded = (dispute: ModelDispute, all: readonly ModelDispute[]): boolean =>
  all.some(
    (one) =>
      one !== dispute &&
      one.customer === dispute.customer &&
      (one.reversalMs !== null || (isUnresolved(one) && one.credited > 0)),
  );

const play =
  (twin: Twin, choices: Choices, dispute: ModelDispute) => (event: string, expected: string) =>
    asked(twin, choices, {
      told: `dispute.${event} ${dispute.id}`,
      expected,
      order: simulation(`dispute.${event}`, dispute.id),
      people: [dispute.customer, ...(dispute.merchant ? [dispute.merchant] : [])],
    });

/** The reviewer decides. */
export function determineOne(
  twin: Twin,
  choices: Choices,
  dispute: ModelDispute,
  how: Determination,
): Promise<Move> {
  const expected = twin.model.determine(dispute, how, twin.model.clock.nowMs);
  return play(twin, choices, dispute)(`resolved_${how}`, expected);
}

/** The reviewer does something about a notice, mostly one that is open. */
export const review: Play = async (twin, choices) => {
  const { model } = twin;
  const all = model.disputes.filter(({ id }) => id !== '');
  const open = all.filter(({ status }) => status !== 'closed');
  const dispute = latest(choices, choices.percent(90) ? open : all, 12);
  if (!dispute) return null;
  const move = play(twin, choices, dispute);
  const at = choices.below(10);
  if (at < 2) return move('investigating', model.investigate(dispute));
  if (at < 5 && !isCrowded(dispute, all)) return move('provisional_credit', model.credit(dispute));
  if (at < 6) return move('closed', model.finishDispute(dispute));
  return determineOne(twin, choices, dispute, choices.pick(determinations));
};
