import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { BankMessageRow } from '../../rails/bank_messages.ts';
import { type SuspenseRow, suspense } from './table.ts';

/**
 * Reads what booked messages left unsent of a transfer: the source of each row is its message (rules/bank-orders#27), so
 * that a message which is booked before this command in its batch counts.
 */
export async function readUnsent(
  read: Read,
  messages: readonly BankMessageRow[],
): Promise<readonly SuspenseRow[]> {
  const unsent = await Promise.all(messages.map(({ id }) => read.set(suspense, 'source_id', id)));
  return unsent.flat();
}
