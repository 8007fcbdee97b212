import { type FailureCode, failureCodesOf } from '@tenant-payments/contract/core/failure_codes.ts';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { type Load, loadLifecycle } from '@tenant-payments/contract/resources/loads.ts';
import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';
import { orderColumn, orderUnique } from '../../rails/order_id.ts';
import { metadataColumn, shownMetadata } from '../metadata.ts';

export type LoadFailure = FailureCode<'load'>;

/** Loads of Digital Accounts by Request for Payment. */
export const loads = table({
  name: 'loads',
  key: ['id'],
  unique: orderUnique,
  sets: ['account_id'],
  setOnly: { account_id: "t.status in ('requires_confirmation', 'processing')" },
  frozen: [
    'customer_id',
    'account_id',
    'linked_account_id',
    'amount',
    'counted_day',
    'counted_block',
    'bank_order_id',
    'metadata',
    'created_at',
  ],
  lifecycle: loadLifecycle,
  columns: {
    id: column.uuid,
    customer_id: column.uuid,
    account_id: column.uuid,
    linked_account_id: column.uuid,
    amount: column.cents,
    status: words(loadLifecycle.states),
    failure_code: orNull(words<LoadFailure>(failureCodesOf('load'))),
    /** The network's own reason of a failure (rules/failure-codes#1). */
    network_reason_code: orNull(column.text),
    session_id: orNull(column.uuid),
    /** The day and block in which the amount is counted (rules/limits#8). */
    counted_day: column.date,
    counted_block: column.date,
    bank_order_id: orderColumn,
    /** JSON, as the Tenant gave it. */
    metadata: metadataColumn,
    created_at: column.instant,
    confirmed_at: orNull(column.instant),
    settled_at: orNull(column.instant),
    updated_at: column.instant,
    version: column.integer,
  },
  present: (row): Load => ({
    id: publicId('load', row.id),
    object: 'load',
    customer_id: publicId('customer', row.customer_id),
    account_id: publicId('account', row.account_id),
    linked_account_id: publicId('linked_account', row.linked_account_id),
    amount: row.amount,
    currency: 'USD',
    status: row.status,
    failure_code: row.failure_code,
    confirmation_session: null,
    created_at: row.created_at,
    confirmed_at: row.confirmed_at,
    settled_at: row.settled_at,
    updated_at: row.updated_at,
    version: row.version,
    ...shownMetadata(row.metadata),
  }),
});
export type LoadRow = RowOf<typeof loads>;
