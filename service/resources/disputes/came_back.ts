import { sumOf } from '@tenant-payments/contract/core/money.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import { bankMessages } from '../../rails/bank_messages.ts';
import { type InstructionRow, instructions } from '../../rails/instructions.ts';
import { cameBackCents, type Recall, readRecalls } from '../return_requests/recalled.ts';
import { type SuspenseRow, suspense } from '../suspense/table.ts';
import { readUnsent } from '../suspense/unsent.ts';
import { type WithdrawalRow, withdrawals } from '../withdrawals/table.ts';

/** The money of a withdrawal or load that is again where it came from (rules/disputes#7). */
export interface CameBack {
  readonly cents: number;
  /** When the withdrawal failed, which moved nothing; null: it has not. */
  readonly reversedAt: Instant | null;
}

/** The record of a disputed Transaction. */
export interface Moved {
  readonly type: 'withdrawal' | 'load';
  readonly id: string;
}

/** An amount that stands or stood in suspense. */
interface Kept {
  readonly item: SuspenseRow;
  /** The order by which it was paid on; null: it was not. */
  readonly order: InstructionRow | null;
  /** The parts of it that came into suspense again. */
  readonly again: readonly Kept[];
}

async function readKept(read: Read, item: SuspenseRow): Promise<Kept> {
  const { id: source_id } = item;
  const [order, again] = await Promise.all([
    read.by(instructions, 'source', { source_type: 'adjustment', source_id }),
    read.set(suspense, 'source_id', source_id),
  ]);
  return { item, order, again: await Promise.all(again.map((one) => readKept(read, one))) };
}

/** The rows that say what came back of a withdrawal or load; of nothing else anything does. */
export interface Returning {
  readonly withdrawal: WithdrawalRow | null;
  /** Amounts of the withdrawal that the bank sent back, or did not send. */
  readonly returned: readonly Kept[];
  /** Requests for the money of the load. */
  readonly recalls: readonly Recall[];
}

const nothing: Returning = { withdrawal: null, returned: [], recalls: [] };

async function ofWithdrawal(read: Read, id: string): Promise<Returning> {
  const [withdrawal, received, messages] = await Promise.all([
    read.one(withdrawals, id),
    read.set(suspense, 'source_id', id),
    read.set(bankMessages, 'source_id', id),
  ]);
  const items = [...received, ...(await readUnsent(read, messages))];
  const returned = items.filter(({ reason }) => reason === 'returned');
  const kept = returned.map((item) => readKept(read, item));
  return { ...nothing, withdrawal, returned: await Promise.all(kept) };
}

/**
 * Reads what came back of a record so far. Whoever books more of it changes the row of its order, which is read here, so that
 * a decision on it is proven (rules/review#26).
 */
export async function readReturning(read: Read, moved: Moved | null): Promise<Returning> {
  if (moved === null) return nothing;
  const { type, id } = moved;
  const order = await read.by(instructions, 'source', { source_type: type, source_id: id });
  if (type === 'withdrawal') return ofWithdrawal(read, id);
  return order ? { ...nothing, recalls: await readRecalls(read, order) } : nothing;
}

/** The cents that their holder has again: in the account, or at the bank, which kept what was paid on to it. */
function centsWithHolder({ item: { status, amount }, order, again }: Kept): number {
  if (status === 'matched') return amount;
  if (status === 'held') return 0;
  // An order to the operating account went to nobody who had it.
  const isPaidOn = order?.kind !== 'internal_transfer';
  const sent = isPaidOn ? amount - sumOf(again, (one) => one.item.amount) : 0;
  return sent + sumOf(again, centsWithHolder);
}

/**
 * The money that is back as the rows are in `decide`, also after a command before this one in the batch
 * (rules/engine#15). A failed withdrawal was released, and of a settled one its holder has what the account was credited
 * or the bank was paid.
 */
export function cameBackOf({ withdrawal, returned, recalls }: Returning): CameBack {
  if (withdrawal?.status === 'failed')
    return { cents: withdrawal.amount, reversedAt: withdrawal.updated_at };
  const cents = sumOf(returned, centsWithHolder) + cameBackCents(recalls);
  return { cents, reversedAt: null };
}
