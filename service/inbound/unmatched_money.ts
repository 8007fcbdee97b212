import { sumOf } from '@tenant-payments/contract/core/money.ts';
import { bankOutcomes } from '@tenant-payments/contract/resources/bank_messages.ts';
import { assert } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type BankMessageRow, bankMessages, keepMessage } from '../rails/bank_messages.ts';
import type { BankOutcome, FactResult } from '../rails/facts.ts';
import type { InstructionRow } from '../rails/instructions.ts';
import type { AccountRow } from '../resources/accounts/table.ts';
import { awardedCents, type DisputeRow, disputes } from '../resources/disputes/table.ts';
import {
  acceptsMoney,
  creditFromSuspense,
  receiveInSuspense,
} from '../resources/suspense/moves.ts';
import { type SuspenseRow, suspense } from '../resources/suspense/table.ts';
import { readUnsent } from '../resources/suspense/unsent.ts';
import { withdrawals } from '../resources/withdrawals/table.ts';
import { saidOf } from './kept_words.ts';
import { type LateTo, passOnLate } from './late_money.ts';

/** The unmatched money, the messages and the disputes that are already kept for an order. */
export async function readUnmatched(read: Read, order: InstructionRow) {
  const { source_id } = order;
  const [money, messages, notices] = await Promise.all([
    read.set(suspense, 'source_id', source_id),
    read.set(bankMessages, 'source_id', source_id),
    readNotices(read, order),
  ]);
  const unsent = await readUnsent(read, messages);
  return { money, unsent, messages, notices };
}

/** The notices of a withdrawal: what they awarded its holder the reserve has paid. */
async function readNotices(
  read: Read,
  { source_type, source_id }: InstructionRow,
): Promise<readonly DisputeRow[]> {
  if (source_type !== 'withdrawal') return [];
  const { transaction_id } = await read.one(withdrawals, source_id);
  return transaction_id === null ? [] : read.set(disputes, 'movement_id', transaction_id);
}

/** An answer of the bank that does not fit its order. */
export interface UnmatchedMoney {
  readonly order: InstructionRow;
  readonly before: Awaited<ReturnType<typeof readUnmatched>>;
  /** The record's status. */
  readonly status: string;
  /** The account that the money most likely belongs to; null: nobody's. */
  readonly holder: AccountRow | null;
  /** Null: the record has not failed. */
  readonly late: LateTo | null;
  readonly answer: BankOutcome;
  /** The bank's own id of its message. */
  readonly reference: string | null;
  /** The bank can be asked how an order stands. */
  readonly asks: boolean;
}

/**
 * Both sets can grow in another process: each command that adds to them changes the order, so that
 * a decision on them is proven at the commit (rules/review#26).
 */
const claim = (work: Work, { order }: UnmatchedMoney) => work.touch(order);

/** @throws for a word that moves no record: it contradicts none */
function keptOutcomeOf({ outcome }: BankOutcome): BankMessageRow['outcome'] {
  const kept = bankOutcomes.find((one) => one === outcome);
  assert(kept !== undefined, 'a word that moves no record is no contradiction');
  return kept;
}

function keep(work: Work, unmatched: UnmatchedMoney, item: SuspenseRow | null): void {
  const { order, before, status, answer, reference } = unmatched;
  claim(work, unmatched);
  keepMessage(work, before.messages, {
    source_type: order.source_type,
    source_id: order.source_id,
    outcome: keptOutcomeOf(answer),
    network_reason_code: 'reason' in answer ? (answer.reason ?? null) : null,
    ...saidOf(answer),
    amount: 'amount' in answer ? answer.amount : null,
    reference,
    record_status: status,
    suspense_id: item?.id ?? null,
  });
}

/** Keeps a message that moves nothing, for a reviewer. @returns `result` */
export function keepContradiction<R extends FactResult>(
  work: Work,
  unmatched: UnmatchedMoney,
  result: R,
): R {
  keep(work, unmatched, null);
  return result;
}

/** Takes money in, once for each amount of an order; null: this amount was taken before. */
function receive(
  work: Work,
  unmatched: UnmatchedMoney,
  reason: SuspenseRow['reason'],
  amount: number,
): SuspenseRow | null {
  const { order, before, holder } = unmatched;
  if (before.money.some((item) => item.amount === amount)) return null;
  claim(work, unmatched);
  return receiveInSuspense(work, {
    amount,
    reason,
    source_type: order.source_type,
    source_id: order.source_id,
    account_id: holder?.id ?? null,
    linked_account_id: order.linked_account_id,
  });
}

/** Puts money in suspense that came in another amount, or after its record had failed. */
export function keepMoney(
  work: Work,
  unmatched: UnmatchedMoney,
  reason: 'late' | 'other_amount',
  amount: number,
): FactResult {
  const item = receive(work, unmatched, reason, amount);
  if (!item) return 'known';
  if (reason === 'late' && passOnLate(work, unmatched, item)) return 'taken';
  keep(work, unmatched, item);
  return reason === 'late' ? 'late' : 'amount_mismatch';
}

/** Keeps money of a transfer that came back before the transfer was known to be settled. */
export function keepEarly(work: Work, unmatched: UnmatchedMoney, amount: number): FactResult {
  return receive(work, unmatched, 'returned', amount) ? 'unmatched' : 'known';
}

/**
 * Takes back a settled transfer that was sent back. A withdrawal is credited to its holder at once,
 * but with the awards of its disputes never more than was withdrawn; any other waits for a reviewer (rules/review#21).
 */
export function takeBack(work: Work, unmatched: UnmatchedMoney, amount: number): FactResult {
  const item = receive(work, unmatched, 'returned', amount);
  if (!item) return 'known';
  return creditBack(work, unmatched, item) ? 'taken' : 'unmatched';
}

/** Keeps what was not sent of a transfer as though it came back: the bank tells no return of it. */
export function keepUnsent(
  work: Work,
  unmatched: UnmatchedMoney,
  { id: source_id }: BankMessageRow,
  amount: number,
): SuspenseRow {
  const { order, holder } = unmatched;
  claim(work, unmatched);
  const item = receiveInSuspense(work, {
    amount,
    reason: 'returned',
    source_type: 'adjustment',
    source_id,
    account_id: holder?.id ?? null,
    linked_account_id: order.linked_account_id,
  });
  creditBack(work, unmatched, item);
  return item;
}

/** @returns whether the holder has it */
function creditBack(work: Work, unmatched: UnmatchedMoney, item: SuspenseRow): boolean {
  const { order, before, holder } = unmatched;
  const { money, unsent, notices } = before;
  const received = sumOf([...money, ...unsent], ({ amount }) => amount) + awardedCents(notices);
  const isHolders = order.source_type === 'withdrawal' && received + item.amount <= order.amount;
  if (!isHolders || !holder || !acceptsMoney(holder)) return false;
  creditFromSuspense(work, item, holder);
  return true;
}
