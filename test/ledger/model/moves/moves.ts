import type { Choices } from '../../../kit/seed.ts';
import { recordOf } from '../../sender.ts';
import { answerReturnRequest, resolveHeld } from '../bank/desk.ts';
import { bankActs, strangerPays } from '../bank/plays.ts';
import { type Order, post } from '../client.ts';
import type { Model } from '../model.ts';
import { dayMs, isOpen, isTarget, type ModelTarget } from '../types.ts';
import * as customers from './customers.ts';
import { createDispute, review } from './disputes.ts';
import { answer, callBack, createLoad, createRefund, createWithdrawal } from './money.ts';
import { latest, type Play, send, simulation, type Twin } from './move.ts';
import * as payments from './payments.ts';
import { limitPayments } from './terms.ts';

/** Keys are kept for thirty days. */
const keptMs = 29 * dayMs;

/** A record that waits for its customer, or waited; mostly one of the latest. */
function targetOf({ model }: Twin, choices: Choices): ModelTarget | null {
  const { payments, loads, withdrawals, refunds } = model;
  const list: readonly ModelTarget[] = choices.percent(50)
    ? payments
    : [...withdrawals.slice(-20), ...loads.slice(-20), ...refunds.slice(-20)];
  const made = list.filter(({ id, session }) => id !== '' && session !== null);
  return latest(choices, choices.percent(70) ? made.filter(isOpen) : made, 24);
}

const onTarget =
  (
    predict: (model: Model, target: ModelTarget) => string,
    orderOf: (target: ModelTarget) => Order,
  ) =>
  async (twin: Twin, choices: Choices) => {
    const target = targetOf(twin, choices);
    if (!target) return null;
    const expected = predict(twin.model, target);
    const people = target.kind === 'payment' ? [target.customer, target.payee] : [target.customer];
    return send(twin, choices, orderOf(target), expected, people);
  };

const sessionIdOf = ({ session }: ModelTarget): string => session?.id ?? '';
const confirm = onTarget(
  (model, target) => model.confirm(target),
  ({ id }) => simulation('session.completed', id),
);
const decline = onTarget(
  (model, target) => model.decline(target),
  ({ id }) => simulation('session.canceled', id, 'confirmation_declined'),
);
const leave = onTarget(
  (model, target) => model.leave(target),
  (target) => simulation('session.canceled', sessionIdOf(target)),
);
const expireSession = onTarget(
  (model, target) => model.leave(target),
  (target) => simulation('session.expired', sessionIdOf(target)),
);

const openSession: Play = async (twin, choices) => {
  const target = targetOf(twin, choices);
  if (!target) return null;
  const { kind: type, id, customer } = target;
  const expected = twin.model.openSession(target);
  const order = post('/v1/sessions', {
    flow: 'payment_confirm',
    customer_id: customer.customerId,
    target: { type, id },
  });
  const { outcome } = await twin.client.send(order, expected, choices);
  if (outcome.code === 'done' && target.session) target.session.id = recordOf(outcome).id;
  return { what: `a new session for ${id}`, expected, actual: outcome.code };
};

/** The same POST again: the same record, with its session only while that can be opened. */
const replay: Play = async ({ accepted, model }, choices) => {
  const { nowMs } = model.clock;
  const chosen = latest(
    choices,
    accepted.slice(-30).filter(({ madeMs }) => nowMs - madeMs < keptMs),
  );
  if (!chosen) return null;
  const { again, reply, record } = chosen;
  const outcome = await again();
  const first = reply.confirmation_session ?? null;
  const session = isTarget(record) ? record.session : null;
  const isAlive = session?.live === true && session.id === first?.id;
  const expected = isTarget(record)
    ? { ...reply, confirmation_session: isAlive ? first : null }
    : reply;
  const sorted = (value: object) => JSON.stringify(Object.entries(value).sort());
  return {
    what: `replay ${reply.id}`,
    expected: `true ${sorted(expected)}`,
    actual: `${outcome.code === 'done' && outcome.replayed} ${sorted(recordOf(outcome))}`,
  };
};

type Moves = readonly (readonly [weight: number, play: Play])[];

/** The moves of the bank, by simulate and callbacks. */
const bySimulate: Moves = [
  [16, answer],
  [6, callBack],
  [2, customers.finishClosing],
];
/** The same where it is a process of its own, which simulate would know nothing of. */
const byProcess: Moves = [
  [44, bankActs],
  [2, strangerPays],
  [4, resolveHeld],
  [3, answerReturnRequest],
];

/** Every other move with its weight. */
const moves: Moves = [
  [24, payments.createPayment],
  [1, payments.payUnknown],
  [8, payments.createRequest],
  [26, confirm],
  [5, payments.cancelPayment],
  [5, decline],
  [5, leave],
  [4, expireSession],
  [4, openSession],
  [4, payments.endRequest],
  [4, replay],
  [8, createWithdrawal],
  [6, createLoad],
  [14, createRefund],
  [5, createDispute],
  [8, review],
  [4, customers.createLink],
  [4, customers.moveLink],
  [4, customers.suspend],
  [2, customers.publish],
  [1, limitPayments],
  [2, customers.acceptTerms],
  [1, customers.close],
  [2, customers.arrive],
];

/** One random command, sent to the service and to the model. */
export const playMove: Play = (twin, choices) => {
  const all = [...moves, ...(twin.process ? byProcess : bySimulate)];
  let at = choices.below(all.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, play] of all) {
    if (at < weight) return play(twin, choices);
    at -= weight;
  }
  return Promise.resolve(null);
};
