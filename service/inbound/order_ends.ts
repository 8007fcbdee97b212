import { type WaitingWord, waitingWords } from '@tenant-payments/contract/resources/bank_orders.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { BankOutcome, FactResult } from '../rails/facts.ts';
import {
  closeTaken,
  handOverJob,
  type InstructionRow,
  isToHandOver,
} from '../rails/instructions.ts';
import type { Leg } from './leg.ts';

/** A word of the bank that moves no record. */
export type Waiting = Extract<BankOutcome, { outcome: WaitingWord }>;

interface Ordered {
  readonly order: InstructionRow;
  readonly leg: Leg;
}

/** The record still waits for its bank. */
const recordWaits = (leg: Leg): boolean => leg.statuses.settled.from.includes(leg.status());

/** The bank has the order, whatever else it says of it: it is not handed over any more. */
export function markHandedOver(work: Work, order: InstructionRow): void {
  // The order was being handed over when its record ended.
  if (order.status === 'withdrawn') closeTaken(work, order);
  if (!isToHandOver(order)) return;
  work.cancelJob(handOverJob(order), order.id);
  work.move(order, 'hand_over', { set: { sent_at: work.now } });
}

/** Whether a question to the bank is open: of an order that ended by other means it is over. */
export const isAsked = ({ order, leg }: Ordered): boolean =>
  order.asked_at !== null && (order.status === 'closing' || recordWaits(leg));

/** The bank has sent money back and not said what it sent: the record settled for what was ordered. */
export const isAssumed = ({ word }: InstructionRow): boolean => word === 'returned';

/** The bank need not say any more how an order stands. */
export function stopAsking(work: Work, order: InstructionRow): void {
  if (order.asked_at === null) return;
  work.change(order, { asked_at: null });
  work.cancelJob('order_query', order.id);
}

/**
 * The bank's last word. An order that settles while its record waits keeps none: the record says it, and a payment
 * changes no further row.
 */
export function heardLast(
  work: Work,
  order: InstructionRow,
  word: 'settled' | 'failed' | 'cancelled',
): void {
  stopAsking(work, order);
  if (word === 'settled' && isAssumed(order)) work.change(order, { word: null });
  const isPlain = word === 'settled' && order.status === 'sent';
  if (isPlain || (order.status !== 'sent' && order.status !== 'closing')) return;
  work.move(order, 'end', { set: { word } });
  if (order.cancel === 'wanted') work.cancelJob('order_cancel', order.id);
}

const rankOf = (word: InstructionRow['word']): number =>
  (waitingWords as readonly (string | null)[]).indexOf(word);

/** Keeps a word that moves no record: never one that comes behind a later one, or after the end. */
export function keepWord(work: Work, { order, leg }: Ordered, answer: Waiting): FactResult {
  const providerId = answer.outcome === 'sent' ? answer.providerId : undefined;
  const isNamed = providerId !== undefined && order.provider_id === null;
  if (isNamed) work.change(order, { provider_id: providerId });
  const isOpen = order.status === 'closing' || (order.status === 'sent' && recordWaits(leg));
  const isNews = isOpen && rankOf(answer.outcome) > rankOf(order.word);
  if (isNews) work.change(order, { word: answer.outcome });
  return isNews || isNamed ? 'taken' : 'known';
}

/** Asks the bank how an order stands, before anything is released or sent again (rules/bank-orders#22). */
export function askBank(work: Work, order: InstructionRow, reason: string): void {
  if (order.asked_at !== null) return;
  work.change(order, { asked_at: work.now, asked_reason: reason, queried_at: null });
  work.scheduleJob('order_query', order.id, work.now);
}

/** A bank that cancels an order says so by itself, mostly. */
const patienceSeconds = 60;

/** Asks the bank for its last word of an order that is closing, in case nothing else brings it (rules/bank-orders#19). */
export function askForTheLastWord(work: Work, order: InstructionRow): void {
  if (order.asked_at !== null) return;
  work.change(order, { asked_at: work.now, asked_reason: null, queried_at: null });
  work.scheduleJob('order_query', order.id, addSeconds(work.now, patienceSeconds));
}

/** An order of which the bank was asked since it said so has not settled, if it says so again. */
export const isAnswered = ({ asked_at, queried_at }: InstructionRow): boolean =>
  asked_at !== null && queried_at !== null;
