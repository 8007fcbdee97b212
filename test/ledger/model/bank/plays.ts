import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { BankEvent, Order } from '../../../../bank/book/types.ts';
import type { Choices } from '../../../kit/seed.ts';
import { namedTargets } from '../moves/money.ts';
import { latest, type Move, type Play, type Twin } from '../moves/move.ts';
import { isOpen, isSent, type ModelTarget } from '../types.ts';
import { brings, type Telling, tellEvent, tellFact, untrue } from './told.ts';

/** Acts of the bank, drawn, and how they reach the service: at once, doubled, or later by the feed alone. */

const openStatuses: readonly string[] = ['sent', 'pending_review', 'accepted', 'settled_pending'];

/** The order of a record, as the bank has it; null: it does not. */
async function orderOf(
  { sender, process }: Twin,
  { kind, id }: ModelTarget,
): Promise<Order | null> {
  const [order] = await sender.query<{ id: string }>(
    'select id from instructions where tenant_id = $1 and source_id = $2',
    uuidOf(kind, id),
  );
  return order && process ? process.bank.orderAt(order.id) : null;
}

const reasons = { load: 'CUST', payment: 'CUST', withdrawal: 'AC04', refund: 'AC04' } as const;

const moveOf = (what: string, telling: Telling): Move => ({
  what: `the bank: ${what}`,
  expected: telling.expected,
  actual: telling.actual,
  people: telling.target ? [telling.target.customer] : [],
  leavesJobs: true,
});

const silent = (what: string): Move => ({
  what: `the bank: ${what}, and the service has not heard`,
  expected: 'silence',
  actual: 'silence',
});

/** Brings an event to the service, or leaves it to the feed: late, lost, or behind a later one. */
async function deliver(
  twin: Twin,
  choices: Choices,
  what: string,
  event: BankEvent | null | undefined,
): Promise<Move | null> {
  if (!event || !twin.process) return null;
  if (choices.percent(25)) return silent(what);
  twin.process.told.add(event.id);
  const telling = await tellEvent(twin, event, choices.percent(20) ? 2 : 1);
  return telling && moveOf(what, telling);
}

type Act = (
  twin: Twin,
  choices: Choices,
  order: Order,
  target: ModelTarget,
) => Promise<Move | null>;

const act =
  (name: string, bodyOf: (order: Order, target: ModelTarget) => object = () => ({})): Act =>
  async (twin, choices, order, target) => {
    const event = await twin.process?.bank.playOrder(order.id, name, bodyOf(order, target));
    return deliver(twin, choices, `${name} ${target.id}`, event);
  };

const settle = act('settle');
const fail = act('fail', (_order, { kind }) => ({ reason: reasons[kind], said_by: 'bank' }));

const sayFailed: Act = async (twin, _choices, { id }, target) => {
  const fact = untrue(id, { outcome: 'failed', reason: reasons[target.kind] } as never);
  return moveOf(`says untruly that ${target.id} failed`, await tellFact(twin, fact, target, 1));
};
const sayOtherAmount: Act = async (twin, _choices, { id }, target) => {
  const fact = untrue(id, { outcome: 'settled', amount: target.amount + 1 } as never);
  return moveOf(`names another amount of ${target.id}`, await tellFact(twin, fact, target, 1));
};

type Weighted = readonly (readonly [weight: number, act: Act])[];

/** While the bank has not said its last word. */
const whileOpen = (target: ModelTarget): Weighted => [
  [50, settle],
  [18, fail],
  [6, act('accept')],
  [4, act('review')],
  [4, act('settle-pending')],
  [8, sayFailed],
  brings(target)
    ? [8, act('settle', ({ terms }) => ({ amount: terms.amount + 1 }))]
    : [6, sayOtherAmount],
];

/** Once it has moved the money. */
const onceSettled = (target: ModelTarget): Weighted =>
  brings(target)
    ? [
        [5, act('pay-again')],
        [2, act('pay-again', ({ terms }) => ({ amount: terms.amount + 2 }))],
        [3, act('ask-back', () => ({ reason: 'FRAD' }))],
        [3, sayFailed],
      ]
    : [
        [6, act('return')],
        [2, act('return', ({ terms }) => ({ amount: Math.max(1, terms.amount - 1) }))],
        [3, sayFailed],
      ];

function drawn(choices: Choices, acts: Weighted): Act {
  let at = choices.below(acts.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, one] of acts) {
    if (at < weight) return one;
    at -= weight;
  }
  throw new Error('there is nothing to draw');
}

/** Whether the bank may have an order of it. */
const isAtBank = (target: ModelTarget): boolean =>
  !isOpen(target) &&
  !(target.kind === 'payment' && target.source === 'balance') &&
  !(target.kind === 'refund' && target.link === null);

/** An act of the bank on one of the records that it has, mostly one that waits. */
export const bankActs: Play = async (twin, choices) => {
  const all = namedTargets(twin);
  const target = latest(
    choices,
    choices.percent(70) ? all.filter(isSent) : all.filter(isAtBank),
    60,
  );
  const order = target && (await orderOf(twin, target));
  if (!target || !order) return null;
  if (openStatuses.includes(order.status))
    return drawn(choices, whileOpen(target))(twin, choices, order, target);
  if (order.status !== 'settled') return null;
  return drawn(choices, onceSettled(target))(twin, choices, order, target);
};

/** Money comes that nobody has ordered. */
export const strangerPays: Play = async (twin, choices) => {
  const amount = 100 + choices.below(5_000);
  const event = await twin.process?.bank.money(twin.process.tenantId, amount);
  return deliver(twin, choices, `money of a stranger, ${amount}`, event);
};

/** The bank says its last word, if it has not: at the end of a run. @returns null where it had */
export async function bankEnds(
  twin: Twin,
  choices: Choices,
  target: ModelTarget,
  pays: boolean,
): Promise<Move | null> {
  const order = await orderOf(twin, target);
  if (!order || !openStatuses.includes(order.status)) return null;
  return (pays ? settle : fail)(twin, choices, order, target);
}

/** The bank pays or ends what it was asked to cancel, and did not: money that comes late. */
export async function closingEnds(twin: Twin, choices: Choices): Promise<void> {
  const orders = await twin.sender.query<{ id: string }>(
    `select id from instructions where tenant_id = $1 and status = 'closing' order by created_at, id`,
  );
  for (const { id } of orders)
    await twin.process?.bank.playOrder(id, choices.percent(60) ? 'settle' : 'fail');
}
