import { transactionLifecycle } from '@tenant-payments/contract/resources/accounts.ts';
import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { transactionView } from '@tenant-payments/engine/write/transaction.ts';
import type { LinkedAccountRow } from '../linked_accounts/table.ts';
import { bankAccountView } from './counterparts.ts';

/**
 * Transactions of withdrawals that are not posted: pending at the bank, or reversed. The entry that
 * posts one takes its id and time over; the row is then no longer read (rules/ledger#14).
 */
export const pendingTransactions = table({
  name: 'pending_transactions',
  key: ['id'],
  frozen: ['account_id', 'linked_account_id', 'bank_name', 'source_id', 'amount', 'created_at'],
  lifecycle: transactionLifecycle,
  columns: {
    id: column.uuid,
    account_id: column.uuid,
    linked_account_id: column.uuid,
    /** The bank account as the holder sees it: institution and mask. */
    bank_name: orNull(column.text),
    /** The withdrawal. */
    source_id: column.uuid,
    amount: column.cents,
    status: words(transactionLifecycle.states),
    created_at: column.instant,
    posted_at: orNull(column.instant),
    updated_at: column.instant,
    version: column.integer,
  },
  present: (row) =>
    transactionView({
      id: row.id,
      accountId: row.account_id,
      type: 'withdrawal',
      delta: -row.amount,
      amount: row.amount,
      fee: 0,
      counterparty: {
        type: 'bank_account',
        customer_id: null,
        display_name: row.bank_name ?? '',
      },
      sourceType: 'withdrawal',
      sourceId: row.source_id,
      description: null,
      status: row.status,
      createdAt: row.created_at,
      postedAt: row.posted_at,
    }),
});
export type PendingTransactionRow = RowOf<typeof pendingTransactions>;

/** A withdrawal was sent to the bank: its Transaction is shown as pending. */
export function beginTransaction(
  work: Work,
  withdrawal: { readonly id: string; readonly account_id: string; readonly amount: number },
  link: LinkedAccountRow,
): PendingTransactionRow {
  return work.create(
    pendingTransactions,
    {
      id: work.newId(),
      account_id: withdrawal.account_id,
      linked_account_id: link.id,
      bank_name: bankAccountView(link).display_name,
      source_id: withdrawal.id,
      amount: withdrawal.amount,
      created_at: work.now,
      posted_at: null,
    },
    'begin',
  );
}
