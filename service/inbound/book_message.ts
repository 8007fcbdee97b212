import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import {
  type BankMessageRow,
  bankMessages,
  bankMessageView,
  closeMessage,
  movedUnbooked,
} from '../rails/bank_messages.ts';
import { instructions } from '../rails/instructions.ts';
import { bookReceived, bookSent } from '../resources/accounts/after_failure.ts';
import { receivedMoney } from '../resources/suspense/received_money.ts';
import { type SuspenseRow, suspense } from '../resources/suspense/table.ts';
import { type Order, readOrder } from './bank_facts.ts';
import { bookedOf, bringsIn, saysCame } from './booked.ts';
import { heardLast, isAssumed } from './order_ends.ts';
import { keepUnsent } from './unmatched_money.ts';

/** A message that says what the bank has moved, with its order. */
interface Moved {
  readonly message: BankMessageRow;
  readonly rows: Order;
  readonly amount: number;
}

/** A transfer was executed after it had failed, or came back then: its record stays failed, and the reserve bears it. */
function bookAfterFailure(work: Work, { message, rows, amount }: Moved): null {
  (saysCame(rows.order, message) ? bookReceived : bookSent)(work, message, amount);
  return null;
}

const waits = ({ leg }: Order): boolean => leg.statuses.settled.from.includes(leg.status());

/**
 * A transfer was executed for another amount than it waits for, or had settled for when money of it came back: it settles.
 * What was not sent is as though it came back, what was sent beyond it the reserve bears; between own accounts both are
 * the reserve's.
 * @returns what was not sent, as it is kept
 */
function settleOther(work: Work, { message, rows, amount }: Moved): SuspenseRow | null {
  const { order, leg, before } = rows;
  const status = leg.status();
  if (waits(rows)) leg.settle(work, amount);
  heardLast(work, order, 'settled');
  const isLess = amount < order.amount;
  const rest = Math.abs(amount - order.amount);
  if (isLess && order.kind === 'credit_transfer') {
    const { holder } = leg;
    const { reference } = message;
    const answer = { outcome: 'returned', amount: rest } as const;
    const unmatched = { order, before, status, holder, late: null, answer, reference } as const;
    return keepUnsent(work, { ...unmatched, asks: false }, message, rest);
  }
  (isLess === bringsIn(order) ? bookSent : bookReceived)(work, message, rest);
  return null;
}

/** The way to book a message by how its record stands now; null: nothing is left to book. */
function wayOf({ rows, message, amount }: Moved) {
  const { order, leg } = rows;
  if (leg.statuses.failed.known.includes(leg.status())) return bookAfterFailure;
  const isOpen = waits(rows) || isAssumed(order);
  return isOpen && message.outcome === 'settled' && amount !== order.amount ? settleOther : null;
}

/** Whether each payment that the bank has told of what came is in suspense already: the message is of one of them. */
async function readHeld(read: Read, { order, before }: Order, message: BankMessageRow) {
  if (movedUnbooked(message) === null || !saysCame(order, message)) return false;
  const payments = await read.set(receivedMoney, 'order_id', order.id);
  const told = payments.filter(({ amount }) => amount === message.amount);
  const items = await Promise.all(told.map(({ id }) => read.set(suspense, 'source_id', id)));
  const held = [...before.money, ...items.flat()].filter(
    ({ amount, reason }) => amount === message.amount && reason !== 'undeliverable',
  );
  return held.length >= Math.max(told.length, 1);
}

/**
 * The reviewer books what the bank has moved by a transfer after it had said that it failed, or of another amount than
 * was ordered (rules/bank-orders#27). A message that was closed without it can still be booked.
 * @throws ApiError invalid_state when the same was booked, or the message says no such thing
 */
export const bookBankMessage = command('book_bank_message', {
  load: async (read, { id }: { id: string }) => {
    const message = await read.one(bankMessages, id);
    const { source_type, source_id } = message;
    const order = await read.by(instructions, 'source', { source_type, source_id });
    if (!order) return { message, rows: null, isHeld: false };
    const rows = await readOrder(read, order.id);
    return { message, rows, isHeld: await readHeld(read, rows, message) };
  },
  decide: (work, { message, rows, isHeld }) => {
    const refuse = (reason: string) =>
      fail('invalid_state', {
        details: { current_status: message.status, allowed: ['open'], reason },
      });
    if (rows && (isHeld || bookedOf(rows.before.messages, message))) throw refuse('booked_before');
    const amount = movedUnbooked(message);
    if (amount === null || !rows) throw refuse('nothing_to_book');
    const moved = { message, rows, amount };
    const book = wayOf(moved);
    if (!book) throw refuse('nothing_to_book');
    work.touch(rows.order);
    const unsent = book(work, moved);
    work.change(message, { booked_at: work.now, suspense_id: unsent?.id ?? null });
    closeMessage(work, message);
    return { value: bankMessageView(message) };
  },
});
