import type { Read } from '../core/reader.ts';
import type { Work } from '../core/work.ts';
import type { AccountRow } from '../resources/accounts/table.ts';
import { creditFromSuspense, receiveInSuspense, takesMoney } from '../resources/suspense/moves.ts';
import { type SuspenseRow, suspense } from '../resources/suspense/table.ts';
import { bankMessages, keepMessage } from './bank_messages.ts';
import type { BankOutcome, Verdict } from './facts.ts';
import type { InstructionRow } from './instructions.ts';

/** What came of an order besides its end. */
export async function readOdd(read: Read, { source_id }: InstructionRow) {
  const [money, messages] = await Promise.all([
    read.set(suspense, 'source_id', source_id),
    read.set(bankMessages, 'source_id', source_id),
  ]);
  return { money, messages };
}

/** An order of which the bank says what does not fit. */
export interface Misfit {
  readonly order: InstructionRow;
  readonly odd: Awaited<ReturnType<typeof readOdd>>;
  /** Where the record stands. */
  readonly status: string;
  /** Whose money it most likely is. */
  readonly holder: AccountRow;
  readonly told: BankOutcome;
  /** The bank's own name of its message. */
  readonly reference: string | null;
}

/**
 * Both sets grow, here or in another process: whoever adds to them changes the order, so that each
 * verdict on them is proven (decisions 1.0).
 */
const claim = (work: Work, { order }: Misfit) => work.change(order, {});

function keep(work: Work, misfit: Misfit, item: SuspenseRow | null): void {
  const { order, odd, status, told, reference } = misfit;
  claim(work, misfit);
  keepMessage(work, odd.messages, {
    source_type: order.source_type,
    source_id: order.source_id,
    outcome: told.outcome,
    network_reason_code: told.outcome === 'failed' ? told.reason : null,
    amount: told.outcome === 'failed' ? null : told.amount,
    reference,
    record_status: status,
    suspense_id: item?.id ?? null,
  });
}

/** What was said moves nothing; a reviewer reads it. */
export function contradict<V extends Verdict>(work: Work, misfit: Misfit, verdict: V): V {
  keep(work, misfit, null);
  return verdict;
}

/** Takes money in, once for each sum of an order; null: it has come before. */
function receive(
  work: Work,
  misfit: Misfit,
  reason: SuspenseRow['reason'],
  amount: number,
): SuspenseRow | null {
  const { order, odd, holder } = misfit;
  if (odd.money.some((item) => item.amount === amount)) return null;
  claim(work, misfit);
  return receiveInSuspense(work, {
    amount,
    reason,
    source_type: order.source_type,
    source_id: order.source_id,
    account_id: holder.id,
    linked_account_id: order.linked_account_id,
  });
}

/** Money that its record does not take: of another amount, or after it had failed. */
export function keepMoney(
  work: Work,
  misfit: Misfit,
  reason: 'late' | 'other_amount',
  amount: number,
): Verdict {
  const item = receive(work, misfit, reason, amount);
  if (!item) return 'known';
  keep(work, misfit, item);
  return reason === 'late' ? 'late' : 'amount_mismatch';
}

/**
 * A transfer that had been settled was sent back. A withdrawal's is its holder's again at once,
 * though never more than was withdrawn; any other waits for a reviewer (decisions 2.2).
 */
export function takeBack(work: Work, misfit: Misfit, amount: number): Verdict {
  const { order, odd, holder } = misfit;
  const item = receive(work, misfit, 'returned', amount);
  if (!item) return 'known';
  const before = odd.money.reduce((sum, known) => sum + known.amount, 0);
  const isHolders = order.source_type === 'withdrawal' && before + amount <= order.amount;
  if (!isHolders || !takesMoney(holder)) return 'unmatched';
  creditFromSuspense(work, item, holder);
  return 'taken';
}
