import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import {
  instructionKinds,
  type MoneySource,
  moneySources,
  refusers,
} from '@tenant-payments/contract/resources/bank_messages.ts';
import {
  bankOrderLifecycle,
  bankWords,
  cancellations,
} from '@tenant-payments/contract/resources/bank_orders.ts';
import type { TargetType } from '@tenant-payments/contract/resources/sessions.ts';
import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import {
  type BankInstruction,
  type InstructionKind,
  type OrderPurpose,
  orderPurposes,
} from './bank.ts';
import { orderIdOfRecord } from './order_id.ts';

/**
 * Orders to the bank, one for each record. A command only writes the order; a job hands it to the
 * bank after the commit (rules/records#21).
 */
export const instructions = table({
  name: 'instructions',
  key: ['id'],
  unique: { source: ['source_type', 'source_id'] },
  sets: ['provider_id'],
  frozen: [
    'kind',
    'purpose',
    'source_type',
    'source_id',
    'linked_account_id',
    'amount',
    'request_expires_at',
    'return_of',
    'created_at',
  ],
  lifecycle: bankOrderLifecycle,
  columns: {
    id: column.uuid,
    kind: words(instructionKinds),
    /** Null: 1.0 has written it, see `purposeOf`. */
    purpose: orNull(words(orderPurposes)),
    /** An adjustment: the order is the platform's own, and no other row tells how it ended. */
    source_type: words(moneySources),
    source_id: column.uuid,
    /** The customer's bank account; null: both accounts are the Tenant's own. */
    linked_account_id: orNull(column.uuid),
    amount: column.cents,
    /** Until when a request may be answered. Null: a transfer, or 1.0 has written it. */
    request_expires_at: orNull(column.instant),
    /** The order whose money goes back. */
    return_of: orNull(column.uuid),
    status: words(bankOrderLifecycle.states),
    sent_at: orNull(column.instant),
    /** How an order of the platform itself ended; null: it has not, or it is of a record. */
    answer: orNull(words(['settled', 'failed'])),
    /** The one who refused it, and the words. */
    said_by: orNull(words(refusers)),
    said_text: orNull(column.text),
    /** The bank's own id of it. */
    provider_id: orNull(column.text),
    /** The bank's last word, where its record does not say it. */
    word: orNull(words(bankWords)),
    /** Whether the bank was asked to cancel it. */
    cancel: orNull(words(cancellations)),
    /** The time from which the bank is asked how the order stands, and the unclear answer that is the reason. */
    asked_at: orNull(column.instant),
    asked_reason: orNull(column.text),
    /** When the bank was asked last. */
    queried_at: orNull(column.instant),
    created_at: column.instant,
  },
});
export type InstructionRow = RowOf<typeof instructions>;

/** Records of customers that lead to an order. */
type RecordSource = Exclude<MoneySource, 'adjustment'>;

/** How long a Request for Payment may be answered (rules/limits#17). */
export const requestLifetimeSeconds = {
  load: lifetimes.loadRequestForPayment,
  payment: lifetimes.paymentRequestForPayment,
} as const;
export type Requesting = keyof typeof requestLifetimeSeconds;

const purposes: Readonly<Record<TargetType | 'dispute', OrderPurpose>> = {
  load: 'load',
  payment: 'payment_by_bank',
  withdrawal: 'withdrawal',
  refund: 'refund',
  dispute: 'dispute_credit',
};

type Read<Column extends keyof InstructionRow> = Pick<InstructionRow, Column>;

/** The purpose of an order. 1.0 has not written it, and knew orders of records alone. */
export const purposeOf = ({ purpose, source_type }: Read<'purpose' | 'source_type'>) =>
  purpose ?? purposes[source_type as RecordSource];

/** Until when an order may be answered: as its record was given time, also where 1.0 has not written it. */
export function expiryOf({
  kind,
  source_type,
  request_expires_at,
  created_at,
}: Read<
  'kind' | 'source_type' | 'request_expires_at' | 'created_at'
>): BankInstruction['expiresAt'] {
  if (kind !== 'request_for_payment') return null;
  return (
    request_expires_at ?? addSeconds(created_at, requestLifetimeSeconds[source_type as Requesting])
  );
}

/** The purpose that a stored bank account reference is sealed for: it is bound to its customer. */
export const referenceSeal = (customerId: string): string => `reference ${customerId}`;

export interface Order<Source extends RecordSource> {
  readonly sourceType: Source;
  readonly sourceId: string;
  /** The id that the call which began the record has derived; null: it is derived from the record. */
  readonly orderId: string | null;
  readonly linkedAccountId: string;
  readonly amount: number;
}

/** 1.0 would book the bank's answer as that to a credit which had left when it was ordered (rules/bank-orders#31). */
export const isMisread = ({ purpose }: Read<'purpose'>): boolean => purpose === 'dispute_credit';

/**
 * The job that hands an order over: of one that 1.0 does not know to the end, a job that it leaves alone
 * (rules/bank-orders#29).
 */
export const handOverJob = (order: Read<'status' | 'purpose'>) =>
  order.status === 'unclear' || isMisread(order) ? 'order_hand_over' : 'instruction';
export type HandOverJob = ReturnType<typeof handOverJob>;

/** Nobody knows that the bank has the order. */
export const isToHandOver = ({ status }: Read<'status'>): boolean =>
  status === 'waiting' || status === 'unclear';

type Written = Pick<
  InstructionRow,
  | 'id'
  | 'kind'
  | 'purpose'
  | 'source_type'
  | 'source_id'
  | 'linked_account_id'
  | 'amount'
  | 'request_expires_at'
  | 'return_of'
>;

function instruct(work: Work, order: Written): InstructionRow {
  const row = work.create(
    instructions,
    {
      ...order,
      sent_at: null,
      answer: null,
      said_by: null,
      said_text: null,
      provider_id: null,
      word: null,
      cancel: null,
      asked_at: null,
      asked_reason: null,
      queried_at: null,
      created_at: work.now,
    },
    'order',
  );
  work.scheduleJob(handOverJob(row), row.id, work.now);
  return row;
}

const ofRecord = (
  work: Work,
  kind: InstructionKind,
  { sourceType, sourceId, orderId, linkedAccountId, amount }: Order<RecordSource>,
) => ({
  id: orderId ?? orderIdOfRecord(work, kind, sourceType, sourceId),
  kind,
  purpose: purposes[sourceType],
  source_type: sourceType,
  source_id: sourceId,
  linked_account_id: linkedAccountId,
  amount,
  request_expires_at: null,
  return_of: null,
});

/** Orders a Request for Payment, which the bank gets once this command has committed. */
export function requestPayment(work: Work, order: Order<Requesting>): void {
  const seconds = requestLifetimeSeconds[order.sourceType];
  const request_expires_at = addSeconds(work.now, seconds);
  instruct(work, { ...ofRecord(work, 'request_for_payment', order), request_expires_at });
}

/** Orders a credit transfer, which the bank gets once this command has committed. */
export function sendCredit(
  work: Work,
  order: Order<Exclude<RecordSource, Requesting>>,
  purpose: OrderPurpose = purposes[order.sourceType],
): void {
  instruct(work, { ...ofRecord(work, 'credit_transfer', order), purpose });
}

/** The purposes of the platform's own orders: no record of a customer leads to it. */
const ownPurposes = ['fee_sweep', 'reserve_top_up', 'suspense_return', 'return_of_funds'] as const;
export type OwnPurpose = (typeof ownPurposes)[number];
export const isOwnPurpose = (purpose: OrderPurpose): purpose is OwnPurpose =>
  (ownPurposes as readonly OrderPurpose[]).includes(purpose);

/** An order of the platform itself. */
export interface OwnOrder {
  readonly purpose: OwnPurpose;
  readonly orderId: string;
  /** The source_id of its entries. */
  readonly sourceId: string;
  readonly amount: number;
}

/** Orders a transfer between two of the Tenant's own accounts. */
export const moveOwnMoney = (work: Work, order: OwnOrder): InstructionRow =>
  sendBack(work, order, null, null);

/**
 * Orders that money which fits no record goes back.
 * @param linkedAccountId the bank account that it goes to; null: an own one of the Tenant
 * @param returnOf the order that it came by
 */
export function sendBack(
  work: Work,
  { purpose, orderId, sourceId, amount }: OwnOrder,
  linkedAccountId: string | null,
  returnOf: string | null,
): InstructionRow {
  return instruct(work, {
    id: orderId,
    kind: linkedAccountId === null ? 'internal_transfer' : 'credit_transfer',
    purpose,
    source_type: 'adjustment',
    source_id: sourceId,
    linked_account_id: linkedAccountId,
    amount,
    request_expires_at: null,
    return_of: returnOf,
  });
}

/**
 * Ends an order whose record the bank itself has ended, as `simulate` says it: one that the bank did not get is not
 * handed over any more.
 */
export function withdrawInstruction(work: Work, order: InstructionRow | null): void {
  if (order?.status === 'unclear') closeOrder(work, order);
  if (order?.status !== 'waiting') return;
  work.cancelJob(handOverJob(order), order.id);
  work.move(order, 'withdraw');
}

/**
 * Ends an order whose record ends without a word of the bank. What the bank has, or may have, it may still execute: it is
 * asked not to, and the order stays `closing` until it has answered (rules/bank-orders#18).
 */
export function closeOrder(work: Work, order: InstructionRow | null): void {
  if (order?.status === 'waiting') withdrawInstruction(work, order);
  else if (order?.status === 'unclear' || order?.status === 'sent') closeTaken(work, order);
}

/** The same of one that the bank has, though it was withdrawn here. */
export function closeTaken(work: Work, order: InstructionRow): void {
  work.cancelJob(handOverJob(order), order.id);
  work.move(order, 'close', { set: { cancel: 'wanted' } });
  work.scheduleJob('order_cancel', order.id, work.now);
}
