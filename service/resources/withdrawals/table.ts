import { type FailureCode, failureCodesOf } from '@tenant-payments/contract/core/failure_codes.ts';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import {
  type Withdrawal,
  withdrawalLifecycle,
} from '@tenant-payments/contract/resources/withdrawals.ts';
import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';
import { orderColumn, orderUnique } from '../../rails/order_id.ts';
import { metadataColumn, shownMetadata } from '../metadata.ts';

export type WithdrawalFailure = FailureCode<'withdrawal'>;

/** Withdrawals to a linked bank account, and the payouts of closing accounts. */
export const withdrawals = table({
  name: 'withdrawals',
  key: ['id'],
  unique: orderUnique,
  sets: ['account_id'],
  setOnly: { account_id: "t.status in ('requires_confirmation', 'processing')" },
  frozen: [
    'customer_id',
    'account_id',
    'linked_account_id',
    'amount',
    'is_payout',
    'counted_day',
    'counted_in_payouts',
    'bank_order_id',
    'metadata',
    'created_at',
  ],
  lifecycle: withdrawalLifecycle,
  columns: {
    id: column.uuid,
    customer_id: column.uuid,
    account_id: column.uuid,
    linked_account_id: column.uuid,
    amount: column.cents,
    /** The payout of a closing account: no session, no limit (rules/closing#9). */
    is_payout: column.boolean,
    status: words(withdrawalLifecycle.states),
    failure_code: orNull(words<WithdrawalFailure>(failureCodesOf('withdrawal'))),
    /** The network's own reason of a failure (rules/failure-codes#1). */
    network_reason_code: orNull(column.text),
    held_cents: column.cents,
    session_id: orNull(column.uuid),
    /** The Transaction that is pending at the bank. */
    transaction_id: orNull(column.uuid),
    /** The day in which the amount is counted; null for a payout. */
    counted_day: orNull(column.date),
    /** Whether the amount is in the day's sum of all customers too (rules/limits#25). */
    counted_in_payouts: column.boolean,
    bank_order_id: orderColumn,
    /** JSON, as the Tenant gave it. */
    metadata: metadataColumn,
    created_at: column.instant,
    confirmed_at: orNull(column.instant),
    settled_at: orNull(column.instant),
    updated_at: column.instant,
    version: column.integer,
  },
  present: (row): Withdrawal => ({
    id: publicId('withdrawal', row.id),
    object: 'withdrawal',
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
export type WithdrawalRow = RowOf<typeof withdrawals>;
