import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { moneySources } from '@tenant-payments/contract/resources/bank_messages.ts';
import {
  type SuspenseItem,
  suspenseLifecycle,
  suspenseReasons,
} from '@tenant-payments/contract/resources/suspense.ts';
import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';

/**
 * Bank money without a known owner, one row for each sum. It has no `present`, because a table with
 * one writes events, and only reviewers see these rows.
 */
export const suspense = table({
  name: 'suspense',
  key: ['id'],
  sets: ['source_id'],
  frozen: [
    'amount',
    'reason',
    'source_type',
    'source_id',
    'account_id',
    'linked_account_id',
    'created_at',
  ],
  lifecycle: suspenseLifecycle,
  columns: {
    id: column.uuid,
    amount: column.cents,
    status: words(suspenseLifecycle.states),
    reason: words(suspenseReasons),
    source_type: words(moneySources),
    source_id: column.uuid,
    /** The account that it most likely belongs to. */
    account_id: orNull(column.uuid),
    /** The bank account that it came from. */
    linked_account_id: orNull(column.uuid),
    created_at: column.instant,
    resolved_at: orNull(column.instant),
  },
});
export type SuspenseRow = RowOf<typeof suspense>;

/** Whether it came without an order of its own: its source is the payment itself (rules/received-money#1). */
export const isUnordered = ({ reason }: Pick<SuspenseRow, 'reason'>): boolean =>
  reason === 'paid_twice' || reason === 'unsolicited';

/** The item as the reviewer sees it. */
export const suspenseView = (row: SuspenseRow): SuspenseItem => ({
  id: publicId('adjustment', row.id),
  object: 'suspense',
  status: row.status,
  reason: row.reason,
  amount: row.amount,
  currency: 'USD',
  source_type: isUnordered(row) ? null : row.source_type,
  source_id: isUnordered(row) ? null : publicId(row.source_type, row.source_id),
  account_id: row.account_id && publicId('account', row.account_id),
  linked_account_id: row.linked_account_id && publicId('linked_account', row.linked_account_id),
  created_at: row.created_at,
  resolved_at: row.resolved_at,
});
