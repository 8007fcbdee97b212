import { randomBytes, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { accountOf, type Book, isOpen, type KeptOrder, ownAccount } from './book.ts';
import { Refusal } from './refusal.ts';
import type {
  BankEvent,
  Entry,
  Movement,
  Plan,
  Refuser,
  ReturnAnswer,
  Role,
  Terms,
} from './types.ts';

/** Decisions of the bank: each looks at the book and gives one entry of the journal, or refuses. */
const idOf = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;
const instantIn = (ms: number): string => new Date(Date.now() + ms).toISOString();
/** Until when another bank waits for an answer. */
const answerWithinMs = 10 * 24 * 3_600_000;

type Said = Partial<
  Pick<BankEvent, 'amount' | 'reason' | 'said_by' | 'text' | 'account' | 'sender' | 'provider_id'>
>;

function eventOf(
  type: BankEvent['type'],
  tenant: string,
  given: Partial<Omit<BankEvent, 'id' | 'type' | 'tenant'>>,
): BankEvent {
  return {
    id: idOf('evt'),
    at: instantIn(0),
    type,
    tenant,
    order: null,
    end_to_end_id: null,
    provider_id: null,
    account: null,
    amount: null,
    reason: null,
    said_by: null,
    text: null,
    sender: null,
    remittance: null,
    return_request: null,
    answer_by: null,
    ...given,
  };
}

function ofOrder(type: BankEvent['type'], { id, provider_id, terms }: KeptOrder, said: Said) {
  const { tenant, end_to_end_id, remittance } = terms;
  return eventOf(type, tenant, { order: id, end_to_end_id, provider_id, remittance, ...said });
}

/** Whether an order has its last word. */
export const hasEnded = ({ status }: KeptOrder): boolean => !isOpen(status);

function needsOpen(order: KeptOrder): void {
  if (hasEnded(order)) throw new Refusal('order_has_ended', `the order is ${order.status}`);
}

function needsSettled(order: KeptOrder): void {
  if (order.status !== 'settled')
    throw new Refusal('order_has_ended', `the order is ${order.status}, not settled`);
}

/** The order of an id. @throws Refusal not_found */
export function orderOf({ orders }: Book, id: string): KeptOrder {
  const found = orders.get(id);
  if (!found) throw new Refusal('not_found', `there is no order ${id}`);
  return found;
}

/** A known order; null: it is new. @throws Refusal order_differs */
export function knownOrder({ orders }: Book, id: string, terms: Terms): KeptOrder | null {
  const known = orders.get(id) ?? null;
  if (known && !isDeepStrictEqual(known.terms, terms))
    throw new Refusal('order_differs', 'this id is an order with another content');
  return known;
}

export function take(id: string, terms: Terms, plan: Plan): Entry {
  const at = instantIn(0);
  const order = { id, provider_id: idOf('trf'), taken_at: at, terms, plan };
  const kept = { ...order, status: 'sent', outcome: null, stepsDone: 0, changed_at: at } as const;
  return { at, order, event: ofOrder('order.sent', kept, { amount: terms.amount }) };
}

/** The order goes on, and no money has moved. */
const goesOn =
  (type: 'order.pending_review' | 'order.accepted' | 'order.settled_pending') =>
  (_book: Book, order: KeptOrder): Entry => {
    needsOpen(order);
    const event = ofOrder(type, order, { amount: order.terms.amount });
    return { at: event.at, event };
  };
export const review = goesOn('order.pending_review');
export const accept = goesOn('order.accepted');
/** The network has it for good; the money moves when the receiver's bank takes it. */
export const settlePending = goesOn('order.settled_pending');

function movementOf(
  { id, provider_id, terms }: KeptOrder,
  amount: number,
  more: Partial<Movement> = {},
): Movement {
  const { tenant, end_to_end_id, from, to } = terms;
  return {
    provider_id,
    end_to_end_id,
    order: id,
    from: accountOf(tenant, from),
    to: accountOf(tenant, to),
    amount,
    ...more,
  };
}

const roleOf = (side: Terms['to']): Role | null => ('own' in side ? side.own : null);

/** Settles an order; one of an own account that holds too little fails instead. */
export function settle(book: Book, order: KeptOrder, amount = order.terms.amount): Entry {
  needsOpen(order);
  const movement = movementOf(order, amount);
  if ('own' in order.terms.from && book.balance(movement.from) < amount)
    return fail(book, order, { reason: 'AM04', said_by: 'bank' });
  const event = ofOrder('order.settled', order, { amount, account: roleOf(order.terms.to) });
  return { at: event.at, event, movement };
}

export function fail(
  _book: Book,
  order: KeptOrder,
  { reason = 'NARR', said_by = 'bank', text }: Said,
): Entry {
  needsOpen(order);
  const event = ofOrder('order.failed', order, { reason, said_by, text: text ?? null });
  return { at: event.at, event };
}

export function cancel(order: KeptOrder): Entry | null {
  if (order.status === 'cancelled') return null;
  needsOpen(order);
  const event = ofOrder('order.cancelled', order, {});
  return { at: event.at, event };
}

/** Sends a settled transfer back. A request was paid: its money goes back by an order (`return_of`). */
export function giveBack(
  _book: Book,
  order: KeptOrder,
  amount: number = order.terms.amount,
  reason = 'AC04',
): Entry {
  needsSettled(order);
  if (order.terms.kind !== 'credit_transfer' || amount > order.terms.amount)
    throw new Refusal('invalid_request', 'only what a transfer has sent can come back');
  const provider_id = idOf('trf');
  const { from, to } = movementOf(order, amount);
  const movement = movementOf(order, amount, { provider_id, from: to, to: from });
  const account = roleOf(order.terms.from);
  const event = ofOrder('order.returned', order, { provider_id, amount, reason, account });
  return { at: event.at, event, movement };
}

/** The payer pays a request once more: money that nobody has ordered, with the request's end-to-end id. */
export function payAgain(
  _book: Book,
  order: KeptOrder,
  amount: number = order.terms.amount,
): Entry {
  needsSettled(order);
  if (order.terms.kind !== 'request_for_payment')
    throw new Refusal('invalid_request', 'only a request can be paid again');
  const provider_id = idOf('trf');
  const { tenant, to, end_to_end_id, remittance } = order.terms;
  const account = roleOf(to);
  const said = { provider_id, end_to_end_id, account, amount, remittance };
  const event = eventOf('money.received', tenant, said);
  return { at: event.at, event, movement: movementOf(order, amount, { provider_id, order: null }) };
}

interface MoneyIn {
  readonly tenant: string;
  readonly account?: Role;
  readonly amount: number;
  readonly sender?: string;
  readonly remittance?: string;
}

/** Money comes in that nobody has ordered. */
export function payIn(given: MoneyIn): Entry {
  const { tenant, account = 'fbo', amount, sender = 'Unknown', remittance = null } = given;
  const provider_id = idOf('trf');
  const end_to_end_id = randomUUID().replaceAll('-', '');
  const said = { account, amount, sender, remittance, provider_id, end_to_end_id };
  const event = eventOf('money.received', tenant, said);
  const from = accountOf(tenant, { reference: sender });
  const to = ownAccount(tenant, account);
  const movement = { provider_id, end_to_end_id, order: null, from, to, amount };
  return { at: event.at, event, movement };
}

/** The payer's bank asks for the money of a paid request back. */
export function askBack(
  _book: Book,
  order: KeptOrder,
  amount: number = order.terms.amount,
  { reason, text }: Said = {},
): Entry {
  needsSettled(order);
  if (order.terms.kind !== 'request_for_payment')
    throw new Refusal('invalid_request', 'only money that came in can be asked back');
  const answer_by = instantIn(answerWithinMs);
  const id = idOf('rr');
  const asked = { amount, reason: reason ?? 'FRAD', text: text ?? null, answer_by };
  const { tenant, end_to_end_id } = order.terms;
  const of = { order: order.id, end_to_end_id, provider_id: order.provider_id };
  const event = eventOf('return.requested', tenant, { ...of, ...asked, return_request: id });
  const request = { id, tenant, order: order.id, ...asked, answer: null };
  return { at: event.at, event, request };
}

export function answerRequest({ requests }: Book, id: string, answer: ReturnAnswer): Entry | null {
  const request = requests.get(id);
  if (!request) throw new Refusal('not_found', `there is no return request ${id}`);
  if (request.answer && !isDeepStrictEqual(request.answer, answer))
    throw new Refusal('already_answered', `it was answered with ${request.answer.answer}`);
  return request.answer ? null : { at: instantIn(0), request: { ...request, answer } };
}

/** A message alone: the order stays as it is, and no money moves. */
export function say(
  order: KeptOrder,
  type: BankEvent['type'],
  said: { amount?: number; reason?: string; said_by?: Refuser },
): Entry {
  const event = ofOrder(type, order, said);
  return { at: event.at, event, untrue: true };
}
