import { randomUUID as newId } from 'node:crypto';
import { publicId, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { BankOutcome, FactResult } from '../../../../service/rails/facts.ts';
import type { Choices } from '../../../kit/seed.ts';
import { post } from '../client.ts';
import type { Model } from '../model.ts';
import { leftOf } from '../resources/refunds.ts';
import { isSent, type ModelPayment, type ModelTarget } from '../types.ts';
import {
  amountOf,
  create,
  latest,
  type Move,
  type Play,
  send,
  simulation,
  someone,
  type Twin,
} from './move.ts';

export const createWithdrawal: Play = (twin, choices) => {
  const { model } = twin;
  const person = someone(choices, model);
  const isAll = choices.percent(person.type === 'business' ? 60 : 20);
  const least = choices.percent(90) ? 100 : 1;
  const amount = Math.max(least, isAll ? person.available : amountOf(choices, person));
  const order = post('/v1/withdrawals', { customer_id: person.customerId, amount });
  const expected = model.withdraw(person, amount);
  return create(twin, choices, order, expected, model.withdrawals, [person]);
};

export const createLoad: Play = (twin, choices) => {
  const { model } = twin;
  const person = someone(choices, model);
  const amount = choices.percent(8)
    ? choices.pick([1, 99, 100, 350_000, 350_001, 2_500_001])
    : 100 + choices.below(choices.percent(50) ? 3_000 : 150_000);
  const order = post('/v1/loads', { customer_id: person.customerId, amount });
  return create(twin, choices, order, model.load(person, amount), model.loads, [person]);
};

/** Mostly a completed payment, since others are refused. */
function paymentOf(choices: Choices, payments: readonly ModelPayment[]): ModelPayment | null {
  const completed = payments.filter(({ status }) => status.endsWith('completed'));
  const some = payments.filter(({ status }) => status === 'partially_refunded');
  const disputed = payments.filter(({ dispute }) => dispute !== null);
  if (choices.percent(20) && disputed.length > 0) return latest(choices, disputed, 10);
  return choices.percent(85)
    ? latest(choices, [...completed.slice(-20), ...some.slice(-5)])
    : latest(choices, payments, 100);
}

export const createRefund: Play = async (twin, choices) => {
  const { model } = twin;
  const payment = paymentOf(choices, model.payments);
  if (!payment) return null;
  const rest = leftOf(payment, payment.openRefunds, payment.credited);
  const amount = choices.percent(40)
    ? Math.max(1, rest - 1 + choices.below(3))
    : 1 + choices.below(payment.amount);
  const order = post('/v1/refund-requests', { payment_id: payment.id, amount, reason: 'other' });
  const expected = model.refund(payment, amount);
  return create(twin, choices, order, expected, model.refunds, [payment.payee]);
};

const answers = {
  load: ['load.failed', 'load.settled'],
  payment: ['payment.failed', 'payment.completed'],
  withdrawal: ['withdrawal.failed', 'withdrawal.settled'],
  refund: ['refund.failed', 'refund.completed'],
} as const;

/** The bank answers yes or no. */
export function bankAnswers(
  twin: Twin,
  choices: Choices,
  target: ModelTarget,
  pays: boolean,
): Promise<Move> {
  const order = simulation(answers[target.kind][pays ? 1 : 0], target.id);
  return send(twin, choices, order, twin.model.answer(target, pays), [target.customer]);
}

/** Every target that has an id: a payout has none until the model learns it. */
export const namedTargets = ({ model }: Twin): ModelTarget[] =>
  model.targets().filter(({ id }) => id !== '');

/** The bank answers, mostly what it has; late, twice or contrary to its own answer otherwise. */
export const answer: Play = async (twin, choices) => {
  const all = namedTargets(twin);
  const target = latest(choices, choices.percent(85) ? all.filter(isSent) : all, 1_000);
  return target && bankAnswers(twin, choices, target, choices.percent(65));
};

/** In the network's codes: a payer refused, an account is closed. */
const reasons = { load: 'CUST', payment: 'CUST', withdrawal: 'AC04', refund: 'AC04' } as const;
const arrived: readonly string[] = ['settled', 'completed', 'partially_refunded', 'refunded'];

/** The facts that this bank reports. */
type Told = Extract<BankOutcome, { outcome: 'settled' | 'failed' }>;

/** The result that the service must answer the bank (service/rails/facts.ts, FactResult). */
function resultOf(model: Model, target: ModelTarget, fact: Told): FactResult {
  if (fact.outcome === 'failed') {
    if (model.answer(target, false) === 'done') return 'taken';
    return target.status === 'failed' ? 'known' : 'contradiction';
  }
  const isExact = fact.amount === target.amount;
  const isOver = !isSent(target) && !arrived.includes(target.status);
  if (isExact && !isOver) return model.answer(target, true) === 'done' ? 'taken' : 'known';
  // Only a Request for Payment brings money.
  const brings = target.kind === 'load' || target.kind === 'payment';
  if (!brings) return isExact ? 'contradiction' : 'amount_mismatch';
  if (target.unmatched.has(fact.amount)) return 'known';
  target.unmatched.add(fact.amount);
  return isOver ? 'late' : 'amount_mismatch';
}

/**
 * A callback of the bank: late, doubled, contrary to an earlier one, or of another amount. There is
 * none of what the bank never had.
 */
export const callBack: Play = async (twin, choices) => {
  const all = namedTargets(twin);
  const target = latest(choices, choices.percent(60) ? all.filter(isSent) : all, 60);
  if (!target) return null;
  const { kind, id, amount, customer } = target;
  const [order] = await twin.sender.query<{ id: string }>(
    'select id from instructions where tenant_id = $1 and source_id = $2',
    uuidOf(kind, id),
  );
  if (!order) return null;
  const outcome: Told = choices.percent(35)
    ? { outcome: 'failed', reason: reasons[kind] }
    : { outcome: 'settled', amount: choices.percent(85) ? amount : amount + 1 };
  const fact = { id: newId(), orderId: order.id, ...outcome };
  const expected = resultOf(twin.model, target, outcome);
  const actual = await twin.bank(fact);
  const twice = choices.percent(25) ? await twin.bank(fact) : expected;
  return {
    what: `the bank reports ${JSON.stringify(outcome)} of ${id}`,
    expected: `${expected} ${expected}`,
    actual: `${actual} ${twice}`,
    people: [customer],
    leavesJobs: true,
  };
};

/** Payouts are made by the service: the model learns their ids where it knows that there are some. */
export async function learnPayouts({ sender, model }: Twin): Promise<void> {
  for (const payout of model.withdrawals.filter(({ id }) => id === '')) {
    const known = new Set(model.withdrawals.map(({ id }) => id));
    const rows = await sender.query<{ id: string }>(
      `select id from withdrawals where tenant_id = $1 and account_id = $2 and is_payout
       order by created_at, id`,
      payout.customer.accountId,
    );
    const ids = rows.map(({ id }) => publicId('withdrawal', id));
    payout.id = ids.find((id) => !known.has(id)) ?? '';
  }
}
