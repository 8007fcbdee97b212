import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { BankMessageRow } from '../../rails/bank_messages.ts';
import { type SuspenseRow, suspense } from './table.ts';

/** What booked messages left unsent of a transfer; each row has its message as its source (rules/bank-orders#27). */
export function readUnsent(
  read: Read,
  messages: readonly BankMessageRow[],
): Promise<SuspenseRow[]> {
  const ids = messages.flatMap(({ booked_at, suspense_id }) =>
    booked_at === null || suspense_id === null ? [] : [suspense_id],
  );
  return Promise.all(ids.map((id) => read.one(suspense, id)));
}
