import { publicId } from '@tenant-payments/contract/core/ids.ts';
import {
  type BankMessage,
  bankOutcomes,
  moneySources,
  refusers,
} from '@tenant-payments/contract/resources/bank_messages.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { NewValues } from '@tenant-payments/engine/work_types.ts';

/** Messages of the bank that contradict a record, kept for a reviewer (rules/review#17). */
export const bankMessages = table({
  name: 'bank_messages',
  key: ['id'],
  sets: ['source_id'],
  frozen: [
    'source_type',
    'source_id',
    'outcome',
    'network_reason_code',
    'said_by',
    'said_text',
    'amount',
    'reference',
    'record_status',
    'created_at',
  ],
  columns: {
    id: column.uuid,
    source_type: words(moneySources),
    source_id: column.uuid,
    outcome: words(bankOutcomes),
    network_reason_code: orNull(column.text),
    said_by: orNull(words(refusers)),
    said_text: orNull(column.text),
    amount: orNull(column.cents),
    /** The bank's own id of its message. */
    reference: orNull(column.text),
    /** When a reviewer booked what it says; null: nobody has. */
    booked_at: orNull(column.instant),
    /** The record's status when the message came. */
    record_status: column.text,
    /** The money that came with it, or what was not sent of the transfer, since it was booked. */
    suspense_id: orNull(column.uuid),
    status: words(['open', 'closed']),
    created_at: column.instant,
    closed_at: orNull(column.instant),
  },
  // A message never changes, and closing one changes its row.
  proof: 'none',
});
export type BankMessageRow = RowOf<typeof bankMessages>;

/** The message as the reviewer sees it. */
export const bankMessageView = (row: BankMessageRow): BankMessage => ({
  id: publicId('bank_message', row.id),
  object: 'bank_message',
  status: row.status,
  outcome: row.outcome,
  amount: row.amount,
  network_reason_code: row.network_reason_code,
  said_by: row.said_by,
  said_text: row.said_text,
  reference: row.reference,
  source_type: row.source_type,
  source_id: publicId(row.source_type, row.source_id),
  record_status: row.record_status,
  suspense_id: row.suspense_id && publicId('adjustment', row.suspense_id),
  created_at: row.created_at,
  closed_at: row.closed_at,
  booked_at: row.booked_at,
});

type NewMessage = Omit<
  NewValues<typeof bankMessages>,
  'id' | 'status' | 'created_at' | 'closed_at' | 'booked_at'
>;

const isSame = (kept: BankMessageRow, message: NewMessage): boolean =>
  kept.outcome === message.outcome &&
  kept.amount === message.amount &&
  kept.network_reason_code === message.network_reason_code;

/**
 * Keeps a message about a record. The same content under another reference is kept only once.
 * @param before the messages already kept for this record
 */
export function keepMessage(
  work: Work,
  before: readonly BankMessageRow[],
  message: NewMessage,
): void {
  if (before.some((kept) => isSame(kept, message))) return;
  const { now: created_at } = work;
  work.create(bankMessages, {
    ...message,
    id: work.newId(),
    status: 'open',
    created_at,
    closed_at: null,
    booked_at: null,
  });
}

/** Closes a message after a review, or when the money that came with it is resolved. */
export function closeMessage(work: Work, message: BankMessageRow): void {
  if (message.status === 'open') work.change(message, { status: 'closed', closed_at: work.now });
}

/** How records stand whose transfer has settled: of a credit after closing its money has arrived. */
const settledStatuses: readonly string[] = ['settled', 'completed', 'arrived'];
const incoming: readonly string[] = ['load', 'payment'];

/**
 * The amount that the bank says it has moved by a transfer which had failed, or waited for another amount, while
 * nothing is booked of it; null: it says no such thing. Money that comes in is booked at once, in suspense.
 */
export const movedUnbooked = ({
  outcome,
  amount,
  source_type,
  record_status,
  booked_at,
}: BankMessageRow): number | null =>
  (outcome === 'settled' || outcome === 'returned') &&
  booked_at === null &&
  !incoming.includes(source_type) &&
  !settledStatuses.includes(record_status) &&
  amount !== null &&
  amount > 0
    ? amount
    : null;

/** @throws ApiError invalid_state when it is closed already */
function assertOpenMessage({ status }: BankMessageRow): void {
  if (status !== 'open')
    throw fail('invalid_state', { details: { current_status: status, allowed: ['open'] } });
}

/**
 * Closes a message that the reviewer has handled. Moves that follow are commands of their own.
 * @throws ApiError invalid_state when it is closed already
 */
export const closeBankMessage = command('close_bank_message', {
  load: (read, { id }: { id: string }) => read.one(bankMessages, id),
  decide: (work, message) => {
    assertOpenMessage(message);
    closeMessage(work, message);
    return { value: bankMessageView(message) };
  },
});
