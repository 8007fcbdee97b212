import type { Lifecycle } from '@tenant-payments/contract/core/lifecycle.ts';
import type { MoneySource } from '@tenant-payments/contract/portal/review.ts';
import { loadLifecycle } from '@tenant-payments/contract/resources/loads.ts';
import { paymentLifecycle } from '@tenant-payments/contract/resources/payments.ts';
import { refundLifecycle } from '@tenant-payments/contract/resources/refunds.ts';
import type { TargetType } from '@tenant-payments/contract/resources/sessions.ts';
import { withdrawalLifecycle } from '@tenant-payments/contract/resources/withdrawals.ts';
import type { Command } from '../core/command.ts';
import { assert } from '../core/fail.ts';
import type { Read } from '../core/reader.ts';
import type { AnyTable } from '../core/table.ts';
import type { Work } from '../core/work.ts';
import type { AccountRow } from '../resources/accounts/table.ts';
import {
  creditArrived,
  creditFailed,
  loadSentCredit,
  sentReach,
} from '../resources/disputes/sent_credit.ts';
import { failLoad, settleLoad } from '../resources/loads/moves.ts';
import { completePayment, failPayment } from '../resources/payments/by_bank.ts';
import { completeRefund, failBankRefund } from '../resources/refunds/moves.ts';
import { failWithdrawal, settleWithdrawal } from '../resources/withdrawals/moves.ts';
import { type BankOutcome, judge, type Reach, type Verdict } from './facts.ts';
import { instructions } from './instructions.ts';
import { contradict, keepMoney, type Misfit, readOdd, takeBack } from './odd_money.ts';
import { failureOf } from './reasons.ts';

/** How an order ends. */
type End = 'settled' | 'failed';

/** A record whose money a bank moves, with what its answer does. */
interface Leg {
  readonly status: () => string;
  /** Whose money it most likely is that does not fit the record. */
  readonly holder: AccountRow;
  /** The states in which the bank's answer is waited for, and those in which it has been given. */
  readonly reach: Readonly<Record<End, Reach>>;
  readonly settle: (work: Work) => void;
  readonly fail: (work: Work, reason: string) => void;
}

/** The two answers of the bank, as the commands that `simulate` runs. */
interface Answers<Row extends { readonly status: string }, Rows> {
  readonly lifecycle: Lifecycle;
  /** The moves that the answers cause, by their names in the state table. */
  readonly moves: Readonly<Record<End, string>>;
  readonly settle: Command<{ id: string }, Rows, undefined>;
  readonly fail: Command<{ id: string; failure_code: string | null }, Rows, undefined>;
  readonly rowOf: (rows: Rows) => Row;
  readonly holderOf: (rows: Rows) => AccountRow;
}

/** Where an answer is waited for, and where it has been given. */
function reachOf(lifecycle: Lifecycle, name: string, alsoKnown: readonly string[] = []): Reach {
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
    const { lifecycle, moves, settle, fail, rowOf, holderOf } = answers;
    const rows = await settle.load(read, { id }, undefined);
    const row = rowOf(rows);
    return {
      status: () => row.status,
      holder: holderOf(rows),
      reach: {
        settled: reachOf(lifecycle, moves.settled, alsoKnown),
        failed: reachOf(lifecycle, moves.failed),
      },
      settle: (work) => settle.decide(work, rows, { id }, undefined),
      fail: (work, reason) => {
        const { failure, networkReason } = failureOf(source, reason);
        fail.decide(work, rows, { id, failure_code: failure }, undefined);
        work.change<AnyTable>(row, { network_reason_code: networkReason });
      },
    };
  };

/** What a bank moves money for. */
const legs: Readonly<Record<MoneySource, (read: Read, id: string) => Promise<Leg>>> = {
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
      // It came from the payer, and no merchant has a claim to it.
      holderOf: ({ payer }) => payer,
    },
    // Money that was refunded since had arrived all the same.
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
  dispute: async (read, id) => {
    const rows = await loadSentCredit(read, id);
    return {
      status: () => rows.dispute.credit_route ?? '',
      holder: rows.account,
      reach: sentReach,
      settle: (work) => creditArrived(work, rows),
      fail: (work) => creditFailed(work, rows),
    };
  },
};

/** An order with the record that it was given for. @throws ApiError not_found */
export async function readOrder(read: Read, orderId: string) {
  const order = await read.one(instructions, orderId);
  const [leg, odd] = await Promise.all([
    legs[order.source_type](read, order.source_id),
    readOdd(read, order),
  ]);
  return { order, leg, odd };
}
export type Order = Awaited<ReturnType<typeof readOrder>>;

/** Only a Request for Payment brings money; a transfer of another amount took it away. */
const brings = ({ order }: Order): boolean => order.kind === 'request_for_payment';

type Teller<Outcome> = (
  work: Work,
  rows: Order,
  told: Extract<BankOutcome, { outcome: Outcome }>,
  misfit: Misfit,
) => Verdict;

const tellSettled: Teller<'settled'> = (work, rows, { amount }, misfit) => {
  const { order, leg } = rows;
  const isExact = amount === order.amount;
  const end = judge(leg.status(), leg.reach.settled);
  // Funds other than those asked for are not this record's.
  if (isExact && end === 'taken') leg.settle(work);
  if (isExact && end !== 'contradiction') return end;
  if (brings(rows) && amount > 0)
    return keepMoney(work, misfit, end === 'contradiction' ? 'late' : 'other_amount', amount);
  return contradict(work, misfit, isExact ? 'contradiction' : 'amount_mismatch');
};

const tellFailed: Teller<'failed'> = (work, { leg }, { reason }, misfit) => {
  const end = judge(leg.status(), leg.reach.failed);
  if (end === 'taken') leg.fail(work, reason);
  return end === 'contradiction' ? contradict(work, misfit, end) : end;
};

/** What comes back had arrived: a return that overtakes its settlement brings it along. */
const tellReturned: Teller<'returned'> = (work, rows, { amount }, misfit) => {
  const { leg } = rows;
  const end = judge(leg.status(), leg.reach.settled);
  if (brings(rows) || end === 'contradiction' || amount <= 0)
    return contradict(work, misfit, 'contradiction');
  if (end === 'taken') leg.settle(work);
  return takeBack(work, misfit, amount);
};

/**
 * The bank's answer to an order, as a move of its record (decisions 1.1). What does not fit leaves
 * the record as it is: it is kept for a reviewer, and money that came with it goes to suspense.
 * @param reference the bank's own name of its message
 */
export function tellOfOrder(
  work: Work,
  rows: Order,
  told: BankOutcome,
  reference: string | null = null,
): Verdict {
  const { order, odd, leg } = rows;
  const misfit = { order, odd, status: leg.status(), holder: leg.holder, told, reference };
  switch (told.outcome) {
    case 'settled':
      return tellSettled(work, rows, told, misfit);
    case 'failed':
      return tellFailed(work, rows, told, misfit);
    case 'returned':
      return tellReturned(work, rows, told, misfit);
  }
}
