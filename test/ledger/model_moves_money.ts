import { randomUUID as newKey } from 'node:crypto';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { openPeople, type Person } from './customers.ts';
import { amountOf, keep, latest, type Play, someone, type Twin } from './model_play.ts';
import { isSent, type ModelPayment, type ModelPerson } from './model_types.ts';
import type { Choices } from './seeded.ts';

/** A merchant begins with little, so that its refunds soon wait for money. */
export const openingCents = { individual: 200_000, business: 3_000 } as const;

/** Somebody who has just come, with some money. */
export const newcomer = (person: Person): ModelPerson => ({
  ...person,
  available: openingCents[person.type],
  pending: 0,
  earmarked: 0,
  status: 'active',
  heldBack: false,
  used: new Map(),
  isNews: false,
  retryMs: null,
});

export const createWithdrawal: Play = async (twin, choices, nowMs) => {
  const { sender, model } = twin;
  const person = someone(choices, model);
  const isDrain = choices.percent(person.type === 'business' ? 60 : 20);
  const least = choices.percent(90) ? 100 : 1;
  const amount = Math.max(least, isDrain ? person.available : amountOf(choices, person));
  const key = newKey();
  const send = () =>
    sender.send(
      sender.commands.createWithdrawal,
      { customer_id: person.customerId, amount },
      { key },
    );
  const expected = model.withdraw(person, amount, nowMs);
  const outcome = await send();
  const withdrawal = model.withdrawals.at(-1);
  if (outcome.code === 'done' && expected === 'done' && withdrawal)
    keep(twin, withdrawal, { outcome, send }, nowMs);
  return { told: `withdraw ${amount} of ${person.customerId}`, expected, actual: outcome.code };
};

/** Mostly one that was completed, since others are refused. */
function paymentOf(choices: Choices, payments: readonly ModelPayment[]): ModelPayment | null {
  const completed = payments.filter(({ status }) => status.endsWith('completed'));
  const some = payments.filter(({ status }) => status === 'partially_refunded');
  return choices.percent(85)
    ? latest(choices, [...completed.slice(-20), ...some.slice(-5)], 25)
    : latest(choices, payments, 100);
}

export const createRefund: Play = async (twin, choices, nowMs) => {
  const { sender, model } = twin;
  const payment = paymentOf(choices, model.payments);
  if (!payment) return null;
  const rest = payment.amount - payment.refunded - payment.openRefunds;
  const amount = choices.percent(40)
    ? Math.max(1, rest - 1 + choices.below(3))
    : 1 + choices.below(payment.amount);
  const key = newKey();
  const send = () =>
    sender.send(
      sender.commands.createRefund,
      { payment_id: payment.id, amount, reason: 'other' },
      { key },
    );
  const expected = model.refund(payment, amount, nowMs);
  const outcome = await send();
  const refund = model.refunds.at(-1);
  if (outcome.code === 'done' && expected === 'done' && refund)
    keep(twin, refund, { outcome, send }, nowMs);
  return { told: `refund ${amount} of ${payment.id}`, expected, actual: outcome.code };
};

const answers = {
  payment: ['payment.failed', 'payment.completed'],
  withdrawal: ['withdrawal.failed', 'withdrawal.settled'],
  refund: ['refund.failed', 'refund.completed'],
} as const;

/** The bank says yes or no, mostly of something that it has. */
export const answer: Play = async ({ sender, model }, choices, nowMs) => {
  const all = [...model.payments, ...model.withdrawals, ...model.refunds].filter(({ id }) => id);
  const target = latest(choices, choices.percent(90) ? all.filter(isSent) : all, 1_000);
  if (!target) return null;
  const pays = choices.percent(65);
  const event = answers[target.kind][Number(pays)] ?? 'payment.failed';
  const expected = model.answer(target, pays, nowMs);
  const { code } = await sender.simulate(event, target.id);
  return { told: `${event} ${target.id}`, expected, actual: code };
};

const accountOf = ({ accountId }: ModelPerson): string => publicId('account', accountId);

/** The reviewer suspends an account, or lets it work again. */
export const suspend: Play = async ({ sender, model }, choices) => {
  const restricted = model.people.filter(({ status }) => status !== 'active');
  const suspended = restricted.filter(({ heldBack }) => heldBack);
  const some = suspended.length > 1 || choices.percent(50) ? suspended : restricted;
  const person = choices.percent(70)
    ? latest(choices, some, some.length)
    : choices.pick(model.people);
  if (!person) return null;
  const lifts = person.heldBack || choices.percent(20);
  const expected = lifts ? model.reactivate(person) : model.suspend(person);
  const event = lifts ? 'account.reactivated' : 'account.suspended';
  const { code } = await sender.simulate(event, accountOf(person));
  return { told: `${event} ${person.customerId}`, expected, actual: code };
};

/** Payouts are made by the service: the model learns their ids where it knows that there are some. */
export async function learnPayouts({ sender, model }: Twin): Promise<void> {
  const unnamed = model.withdrawals.filter(({ id }) => id === '');
  for (const payout of unnamed) {
    const [row] = await sender.query<{ id: string }>(
      `select id from withdrawals where tenant_id = $1 and account_id = $2 and is_payout
       order by created_at desc, id desc limit 1`,
      payout.customer.accountId,
    );
    if (row) payout.id = publicId('withdrawal', row.id);
  }
}

/** The Tenant closes an account; most have one, so few do. */
export const close: Play = async ({ sender, model }, choices) => {
  const person = choices.pick(model.people);
  const expected = model.close(person);
  const { code } = await sender.send(sender.commands.closeCustomer, {
    id: person.customerId,
    reason: 'customer_request',
  });
  return { told: `close ${person.customerId}`, expected, actual: code };
};

export const finishClosing: Play = async ({ sender, model }, choices, nowMs) => {
  const closing = model.people.filter(({ status }) => status === 'closing');
  const person = choices.percent(80) ? latest(choices, closing, 10) : choices.pick(model.people);
  if (!person) return null;
  const expected = model.finishClosing(person, nowMs);
  const { code } = await sender.simulate('account.closed', accountOf(person));
  return { told: `finish closing ${person.customerId}`, expected, actual: code };
};

/** Who has closed is followed by somebody new. */
export const arrive: Play = async ({ sender, model }) => {
  const wanted = { individual: 4, business: 3 } as const;
  for (const type of ['individual', 'business'] as const) {
    const here = model.people.filter((one) => one.type === type && one.status !== 'closed');
    if (here.length >= wanted[type]) continue;
    const [person] = await openPeople(sender, 1, type, openingCents[type]);
    if (!person) return null;
    model.people.push(newcomer(person));
    return { told: `${person.customerId} comes`, expected: 'done', actual: 'done' };
  }
  return null;
};
