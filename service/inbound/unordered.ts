import { uuidOfDigits } from '@tenant-payments/contract/core/ids.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { FactResult, MoneyFact, OrderFact } from '../rails/facts.ts';
import { instructions } from '../rails/instructions.ts';
import { receiveUnordered } from '../resources/suspense/moves.ts';
import { type ReceivedMoneyRow, receivedMoney } from '../resources/suspense/received_money.ts';
import { applyBankOutcome, type Order, readOrder } from './bank_facts.ts';
import { bookedOf, bringsIn, saysCame } from './booked.ts';
import { keptText } from './kept_words.ts';
import { resultOf } from './result.ts';
import { keepEarly } from './unmatched_money.ts';

/** A payment as we hold it, with what may be orders in its words. */
export interface HeldMoney {
  readonly id: string;
  readonly amount: number;
  readonly paymentId: string;
  readonly senderName: string | null;
  readonly senderLast4: string | null;
  readonly remittance: string | null;
  /** Ids of orders that it may name; the first that is one is meant. */
  readonly named: readonly string[];
}

/** Characters of a remittance that are read; the networks carry 140. */
const longestRemittance = 500;
/** Orders that one payment may name: more are not looked up. */
const mostNamed = 4;
const longestName = 140;
const orderIds =
  /(?<![0-9a-f])[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}(?![0-9a-f])/gi;
const printable = /^[\x21-\x7e]{1,255}$/;

/** Ids of orders that a text may name, with hyphens or without. */
export const idsIn = (text: unknown): string[] =>
  (typeof text === 'string' ? text.slice(0, longestRemittance) : '')
    .match(orderIds)
    ?.flatMap((found) => uuidOfDigits(found.replaceAll('-', '').toLowerCase()) ?? []) ?? [];

const refused = (field: string, reason: string) =>
  fail('parameter_invalid', { param: `money.${field}`, details: { reason } });

/**
 * A payment without numbers of accounts and addresses. A module need not be checked by a compiler.
 * @throws ApiError parameter_invalid: what cannot be booked
 */
export function heldMoney({ id, money }: MoneyFact): HeldMoney {
  const { amount, to, sender, remittance, endToEndId, paymentId } = money;
  if (!Number.isSafeInteger(amount) || amount <= 0) throw refused('amount', 'no_amount');
  if (to !== 'fbo') throw refused('to', 'not_the_customers_money');
  assertPaymentId(paymentId);
  const last4 = sender?.last4;
  return {
    id,
    amount,
    paymentId,
    senderName: keptText(sender?.name)?.slice(0, longestName) ?? null,
    senderLast4: typeof last4 === 'string' && /^\d{4}$/.test(last4) ? last4 : null,
    remittance: keptText(remittance),
    named: [...new Set([...idsIn(endToEndId), ...idsIn(remittance)])].slice(0, mostNamed),
  };
}

function assertPaymentId(paymentId: string): void {
  if (!printable.test(paymentId)) throw refused('paymentId', 'no_id');
}

const toldBefore = (read: Read, provider_id: string) =>
  read.by(receivedMoney, 'provider', { provider_id });

/** The facts needed to book a payment. */
export interface Payment {
  readonly money: Omit<HeldMoney, 'id' | 'named'>;
  /** The same payment, told before. */
  readonly known: ReceivedMoneyRow | null;
}
/** A payment that names an order. */
interface NamedPayment extends Payment {
  readonly rows: Order;
  /** Payments that named the same order before. */
  readonly others: readonly Pick<ReceivedMoneyRow, 'amount'>[];
}

const othersOf = (read: Read, { order }: Order) => read.set(receivedMoney, 'order_id', order.id);

/** The first order of this Tenant that the payment names. */
async function firstOrder(read: Read, ids: readonly string[]): Promise<Order | null> {
  const found = await Promise.all(ids.map((id) => read.maybe(instructions, id)));
  const order = found.find((row) => row !== null);
  return order ? readOrder(read, order.id) : null;
}

/** Reads what a payment may belong to. */
export async function loadMoney(
  read: Read,
  money: HeldMoney,
): Promise<NamedPayment | (Payment & { readonly rows: null })> {
  const [known, rows] = await Promise.all([
    toldBefore(read, money.paymentId),
    firstOrder(read, money.named),
  ]);
  return rows
    ? { money, known, rows, others: await othersOf(read, rows) }
    : { money, known, rows: null };
}

/** The payment by which a request was paid, where the bank tells its id; null: it does not. */
export async function readPayment(
  read: Read,
  rows: Order,
  fact: OrderFact,
): Promise<NamedPayment | null> {
  if (fact.outcome !== 'settled' || fact.paymentId === undefined) return null;
  if (rows.order.kind !== 'request_for_payment' || fact.amount <= 0) return null;
  const { amount, paymentId } = fact;
  assertPaymentId(paymentId);
  const money = { amount, paymentId, senderName: null, senderLast4: null, remittance: null };
  const [known, others] = await Promise.all([toldBefore(read, paymentId), othersOf(read, rows)]);
  return { money, known, rows, others };
}

const keepRow = (work: Work, { money }: Payment, order_id: string | null): ReceivedMoneyRow =>
  work.create(receivedMoney, {
    id: work.newId(),
    provider_id: money.paymentId,
    order_id,
    amount: money.amount,
    sender_name: money.senderName,
    sender_last4: money.senderLast4,
    remittance: money.remittance,
    created_at: work.now,
  });

/**
 * Whether a payment of this amount is in the books as the order's own: in suspense, where it came, by the order's end,
 * or by a message that a reviewer has booked.
 */
const isBooked = ({ order, leg, before }: Order, amount: number): boolean =>
  before.money.some((item) => item.amount === amount && item.reason !== 'undeliverable') ||
  before.messages.some(
    (message) =>
      message.booked_at !== null && message.amount === amount && saysCame(order, message),
  ) ||
  (amount === order.amount &&
    bringsIn(order) &&
    leg.statuses.settled.known.includes(leg.status()) &&
    !bookedOf(before.messages, { outcome: 'settled' }));

/** The first payment of an amount that names an order, or whose own words are that order's answer. */
function applyFirst(work: Work, rows: Order, { amount, paymentId }: Payment['money']): FactResult {
  const { order, leg, before } = rows;
  if (order.kind !== 'credit_transfer')
    return applyBankOutcome(work, rows, { outcome: 'settled', amount }, paymentId);
  const answer = { outcome: 'returned', amount } as const;
  if (leg.statuses.settled.known.includes(leg.status()))
    return applyBankOutcome(work, rows, answer, paymentId);
  const { holder } = leg;
  const unmatched = { order, before, status: leg.status(), holder, late: null, answer };
  return keepEarly(work, { ...unmatched, reference: paymentId, asks: false }, amount);
}

/**
 * Whether a payment that is not booked may be the order's own: of an internal order to the customers' account while it
 * waits, its own amount, or the first of another, which is a message. What no bank took back stands in suspense as the
 * order's already.
 */
function fits({ order, leg, before }: Order, amount: number, wasNamed: boolean): boolean {
  if (before.money.some((item) => item.amount === amount)) return false;
  if (order.kind !== 'internal_transfer') return true;
  if (!bringsIn(order)) return false;
  const result = resultOf(leg.status(), leg.statuses.settled);
  return result === 'taken' && (amount === order.amount || !wasNamed);
}

/**
 * Books a payment that names an order, once. Without an id of its own the bank tells one payment of each amount at
 * most, which the first that has an id is taken for (rules/received-money#2).
 */
export function receivePayment(work: Work, payment: NamedPayment): FactResult {
  const { money, known, rows, others } = payment;
  if (known) return 'known';
  const { order, leg } = rows;
  const { amount } = money;
  work.touch(order);
  const row = keepRow(work, payment, order.id);
  const wasNamed = others.some((other) => other.amount === amount);
  if (isBooked(rows, amount)) {
    if (!wasNamed) return 'known';
  } else if (fits(rows, amount, wasNamed)) return applyFirst(work, rows, money);
  const isRequest = order.kind === 'request_for_payment';
  receiveUnordered(work, row, isRequest ? 'paid_twice' : 'unsolicited', {
    account_id: leg.holder?.id ?? null,
    linked_account_id: isRequest ? order.linked_account_id : null,
  });
  return 'unmatched';
}

/** Books a payment: by the order that it names, else in suspense for a reviewer (rules/received-money#1). */
export function receiveMoney(
  work: Work,
  payment: Awaited<ReturnType<typeof loadMoney>>,
): FactResult {
  if (payment.rows) return receivePayment(work, payment);
  if (payment.known) return 'known';
  const row = keepRow(work, payment, null);
  receiveUnordered(work, row, 'unsolicited', { account_id: null, linked_account_id: null });
  return 'unmatched';
}
