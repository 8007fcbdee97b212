import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import { bankMessages } from '../../rails/bank_messages.ts';
import { instructions } from '../../rails/instructions.ts';
import { readRecalledCents } from '../return_requests/recalled.ts';
import { type SuspenseRow, suspense } from '../suspense/table.ts';
import { readUnsent } from '../suspense/unsent.ts';
import { withdrawals } from '../withdrawals/table.ts';

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

/** The cents of an amount in suspense that its holder has again: in the account, or at the bank, which kept them. */
async function centsWithHolder(read: Read, item: SuspenseRow): Promise<number> {
  const { id: source_id, status, amount } = item;
  if (status === 'matched') return amount;
  if (status === 'held') return 0;
  const [order, again] = await Promise.all([
    read.by(instructions, 'source', { source_type: 'adjustment', source_id }),
    read.set(suspense, 'source_id', source_id),
  ]);
  const sent = order?.kind === 'internal_transfer' ? 0 : amount - totalOf(again);
  return again.reduce(
    async (sum, one) => (await sum) + (await centsWithHolder(read, one)),
    Promise.resolve(sent),
  );
}

const totalOf = (items: readonly SuspenseRow[]): number =>
  items.reduce((sum, { amount }) => sum + amount, 0);

/**
 * A failed withdrawal was released, and of a settled one its holder has what the bank sent back and the account was
 * credited, or was paid on to the holder's bank account.
 */
async function ofWithdrawal(read: Read, id: string): Promise<CameBack> {
  const [{ status, amount, updated_at }, received, messages] = await Promise.all([
    read.one(withdrawals, id),
    read.set(suspense, 'source_id', id),
    read.set(bankMessages, 'source_id', id),
  ]);
  if (status === 'failed') return { cents: amount, reversedAt: updated_at };
  const unsent = await readUnsent(read, messages);
  const returned = [...received, ...unsent].filter(({ reason }) => reason === 'returned');
  const cents = await Promise.all(returned.map((item) => centsWithHolder(read, item)));
  return { cents: cents.reduce((sum, one) => sum + one, 0), reversedAt: null };
}

/**
 * Reads what came back of a record so far. Whoever books more of it changes the row of its order, which is read here, so that
 * a decision on it is proven (rules/review#26).
 */
export async function readCameBack(read: Read, moved: Moved | null): Promise<CameBack> {
  if (moved === null) return { cents: 0, reversedAt: null };
  const { type, id } = moved;
  const order = await read.by(instructions, 'source', { source_type: type, source_id: id });
  if (type === 'withdrawal') return ofWithdrawal(read, id);
  return { cents: order ? await readRecalledCents(read, order) : 0, reversedAt: null };
}
