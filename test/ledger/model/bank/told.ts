import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { receiptOf } from '../../../../bank/adapter/facts.ts';
import type { BankEvent } from '../../../../bank/book/types.ts';
import type { BankFact, FactResult, OrderFact } from '../../../../service/rails/facts.ts';
import type { Model } from '../model.ts';
import type { Twin } from '../moves/move.ts';
import { isSent, type ModelTarget } from '../types.ts';

/** The effect that each fact of the bank must have, whichever was told before it. */

const arrived: readonly string[] = ['settled', 'completed', 'partially_refunded', 'refunded'];
export const brings = ({ kind }: ModelTarget): boolean => kind === 'load' || kind === 'payment';

/** Transfers of which the bank has named another amount: while such a one waits, what comes back waits too. */
const otherNamed = new WeakSet<ModelTarget>();

/** Money that comes for a request that has failed goes where the setting says. */
function late(model: Model, target: ModelTarget, amount: number): FactResult {
  target.unmatched.add(amount);
  const { customer } = target;
  const { late_money } = model.settings;
  if (late_money === 'hold') return 'late';
  if (late_money === 'return') return 'taken';
  if (customer.status === 'closed') return 'late';
  model.creditFromSuspense(customer, amount);
  return 'taken';
}

/** The bank has paid, or was paid, this sum by the order. */
function settled(model: Model, target: ModelTarget, amount: number): FactResult {
  const isExact = amount === target.amount;
  const isOver = !isSent(target) && !arrived.includes(target.status);
  if (isExact && !isOver) return model.answer(target, true) === 'done' ? 'taken' : 'known';
  if (!brings(target)) {
    if (!isExact) otherNamed.add(target);
    return isExact ? 'contradiction' : 'amount_mismatch';
  }
  if (target.unmatched.has(amount)) return 'known';
  if (isOver) return late(model, target, amount);
  target.unmatched.add(amount);
  return 'amount_mismatch';
}

/** A payment with an id of the bank: the same id is told once here. */
function paid(model: Model, target: ModelTarget, amount: number): FactResult {
  const wasNamed = target.payments.includes(amount);
  target.payments.push(amount);
  const isBooked =
    target.unmatched.has(amount) || (amount === target.amount && arrived.includes(target.status));
  if (!isBooked) return settled(model, target, amount);
  return wasNamed ? 'unmatched' : 'known';
}

function failed(model: Model, target: ModelTarget): FactResult {
  if (model.answer(target, false) === 'done') return 'taken';
  return target.status === 'failed' ? 'known' : 'contradiction';
}

/** A transfer comes back, maybe before it was known to have settled. */
function returned(model: Model, target: ModelTarget, amount: number): FactResult {
  if (brings(target)) return 'contradiction';
  const { customer, kind, status } = target;
  const waits = isSent(target);
  if (!waits && !arrived.includes(status)) return 'contradiction';
  if (target.unmatched.has(amount)) return 'known';
  target.unmatched.add(amount);
  if (waits && otherNamed.has(target)) return 'unmatched';
  const isHolders = kind === 'withdrawal' && customer.status !== 'closed';
  if (waits) model.bounce(target, isHolders ? amount : 0);
  else if (isHolders) model.creditFromSuspense(customer, amount);
  return isHolders ? 'taken' : 'unmatched';
}

/** @returns what may come of it: some words about an order change nothing that the model knows */
function expectedOf(
  model: Model,
  target: ModelTarget | null,
  fact: BankFact,
): readonly FactResult[] {
  if ('returnRequest' in fact) return ['taken'];
  if ('money' in fact) return [target ? paid(model, target, fact.money.amount) : 'unmatched'];
  // On an order of the service itself the bank may have said that it failed.
  if (!target) return ['taken', 'known', 'contradiction'];
  switch (fact.outcome) {
    case 'settled':
      return brings(target) && fact.paymentId !== undefined
        ? [paid(model, target, fact.amount)]
        : [settled(model, target, fact.amount)];
    case 'failed':
      return [failed(model, target)];
    case 'cancelled':
      return isSent(target) ? [failed(model, target)] : ['taken', 'known'];
    case 'returned':
      return [returned(model, target, fact.amount)];
    default:
      return ['taken', 'known'];
  }
}

/** The record that an order is of; null: the service ordered it for itself. */
export async function targetOf(twin: Twin, orderId: string | null): Promise<ModelTarget | null> {
  if (orderId === null) return null;
  const [order] = await twin.sender.query<{ source_id: string }>(
    'select source_id from instructions where tenant_id = $1 and id = $2',
    orderId,
  );
  return (
    twin.model
      .targets()
      .find(({ kind, id }) => id !== '' && uuidOf(kind, id) === order?.source_id) ?? null
  );
}

export interface Telling {
  readonly expected: string;
  readonly actual: string;
  readonly target: ModelTarget | null;
}

/** Tells the service a fact, once or several times. What it answers first it answers always. */
export async function tellFact(
  twin: Twin,
  fact: BankFact,
  target: ModelTarget | null,
  times: number,
): Promise<Telling> {
  const may = expectedOf(twin.model, target, fact);
  const heard: FactResult[] = [];
  for (let time = 0; time < times; time += 1) heard.push(await twin.bank(fact));
  const [first = 'unknown'] = heard;
  const expected = may.includes(first) ? first : may.join(' or ');
  return {
    expected: heard.map(() => expected).join(' '),
    actual: heard.join(' '),
    target,
  };
}

/** An order's digits are its id without hyphens. */
const orderNamed = ({ order, end_to_end_id }: BankEvent): string | null => {
  if (order !== null) return order;
  const parts = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(end_to_end_id ?? '');
  return parts ? parts.slice(1).join('-') : null;
};

/** Tells what the bank has said; null: it is no fact for the service. */
export async function tellEvent(twin: Twin, event: BankEvent, times = 1): Promise<Telling | null> {
  const receipt = receiptOf(event);
  if (receipt?.port !== 'bank') return null;
  const target = await targetOf(twin, orderNamed(event));
  return tellFact(twin, receipt.fact, target, times);
}

/** A fact that the bank says although it is not so; it is no part of its book. */
export const untrue = (orderId: string, outcome: Pick<OrderFact, 'outcome'> & object): OrderFact =>
  ({ id: crypto.randomUUID(), orderId, ...outcome }) as OrderFact;
