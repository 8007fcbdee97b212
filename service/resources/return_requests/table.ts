import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { moneySources } from '@tenant-payments/contract/resources/bank_messages.ts';
import {
  answerTellings,
  type ReturnRequest,
  returnRequestLifecycle,
} from '@tenant-payments/contract/resources/return_requests.ts';
import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';

/** Requests of other banks to give money back (rules/received-money#5). Only reviewers see them: no events. */
export const returnRequests = table({
  name: 'return_requests',
  key: ['id'],
  unique: { reference: ['reference'] },
  sets: ['order_id'],
  frozen: [
    'reference',
    'order_id',
    'payment_id',
    'source_type',
    'source_id',
    'account_id',
    'amount',
    'reason',
    'text',
    'answer_by',
    'created_at',
  ],
  lifecycle: returnRequestLifecycle,
  columns: {
    /** Also the source_id of the entries and the order by which it is accepted. */
    id: column.uuid,
    status: words(returnRequestLifecycle.states),
    /** The bank's own id of the request. */
    reference: column.text,
    /** The order that brought the money; null: none of this Tenant. */
    order_id: orNull(column.uuid),
    /** The payment that it names by the bank's id of it. */
    payment_id: orNull(column.uuid),
    source_type: orNull(words(moneySources)),
    source_id: orNull(column.uuid),
    account_id: orNull(column.uuid),
    amount: column.cents,
    reason: column.text,
    text: orNull(column.text),
    answer_by: column.instant,
    accepted_amount: orNull(column.cents),
    answer_text: orNull(column.text),
    told: orNull(words(answerTellings)),
    created_at: column.instant,
    answered_at: orNull(column.instant),
  },
});
export type ReturnRequestRow = RowOf<typeof returnRequests>;

/** The request as the reviewer sees it. */
export const returnRequestView = (row: ReturnRequestRow): ReturnRequest => ({
  id: publicId('return_request', row.id),
  object: 'return_request',
  status: row.status,
  amount: row.amount,
  currency: 'USD',
  reason: row.reason,
  text: row.text,
  reference: row.reference,
  source_type: row.source_type,
  source_id: row.source_type && row.source_id && publicId(row.source_type, row.source_id),
  account_id: row.account_id && publicId('account', row.account_id),
  answer_by: row.answer_by,
  accepted_amount: row.accepted_amount,
  answer_text: row.answer_text,
  told: row.told,
  created_at: row.created_at,
  answered_at: row.answered_at,
});
