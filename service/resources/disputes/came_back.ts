import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { instructions } from '../../rails/instructions.ts';
import { readRecalledCents } from '../return_requests/recalled.ts';
import { suspense } from '../suspense/table.ts';
import { withdrawals } from '../withdrawals/table.ts';

/** The money of a withdrawal or load that is again where it came from (rules/disputes#7). */
export interface CameBack {
  readonly cents: number;
  /** The withdrawal failed: it moved nothing. */
  readonly isReversed: boolean;
}

/** The record of a disputed Transaction. */
export interface Moved {
  readonly type: 'withdrawal' | 'load';
  readonly id: string;
}

/** A failed withdrawal was released, and of a settled one its holder was credited what the bank sent back. */
async function ofWithdrawal(read: Read, id: string): Promise<CameBack> {
  const [{ status, amount }, received] = await Promise.all([
    read.one(withdrawals, id),
    read.set(suspense, 'source_id', id),
  ]);
  if (status === 'failed') return { cents: amount, isReversed: true };
  const credited = received.filter(
    (item) => item.reason === 'returned' && item.status === 'matched',
  );
  return { cents: credited.reduce((sum, item) => sum + item.amount, 0), isReversed: false };
}

/**
 * Reads what came back of a record so far. Whoever books more of it changes the row of its order, which is read here, so that
 * a decision on it is proven (rules/review#26).
 */
export async function readCameBack(read: Read, moved: Moved | null): Promise<CameBack> {
  if (moved === null) return { cents: 0, isReversed: false };
  const { type, id } = moved;
  const order = await read.by(instructions, 'source', { source_type: type, source_id: id });
  if (type === 'withdrawal') return ofWithdrawal(read, id);
  return { cents: order ? await readRecalledCents(read, order) : 0, isReversed: false };
}
