import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { BankMessageRow } from '../../rails/bank_messages.ts';
import { type SuspenseRow, suspense } from './table.ts';

/** Reads what booked messages left unsent of a transfer; the source of each row is its message (rules/bank-orders#27). */
export function readUnsent(
  read: Read,
  messages: readonly BankMessageRow[],
): Promise<SuspenseRow[]> {
  const ids = messages.flatMap(({ booked_at, suspense_id }) =>
    booked_at === null || suspense_id === null ? [] : [suspense_id],
  );
  return Promise.all(ids.map((id) => read.one(suspense, id)));
}
