import { feeBearers, paymentSources, paymentTypes } from '@tenant-payments/contract/core/fees.ts';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { type Payment, paymentLifecycle } from '@tenant-payments/contract/resources/payments.ts';
import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';
import { orderColumn, orderUnique } from '../../rails/order_id.ts';
import { metadataColumn, shownMetadata } from '../metadata.ts';
import { feesOf } from './fees.ts';

/** Payments. `held_cents` is what the payment holds in the payer's pending_outgoing now. */
export const payments = table({
  name: 'payments',
  key: ['id'],
  unique: orderUnique,
  sets: ['payment_request_id', 'payer_account_id', 'payee_account_id'],
  setOnly: {
    payment_request_id: "t.status = 'requires_confirmation'",
    payer_account_id: "t.status in ('requires_confirmation', 'processing')",
    payee_account_id: "t.status = 'processing'",
  },
  frozen: [
    'type',
    'source',
    'payer_customer_id',
    'payer_account_id',
    'payee_customer_id',
    'payee_account_id',
    'payment_request_id',
    'linked_account_id',
    'amount',
    'platform_fee',
    'platform_fee_paid_by',
    'tenant_fee',
    'tenant_fee_paid_by',
    'order_reference',
    'invoice_reference',
    'description',
    'counted_day',
    'bank_order_id',
    'metadata',
    'created_at',
  ],
  lifecycle: paymentLifecycle,
  columns: {
    id: column.uuid,
    type: words(paymentTypes),
    source: words(paymentSources),
    payer_customer_id: column.uuid,
    payer_account_id: column.uuid,
    payee_customer_id: column.uuid,
    payee_account_id: column.uuid,
    payment_request_id: orNull(column.uuid),
    linked_account_id: orNull(column.uuid),
    amount: column.cents,
    platform_fee: column.cents,
    platform_fee_paid_by: orNull(words(feeBearers)),
    tenant_fee: column.cents,
    tenant_fee_paid_by: orNull(words(feeBearers)),
    refunded_amount: column.cents,
    /** The sum of the open refunds (rules/refunds#7). */
    open_refunds: column.cents,
    /** The part of them that is in processing at a bank. */
    refunding_cents: column.cents,
    /** The latest dispute of its payer: the first notice, to which others are linked. */
    dispute_id: orNull(column.uuid),
    /** Dispute credits posted and not taken back; awards of ended disputes (rules/refunds#6). */
    disputed_cents: column.cents,
    awarded_cents: column.cents,
    /** The payer's fees, where a notice of an error or unauthorized transfer disputes them too (rules/disputes#7). */
    disputed_fee_cents: orNull(column.cents),
    held_cents: column.cents,
    status: words(paymentLifecycle.states),
    failure_code: orNull(column.text),
    /** The network's own reason of a failure (rules/failure-codes#1). */
    network_reason_code: orNull(column.text),
    order_reference: orNull(column.text),
    invoice_reference: orNull(column.text),
    description: orNull(column.text),
    session_id: orNull(column.uuid),
    /** The Eastern Time day in which the amount is counted (rules/limits#8). */
    counted_day: column.date,
    bank_order_id: orderColumn,
    /** JSON, as the Tenant gave it. */
    metadata: metadataColumn,
    created_at: column.instant,
    confirmed_at: orNull(column.instant),
    completed_at: orNull(column.instant),
    updated_at: column.instant,
    version: column.integer,
  },
  present: (row): Payment => {
    const fees = feesOf(row);
    return {
      id: publicId('payment', row.id),
      object: 'payment',
      type: row.type,
      source: row.source,
      payer_customer_id: publicId('customer', row.payer_customer_id),
      payee_customer_id: publicId('customer', row.payee_customer_id),
      payment_request_id:
        row.payment_request_id && publicId('payment_request', row.payment_request_id),
      amount: row.amount,
      currency: 'USD',
      fees: fees.shown,
      net_amount: row.amount - fees.payeeCents,
      refunded_amount: row.refunded_amount,
      status: row.status,
      failure_code: row.failure_code,
      order_reference: row.order_reference,
      invoice_reference: row.invoice_reference,
      description: row.description,
      confirmation_session: null,
      created_at: row.created_at,
      confirmed_at: row.confirmed_at,
      completed_at: row.completed_at,
      updated_at: row.updated_at,
      version: row.version,
      ...shownMetadata(row.metadata),
    };
  },
});
export type PaymentRow = RowOf<typeof payments>;
