import { publicId } from '@tenant-payments/contract/core/ids.ts';
import type { Choices } from '../../../kit/seed.ts';
import { openPeople, type Person } from '../../customers.ts';
import type { Sender } from '../../sender.ts';
import { post } from '../client.ts';
import { blockOf } from '../resources/loads.ts';
import {
  count,
  dayOf,
  isSent,
  type ModelPayment,
  type ModelPerson,
  type ModelTarget,
} from '../types.ts';
import {
  amountOf,
  asked,
  keep,
  latest,
  type Move,
  type Play,
  simulation,
  someone,
  type Twin,
} from './move.ts';

/** A merchant begins with little, so that its refunds soon wait for money. */
export const openingCents = { individual: 200_000, business: 3_000 } as const;

/** Somebody who has just come, with a bank account and some money from it. */
export async function newcomer(
  { query }: Sender,
  person: Person,
  nowMs: number,
): Promise<ModelPerson> {
  const cents = openingCents[person.type];
  const came: ModelPerson = {
    ...person,
    events: ['created'],
    openedMs: nowMs,
    closedMs: null,
    links: [],
    available: cents,
    pending: 0,
    earmarked: 0,
    status: 'active',
    heldBack: false,
    used: new Map(),
    waiting: new Map(),
    isNews: false,
    retryMs: null,
  };
  const links = await query<{ id: string }>(
    `select l.id from linked_accounts l join accounts a
       on a.tenant_id = l.tenant_id and a.customer_id = l.customer_id
     where a.tenant_id = $1 and a.id = $2`,
    person.accountId,
  );
  for (const { id } of links)
    came.links.push({
      id: publicId('linked_account', id),
      events: ['created', 'verified'],
      customer: came,
      status: 'verified',
      offers: { withdrawal: true, load: true },
      wasVerified: true,
      holdUntilMs: null,
    });
  const day = dayOf(nowMs);
  count('load', came, day, cents);
  count('load_30_day', came, blockOf(nowMs, day), cents);
  return came;
}

/** What a creation came to: as `keep` has it, its amount and state, or its refusal. */
async function made(
  twin: Twin,
  choices: Choices,
  nowMs: number,
  told: string,
  {
    order,
    expected,
    target,
  }: {
    readonly order: ReturnType<typeof post>;
    readonly expected: string;
    readonly target: () => ModelTarget | undefined;
  },
): Promise<Move> {
  const sent = await twin.hand.ask(order, expected, choices);
  const { code } = sent.outcome;
  const record = expected === 'done' && code === 'done' ? target() : undefined;
  if (!record) return { told, expected, actual: code };
  const { amount, status, version } = keep(twin, record, sent, nowMs);
  return {
    told,
    expected: JSON.stringify([record.amount, record.status, 1]),
    actual: JSON.stringify([amount, status, version]),
    people: [record.customer],
  };
}

export const createWithdrawal: Play = (twin, choices, nowMs) => {
  const { model } = twin;
  const person = someone(choices, model);
  const isDrain = choices.percent(person.type === 'business' ? 60 : 20);
  const least = choices.percent(90) ? 100 : 1;
  const amount = Math.max(least, isDrain ? person.available : amountOf(choices, person));
  const expected = model.withdraw(person, amount, nowMs);
  const order = post('/v1/withdrawals', { customer_id: person.customerId, amount });
  const told = `withdraw ${amount} of ${person.customerId}`;
  const target = () => model.withdrawals.at(-1);
  return made(twin, choices, nowMs, told, { order, expected, target });
};

export const createLoad: Play = (twin, choices, nowMs) => {
  const { model } = twin;
  const person = someone(choices, model);
  const amount = choices.percent(8)
    ? choices.pick([1, 99, 100, 350_000, 350_001, 2_500_001])
    : 100 + choices.below(choices.percent(50) ? 3_000 : 150_000);
  const expected = model.load(person, amount, nowMs);
  const order = post('/v1/loads', { customer_id: person.customerId, amount });
  const target = () => model.loads.at(-1);
  const told = `load ${amount} for ${person.customerId}`;
  return made(twin, choices, nowMs, told, { order, expected, target });
};

/** Mostly one that was completed, since others are refused. */
function paymentOf(choices: Choices, payments: readonly ModelPayment[]): ModelPayment | null {
  const completed = payments.filter(({ status }) => status.endsWith('completed'));
  const some = payments.filter(({ status }) => status === 'partially_refunded');
  const disputed = payments.filter(({ dispute }) => dispute !== null);
  if (choices.percent(20) && disputed.length > 0) return latest(choices, disputed, 10);
  return choices.percent(85)
    ? latest(choices, [...completed.slice(-20), ...some.slice(-5)], 25)
    : latest(choices, payments, 100);
}

export const createRefund: Play = async (twin, choices, nowMs) => {
  const { model } = twin;
  const payment = paymentOf(choices, model.payments);
  if (!payment) return null;
  const rest = payment.amount - payment.refunded - payment.openRefunds - payment.credited;
  const amount = choices.percent(40)
    ? Math.max(1, rest - 1 + choices.below(3))
    : 1 + choices.below(payment.amount);
  const expected = model.refund(payment, amount, nowMs);
  const body = { payment_id: payment.id, amount, reason: 'other' };
  const order = post('/v1/refund-requests', body);
  const target = () => model.refunds.at(-1);
  return made(twin, choices, nowMs, `refund ${amount} of ${payment.id}`, {
    order,
    expected,
    target,
  });
};

const answers = {
  load: ['load.failed', 'load.settled'],
  payment: ['payment.failed', 'payment.completed'],
  withdrawal: ['withdrawal.failed', 'withdrawal.settled'],
  refund: ['refund.failed', 'refund.completed'],
} as const;

/** The bank says yes or no of something. */
export function bankSays(
  twin: Twin,
  choices: Choices,
  nowMs: number,
  target: ModelTarget,
  pays: boolean,
): Promise<Move> {
  const event = answers[target.kind][Number(pays)] ?? 'payment.failed';
  const expected = twin.model.answer(target, pays, nowMs);
  const order = simulation(event, target.id);
  const told = `${event} ${target.id}`;
  return asked(twin, choices, { told, order, expected, people: [target.customer] });
}

/** All that moves money and has a name. */
export const allOf = ({ payments, loads, withdrawals, refunds }: Twin['model']): ModelTarget[] =>
  [...payments, ...loads, ...withdrawals, ...refunds].filter(({ id }) => id !== '');

/** What the bank has and has not answered. */
export const sentTo = ({ model }: Twin): ModelTarget[] => allOf(model).filter(isSent);

/** The bank answers, mostly what it has; late, twice or against its own word otherwise. */
export const answer: Play = async (twin, choices, nowMs) => {
  const all = allOf(twin.model);
  const target = latest(choices, choices.percent(85) ? all.filter(isSent) : all, 1_000);
  return target && bankSays(twin, choices, nowMs, target, choices.percent(65));
};

const accountOf = ({ accountId }: ModelPerson): string => publicId('account', accountId);

/** The reviewer suspends an account, or lets it work again. */
export const suspend: Play = async (twin, choices) => {
  const { model } = twin;
  const restricted = model.people.filter(({ status }) => status !== 'active');
  const suspended = restricted.filter(({ heldBack }) => heldBack);
  const some = suspended.length > 1 || choices.percent(50) ? suspended : restricted;
  const person = choices.percent(70)
    ? latest(choices, some, some.length)
    : choices.pick(model.people);
  if (!person) return null;
  const lifts = person.heldBack || choices.percent(20);
  return (lifts ? reactivate : suspendOne)(twin, choices, person);
};

const suspendOne = (twin: Twin, choices: Choices, person: ModelPerson): Promise<Move> =>
  asked(twin, choices, {
    told: `account.suspended ${person.customerId}`,
    expected: twin.model.suspend(person),
    order: simulation('account.suspended', accountOf(person)),
    people: [person],
  });

export const reactivate = (twin: Twin, choices: Choices, person: ModelPerson): Promise<Move> =>
  asked(twin, choices, {
    told: `account.reactivated ${person.customerId}`,
    expected: twin.model.reactivate(person),
    order: simulation('account.reactivated', accountOf(person)),
    people: [person],
  });

/** Payouts are made by the service: the model learns their ids where it knows that there are some. */
export async function learnPayouts({ sender, model }: Twin): Promise<void> {
  const unnamed = model.withdrawals.filter(({ id }) => id === '');
  for (const payout of unnamed) {
    const known = new Set(model.withdrawals.map(({ id }) => id));
    const rows = await sender.query<{ id: string }>(
      `select id from withdrawals where tenant_id = $1 and account_id = $2 and is_payout
       order by created_at, id`,
      payout.customer.accountId,
    );
    const row = rows.find(({ id }) => !known.has(publicId('withdrawal', id)));
    if (row) payout.id = publicId('withdrawal', row.id);
  }
}

/** The Tenant closes an account; most have one, so few do. */
export const close: Play = async (twin, choices) => {
  const person = choices.pick(twin.model.people);
  const expected = twin.model.close(person);
  const order = post(`/v1/customers/${person.customerId}/close`, { reason: 'customer_request' });
  const told = `close ${person.customerId}`;
  return asked(twin, choices, { told, order, expected, people: [person], stages: true });
};

export const finishClosing: Play = async (twin, choices, nowMs) => {
  const { model } = twin;
  const closing = model.people.filter(({ status }) => status === 'closing');
  const person = choices.percent(80) ? latest(choices, closing, 10) : choices.pick(model.people);
  if (!person) return null;
  const expected = model.finishClosing(person, nowMs);
  const order = simulation('account.closed', accountOf(person));
  const told = `finish closing ${person.customerId}`;
  return asked(twin, choices, { told, order, expected, people: [person] });
};

/** Who has closed is followed by somebody new. */
export const arrive: Play = async ({ sender, model, calmly }, _choices, nowMs) => {
  const wanted = { individual: 4, business: 3 } as const;
  for (const type of ['individual', 'business'] as const) {
    const here = model.people.filter((one) => one.type === type && one.status !== 'closed');
    if (here.length >= wanted[type]) continue;
    const [person] = await calmly(() => openPeople(sender, 1, type, openingCents[type]));
    if (!person) return null;
    model.people.push(await newcomer(sender, person, nowMs));
    return { told: `${person.customerId} comes`, expected: 'done', actual: 'done' };
  }
  return null;
};
