import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import {
  type MoneySource,
  moneySources,
} from '@tenant-payments/contract/resources/bank_messages.ts';
import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type InstructionKind, instructionKinds } from './bank.ts';
import { orderIdOfRecord } from './order_id.ts';

/**
 * Orders to the bank, one for each record. A command only writes the order; a job hands it to the
 * bank after the commit (rules/records#21).
 */
export const instructions = table({
  name: 'instructions',
  key: ['id'],
  unique: { source: ['source_type', 'source_id'] },
  frozen: ['kind', 'source_type', 'source_id', 'linked_account_id', 'amount', 'created_at'],
  columns: {
    id: column.uuid,
    kind: words(instructionKinds),
    source_type: words(moneySources),
    source_id: column.uuid,
    linked_account_id: column.uuid,
    amount: column.cents,
    status: words(['waiting', 'sent', 'withdrawn']),
    sent_at: orNull(column.instant),
    created_at: column.instant,
  },
});
export type InstructionRow = RowOf<typeof instructions>;

/** How long a Request for Payment may be answered (rules/limits#17). */
export const requestLifetimeSeconds = {
  load: lifetimes.loadRequestForPayment,
  payment: lifetimes.paymentRequestForPayment,
} as const;
export type Requesting = keyof typeof requestLifetimeSeconds;

/** The purpose that a stored bank account reference is sealed for: it is bound to its customer. */
export const referenceSeal = (customerId: string): string => `reference ${customerId}`;

export interface Order<Source extends MoneySource> {
  readonly sourceType: Source;
  readonly sourceId: string;
  /** What the call that began the record has derived; null: it is derived from the record. */
  readonly orderId: string | null;
  readonly linkedAccountId: string;
  readonly amount: number;
}

function instruct(work: Work, kind: InstructionKind, order: Order<MoneySource>): void {
  const { sourceType, sourceId, orderId } = order;
  const id = orderId ?? orderIdOfRecord(work, kind, sourceType, sourceId);
  work.create(instructions, {
    id,
    kind,
    source_type: sourceType,
    source_id: sourceId,
    linked_account_id: order.linkedAccountId,
    amount: order.amount,
    status: 'waiting',
    sent_at: null,
    created_at: work.now,
  });
  work.scheduleJob('instruction', id, work.now);
}

/** Orders a Request for Payment, which the bank gets once this command has committed. */
export const requestPayment = (work: Work, order: Order<Requesting>): void =>
  instruct(work, 'request_for_payment', order);

/** Orders a credit transfer, which the bank gets once this command has committed. */
export const sendCredit = (work: Work, order: Order<Exclude<MoneySource, Requesting>>): void =>
  instruct(work, 'credit_transfer', order);

/** Withdraws an order that the bank did not get before its record ended. */
export function withdrawInstruction(work: Work, instruction: InstructionRow | null): void {
  if (instruction?.status !== 'waiting') return;
  work.change(instruction, { status: 'withdrawn' });
  work.cancelJob('instruction', instruction.id);
}
