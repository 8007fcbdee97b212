import { publicId } from '@tenant-payments/contract/core/ids.ts';
import {
  type PaymentRequest,
  paymentRequestLifecycle,
  paymentRequestTypes,
} from '@tenant-payments/contract/resources/payment_requests.ts';
import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';
import { metadataColumn, shownMetadata } from '../metadata.ts';

/**
 * Payment requests. `claimed_by` is a payment by bank in processing (rules/payment-requests#18).
 */
export const paymentRequests = table({
  name: 'payment_requests',
  key: ['id'],
  sets: ['merchant_account_id'],
  setOnly: { merchant_account_id: "t.status = 'open'" },
  frozen: [
    'type',
    'merchant_customer_id',
    'merchant_account_id',
    'amount',
    'order_reference',
    'collection_reference',
    'collection_name',
    'qr_payload',
    'expires_at',
    'metadata',
    'created_at',
  ],
  lifecycle: paymentRequestLifecycle,
  columns: {
    id: column.uuid,
    type: words(paymentRequestTypes),
    merchant_customer_id: column.uuid,
    merchant_account_id: column.uuid,
    amount: orNull(column.cents),
    order_reference: orNull(column.text),
    collection_reference: orNull(column.text),
    collection_name: orNull(column.text),
    status: words(paymentRequestLifecycle.states),
    qr_payload: column.text,
    expires_at: orNull(column.instant),
    paid_payment_id: orNull(column.uuid),
    claimed_by: orNull(column.uuid),
    /** JSON, as the Tenant gave it. */
    metadata: metadataColumn,
    created_at: column.instant,
    updated_at: column.instant,
    version: column.integer,
  },
  present: (row): PaymentRequest => ({
    id: publicId('payment_request', row.id),
    object: 'payment_request',
    type: row.type,
    merchant_customer_id: publicId('customer', row.merchant_customer_id),
    amount: row.amount,
    currency: 'USD',
    order_reference: row.order_reference,
    collection_point:
      row.collection_reference === null
        ? null
        : { reference: row.collection_reference, name: row.collection_name ?? '' },
    status: row.status,
    qr_payload: row.qr_payload,
    expires_at: row.expires_at,
    paid_payment_id: row.paid_payment_id && publicId('payment', row.paid_payment_id),
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
    ...shownMetadata(row.metadata),
  }),
});
export type PaymentRequestRow = RowOf<typeof paymentRequests>;
