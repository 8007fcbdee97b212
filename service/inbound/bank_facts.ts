import type { Lifecycle } from '@tenant-payments/contract/core/lifecycle.ts';
import type { MoneySource } from '@tenant-payments/contract/resources/bank_messages.ts';
import { loadLifecycle } from '@tenant-payments/contract/resources/loads.ts';
import { paymentLifecycle } from '@tenant-payments/contract/resources/payments.ts';
import { refundLifecycle } from '@tenant-payments/contract/resources/refunds.ts';
import type { TargetType } from '@tenant-payments/contract/resources/sessions.ts';
import { withdrawalLifecycle } from '@tenant-payments/contract/resources/withdrawals.ts';
import type { Command } from '@tenant-payments/engine/command.ts';
import { assert } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { AnyTable } from '@tenant-payments/engine/table.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { movedUnbooked } from '../rails/bank_messages.ts';
import type { BankOutcome, FactResult } from '../rails/facts.ts';
import { type InstructionRow, instructions } from '../rails/instructions.ts';
import type { AccountRow } from '../resources/accounts/table.ts';
import {
  creditArrived,
  creditFailed,
  loadSentCredit,
  sentStatuses,
} from '../resources/disputes/sent_credit.ts';
import { awardedCents } from '../resources/disputes/table.ts';
import { failLoad, settleLoad } from '../resources/loads/moves.ts';
import { completePayment, failPayment } from '../resources/payments/by_bank.ts';
import { completeRefund, failBankRefund } from '../resources/refunds/moves.ts';
import { failWithdrawal, settleWithdrawal } from '../resources/withdrawals/moves.ts';
import { bookedOf } from './booked.ts';
import { saidOf } from './kept_words.ts';
import { lateNow, readLate } from './late_money.ts';
import type { End, Leg } from './leg.ts';
import {
  askBank,
  heardLast,
  isAnswered,
  isAssumed,
  keepWord,
  markHandedOver,
} from './order_ends.ts';
import { ownLeg } from './own_orders.ts';
import { cancelledFor, failureOf, isDuplicate, isTimeout } from './reasons.ts';
import { type FactStatuses, resultOf } from './result.ts';
import {
  keepContradiction,
  keepEarly,
  keepMoney,
  readUnmatched,
  takeBack,
  type UnmatchedMoney,
} from './unmatched_money.ts';

/** The bank's two answers, as the commands that `simulate` runs. */
interface Answers<Row extends { readonly status: string }, Rows> {
  readonly lifecycle: Lifecycle;
  /** The moves that the answers cause, by their names in the state table. */
  readonly moves: Readonly<Record<End, string>>;
  readonly settle: Command<{ id: string }, Rows, undefined>;
  readonly fail: Command<{ id: string; failure_code: string | null }, Rows, undefined>;
  readonly rowOf: (rows: Rows) => Row;
  readonly holderOf: (rows: Rows) => AccountRow;
  readonly awardedOf?: (rows: Rows) => number;
}

function statusesOf(
  lifecycle: Lifecycle,
  name: string,
  alsoKnown: readonly string[] = [],
): FactStatuses {
  const move = lifecycle.moves[name];
  assert(move && move.from !== 'new', `${lifecycle.resource} has a move ${name}`);
  return { from: move.from, known: [move.to, ...alsoKnown] };
}

const legOf =
  <Row extends { readonly status: string; readonly network_reason_code: string | null }, Rows>(
    source: TargetType,
    answers: Answers<Row, Rows>,
    alsoKnown: readonly string[] = [],
  ) =>
  async (read: Read, id: string): Promise<Leg> => {
    const { lifecycle, moves, settle, fail, rowOf, holderOf, awardedOf } = answers;
    const rows = await settle.load(read, { id }, undefined);
    const row = rowOf(rows);
    return {
      status: () => row.status,
      holder: holderOf(rows),
      statuses: {
        settled: statusesOf(lifecycle, moves.settled, alsoKnown),
        failed: statusesOf(lifecycle, moves.failed),
      },
      settle: (work) => settle.decide(work, rows, { id }, undefined),
      fail: (work, reason) => {
        const { failure, networkReason } = failureOf(source, reason);
        fail.decide(work, rows, { id, failure_code: failure }, undefined);
        work.change<AnyTable>(row, { network_reason_code: networkReason });
      },
      ...(awardedOf && { awarded: () => awardedOf(rows) }),
    };
  };

/** Every kind of record that a bank moves money for. */
const legs: Readonly<
  Record<MoneySource, (read: Read, id: string, order: InstructionRow) => Promise<Leg>>
> = {
  load: legOf('load', {
    lifecycle: loadLifecycle,
    moves: { settled: 'settle', failed: 'fail' },
    settle: settleLoad,
    fail: failLoad,
    rowOf: ({ load }) => load,
    holderOf: ({ account }) => account,
  }),
  payment: legOf(
    'payment',
    {
      lifecycle: paymentLifecycle,
      moves: { settled: 'complete', failed: 'fail' },
      settle: completePayment,
      fail: failPayment,
      rowOf: ({ payment }) => payment,
      // The money came from the payer, and no merchant has a claim to it.
      holderOf: ({ payer }) => payer,
      awardedOf: ({ payment }) => payment.awarded_cents,
    },
    // A payment that was refunded since had been completed before.
    ['partially_refunded', 'refunded'],
  ),
  withdrawal: legOf('withdrawal', {
    lifecycle: withdrawalLifecycle,
    moves: { settled: 'settle', failed: 'fail' },
    settle: settleWithdrawal,
    fail: failWithdrawal,
    rowOf: ({ withdrawal }) => withdrawal,
    holderOf: ({ account }) => account,
  }),
  refund: legOf('refund', {
    lifecycle: refundLifecycle,
    moves: { settled: 'complete', failed: 'fail' },
    settle: completeRefund,
    fail: failBankRefund,
    rowOf: ({ refund }) => refund,
    holderOf: ({ payer }) => payer,
  }),
  /** A credit whose account had closed; the dispute itself does not move. */
  dispute: async (read, id, order) => {
    const rows = await loadSentCredit(read, id, order);
    return {
      status: () => rows.dispute.credit_route ?? '',
      holder: rows.account,
      statuses: sentStatuses,
      settle: (work) => creditArrived(work, rows),
      fail: (work) => creditFailed(work, rows),
    };
  },
  adjustment: (read, _id, order) => ownLeg(read, order),
};

/** An order with its record. @throws ApiError not_found */
export async function readOrder(read: Read, orderId: string) {
  const order = await read.one(instructions, orderId);
  const [leg, before] = await Promise.all([
    legs[order.source_type](read, order.source_id, order),
    readUnmatched(read, order),
  ]);
  return { order, leg, before, late: await readLate(read, order, leg) };
}
export type Order = Awaited<ReturnType<typeof readOrder>>;

/**
 * Whether a dispute has awarded the record while the bank is executing it, which 1.0 did: if the bank refuses it, its
 * customer has the money twice (rules/disputes#18).
 */
export const isAwardedEarly = ({ leg, before }: Order): boolean =>
  leg.statuses.failed.from.includes(leg.status()) &&
  awardedCents(before.notices) + (leg.awarded?.() ?? 0) > 0;

/** Only a Request for Payment brings money in; a transfer sends money out. */
const brings = ({ order }: Order): boolean => order.kind === 'request_for_payment';

type Apply<Outcome> = (
  work: Work,
  rows: Order,
  answer: Extract<BankOutcome, { outcome: Outcome }>,
  unmatched: UnmatchedMoney,
) => FactResult;

const applySettled: Apply<'settled'> = (work, rows, { amount }, unmatched) => {
  const { order, leg } = rows;
  const isExact = amount === order.amount;
  const result = resultOf(leg.status(), leg.statuses.settled);
  // Money of another amount than was ordered does not belong to this record.
  if (isExact && result === 'taken') leg.settle(work, amount);
  // A request that is closing is over by whatever was paid.
  const isOver = brings(rows) && amount > 0 && order.status === 'closing';
  if (isExact || isOver) heardLast(work, order, 'settled');
  // A reviewer has booked another amount of it.
  const isOther = bookedOf(unmatched.before.messages, { outcome: 'settled' }) !== undefined;
  if (isExact && result !== 'contradiction' && !isOther) return result;
  if (brings(rows) && amount > 0)
    return keepMoney(work, unmatched, result === 'contradiction' ? 'late' : 'other_amount', amount);
  return keepContradiction(work, unmatched, isExact ? 'contradiction' : 'amount_mismatch');
};

/** The record fails, where it still waits. */
function failOrder(
  work: Work,
  { order, leg }: Order,
  reason: string,
  unmatched: UnmatchedMoney,
  word: 'failed' | 'cancelled',
): FactResult {
  const result = resultOf(leg.status(), leg.statuses.failed);
  if (result === 'contradiction') return keepContradiction(work, unmatched, result);
  if (result === 'taken') {
    leg.fail(work, reason);
    const said = saidOf(unmatched.answer);
    if (said.said_by ?? said.said_text) work.change(order, said);
  }
  heardLast(work, order, word);
  return result;
}

const applyFailed: Apply<'failed'> = (work, rows, { reason }, unmatched) => {
  const { order, leg } = rows;
  const isOpen = leg.statuses.failed.from.includes(leg.status());
  const asks = unmatched.asks && isOpen;
  if (asks && (isDuplicate(reason) || isTimeout(reason)) && !isAnswered(order))
    askBank(work, order, reason);
  // The order that was sent before may still move the money: failing here would let it be sent a third time.
  if (isDuplicate(reason)) return keepContradiction(work, unmatched, 'contradiction');
  // The order may have been executed all the same.
  if (asks && isTimeout(reason) && !isAnswered(order)) return 'queried';
  return failOrder(work, rows, reason, unmatched, 'failed');
};

const applyCancelled: Apply<'cancelled'> = (work, rows, answer, unmatched) => {
  const isLast = rows.order.status === 'closing';
  const result = failOrder(work, rows, cancelledFor(answer), unmatched, 'cancelled');
  return isLast && result === 'known' ? 'taken' : result;
};

/** The bank has said that it sent another amount, which nobody has booked. */
const isOtherSent = ({ before }: UnmatchedMoney): boolean =>
  before.messages.some((one) => one.outcome === 'settled' && movedUnbooked(one) !== null);

/**
 * Only settled money can come back: a return that overtakes its settlement settles the record, for what was ordered until
 * the bank says what it sent. Where it has said that it sent another amount, the record waits until that is booked.
 */
const applyReturned: Apply<'returned'> = (work, rows, { amount }, unmatched) => {
  const { leg, order } = rows;
  const result = resultOf(leg.status(), leg.statuses.settled);
  const staysWithUs = order.kind === 'internal_transfer';
  if (brings(rows) || staysWithUs || result === 'contradiction' || amount <= 0)
    return keepContradiction(work, unmatched, 'contradiction');
  if (result === 'taken') {
    if (isOtherSent(unmatched)) return keepEarly(work, unmatched, amount);
    leg.settle(work, order.amount);
    work.change(order, { word: 'returned' });
  }
  return takeBack(work, unmatched, amount);
};

/**
 * Moves a record by the bank's answer to its order. An answer that does not fit leaves the record as
 * it is: the message is kept for a reviewer, and money that came goes to suspense (rules/review#17).
 * @param reference the bank's own id of its message
 * @param asks the bank can be asked how an order stands
 */
export function applyBankOutcome(
  work: Work,
  rows: Order,
  answer: BankOutcome,
  reference: string | null = null,
  asks = false,
): FactResult {
  const { order, before, leg } = rows;
  const late = lateNow(order, leg, rows.late);
  markHandedOver(work, order);
  if ('amount' in answer && bookedOf(before.messages, answer)?.amount === answer.amount)
    return 'known';
  const { holder } = leg;
  const status = isAssumed(order) ? 'returned' : leg.status();
  const unmatched = { order, before, status, holder, late, answer, reference, asks };
  switch (answer.outcome) {
    case 'settled':
      return applySettled(work, rows, answer, unmatched);
    case 'failed':
      return applyFailed(work, rows, answer, unmatched);
    case 'returned':
      return applyReturned(work, rows, answer, unmatched);
    case 'cancelled':
      return applyCancelled(work, rows, answer, unmatched);
    default:
      return keepWord(work, rows, answer);
  }
}
