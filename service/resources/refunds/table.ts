import { type FailureCode, failureCodesOf } from '@tenant-payments/contract/core/failure_codes.ts';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import {
  type Refund,
  refundDestinations,
  refundLifecycle,
  refundReasons,
} from '@tenant-payments/contract/resources/refunds.ts';
import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';
import { orderColumn, orderUnique } from '../../rails/order_id.ts';
import { metadataColumn, shownMetadata } from '../metadata.ts';

export type RefundFailure = FailureCode<'refund'>;

/** Refunds of payments. The destination is chosen at creation and never changes. */
export const refunds = table({
  name: 'refunds',
  key: ['id'],
  unique: orderUnique,
  sets: ['merchant_account_id'],
  setOnly: { merchant_account_id: "t.status in ('requested', 'pending_funds', 'processing')" },
  frozen: [
    'payment_id',
    'merchant_customer_id',
    'merchant_account_id',
    'payer_customer_id',
    'payer_account_id',
    'linked_account_id',
    'amount',
    'reason',
    'destination',
    'bank_order_id',
    'metadata',
    'created_at',
  ],
  lifecycle: refundLifecycle,
  columns: {
    id: column.uuid,
    payment_id: column.uuid,
    merchant_customer_id: column.uuid,
    merchant_account_id: column.uuid,
    payer_customer_id: column.uuid,
    payer_account_id: column.uuid,
    /** The destination; null: the payer's Digital Account. */
    linked_account_id: orNull(column.uuid),
    amount: column.cents,
    reason: words(refundReasons),
    destination: words(refundDestinations),
    status: words(refundLifecycle.states),
    failure_code: orNull(words<RefundFailure>(failureCodesOf('refund'))),
    /** The network's own reason of a failure (rules/failure-codes#1). */
    network_reason_code: orNull(column.text),
    held_cents: column.cents,
    /** The dispute whose earmark gave a part of the held amount, the part, and what went back. */
    dispute_id: orNull(column.uuid),
    dispute_cents: column.cents,
    returned_cents: column.cents,
    session_id: orNull(column.uuid),
    /** When it began to wait: its place in the queue. */
    waiting_since: orNull(column.instant),
    bank_order_id: orderColumn,
    /** JSON, as the Tenant gave it. */
    metadata: metadataColumn,
    created_at: column.instant,
    confirmed_at: orNull(column.instant),
    completed_at: orNull(column.instant),
    updated_at: column.instant,
    version: column.integer,
  },
  present: (row): Refund => ({
    id: publicId('refund', row.id),
    object: 'refund',
    payment_id: publicId('payment', row.payment_id),
    merchant_customer_id: publicId('customer', row.merchant_customer_id),
    payer_customer_id: publicId('customer', row.payer_customer_id),
    amount: row.amount,
    currency: 'USD',
    reason: row.reason,
    destination: row.destination,
    status: row.status,
    failure_code: row.failure_code,
    confirmation_session: null,
    created_at: row.created_at,
    completed_at: row.completed_at,
    updated_at: row.updated_at,
    version: row.version,
    ...shownMetadata(row.metadata),
  }),
});
export type RefundRow = RowOf<typeof refunds>;
