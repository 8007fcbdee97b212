import type { Choices } from '../../../kit/seed.ts';
import { recordOf } from '../../sender.ts';
import { type Order, post } from '../client.ts';
import type { Model } from '../model.ts';
import { dayMs, isOpen, type ModelTarget } from '../types.ts';
import { callBack } from './bank.ts';
import { createDispute, review } from './disputes.ts';
import { createLink, moveLink } from './links.ts';
import {
  answer,
  arrive,
  close,
  createLoad,
  createRefund,
  createWithdrawal,
  finishClosing,
  suspend,
} from './money.ts';
import { asked, latest, type Play, simulation, type Twin } from './move.ts';
import { ask, cancelPayment, createPayment, endRequest, payNobody } from './payments.ts';
import { acceptTerms, publish } from './terms.ts';

/** Keys are kept for thirty days (decisions 1.7). */
const keptMs = 29 * dayMs;

/** What waits for its customer, or waited; mostly one of the latest, and mostly one that still does. */
function targetOf({ model }: Twin, choices: Choices): ModelTarget | null {
  const { payments, loads, withdrawals, refunds } = model;
  const made = ({ id, session }: ModelTarget) => id !== '' && session !== null;
  const list: readonly ModelTarget[] = choices.percent(50)
    ? payments
    : [...withdrawals.slice(-20), ...loads.slice(-20), ...refunds.slice(-20)];
  const all = list.filter(made);
  return latest(choices, choices.percent(70) ? all.filter(isOpen) : all, 24);
}

/** Something done to what waits for its customer. */
const toTarget =
  (
    told: string,
    predict: (model: Model, target: ModelTarget, nowMs: number) => string,
    orderOf: (target: ModelTarget) => Order,
  ): Play =>
  async (twin, choices, nowMs) => {
    const target = targetOf(twin, choices);
    if (!target) return null;
    const expected = predict(twin.model, target, nowMs);
    const people = target.kind === 'payment' ? [target.customer, target.payee] : [target.customer];
    const order = orderOf(target);
    return asked(twin, choices, { told: `${told} ${target.id}`, order, expected, people });
  };

const openSession: Play = async (twin, choices, nowMs) => {
  const target = targetOf(twin, choices);
  if (!target) return null;
  const expected = twin.model.openSession(target, nowMs);
  const order = post('/v1/sessions', {
    flow: 'payment_confirm',
    customer_id: target.customer.customerId,
    target: { type: target.kind, id: target.id },
  });
  const { outcome } = await twin.hand.ask(order, expected, choices);
  if (outcome.code === 'done' && target.session) target.session.id = recordOf(outcome).id;
  return { told: `a new session for ${target.id}`, expected, actual: outcome.code };
};

/** The same POST again: the plain record, with its session only while that can be opened. */
const replay: Play = async ({ accepted }, choices, nowMs) => {
  const kept = accepted.slice(-30).filter(({ madeMs }) => nowMs - madeMs < keptMs);
  const chosen = latest(choices, kept, kept.length);
  if (!chosen) return null;
  const { send, record, target } = chosen;
  const outcome = await send();
  const first = record.confirmation_session ?? null;
  const alive = target?.session?.live === true && target.session.id === first?.id;
  const expected = target ? { ...record, confirmation_session: alive ? first : null } : record;
  const sorted = (value: object) => JSON.stringify(Object.entries(value).sort());
  return {
    told: `replay ${record.id}`,
    expected: `true ${sorted(expected)}`,
    actual: `${outcome.code === 'done' && outcome.replayed} ${sorted(recordOf(outcome))}`,
  };
};

const sessionIdOf = ({ session }: ModelTarget): string => session?.id ?? '';

/** Every move with its weight. */
const moves: readonly (readonly [number, Play])[] = [
  [24, createPayment],
  [1, payNobody],
  [8, ask],
  [
    26,
    toTarget(
      'confirm',
      (model, target, nowMs) => model.confirm(target, nowMs),
      ({ id }) => simulation('session.completed', id),
    ),
  ],
  [5, cancelPayment],
  [
    5,
    toTarget(
      'decline',
      (model, target) => model.decline(target),
      ({ id }) => simulation('session.canceled', id, 'confirmation_declined'),
    ),
  ],
  [
    5,
    toTarget(
      'leave',
      (model, target, nowMs) => model.leave(target, nowMs),
      (target) => simulation('session.canceled', sessionIdOf(target)),
    ),
  ],
  [
    4,
    toTarget(
      'expire the session of',
      (model, target, nowMs) => model.leave(target, nowMs),
      (target) => simulation('session.expired', sessionIdOf(target)),
    ),
  ],
  [4, openSession],
  [4, endRequest],
  [4, replay],
  [8, createWithdrawal],
  [6, createLoad],
  [14, createRefund],
  [16, answer],
  [6, callBack],
  [5, createDispute],
  [8, review],
  [4, createLink],
  [4, moveLink],
  [4, suspend],
  [2, publish],
  [2, acceptTerms],
  [1, close],
  [2, finishClosing],
  [2, arrive],
];

const weights = moves.reduce((sum, [weight]) => sum + weight, 0);

/** One random command, sent to the service and to the model. */
export const playMove: Play = (twin, choices, nowMs) => {
  let at = choices.below(weights);
  for (const [weight, play] of moves) {
    if (at < weight) return play(twin, choices, nowMs);
    at -= weight;
  }
  return Promise.resolve(null);
};
