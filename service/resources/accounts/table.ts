import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import {
  type Account,
  accountLifecycle,
  accountTypes,
} from '@tenant-payments/contract/resources/accounts.ts';
import { closingWaits } from '@tenant-payments/contract/resources/closing.ts';
import { closingReasons } from '@tenant-payments/contract/resources/customers.ts';
import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';

/** How long without a movement that the customer confirmed (rules/accounts#8). */
export const dormantAfterSeconds = lifetimes.dormantAfter;

/** Digital Accounts. Pockets are a row of their own, so that credits do not wait for this one. */
export const accounts = table({
  name: 'accounts',
  key: ['id'],
  unique: { customer: ['customer_id'] },
  frozen: ['customer_id', 'type', 'opened_at'],
  proof: 'balance',
  lifecycle: accountLifecycle,
  columns: {
    id: column.uuid,
    customer_id: column.uuid,
    type: words(accountTypes),
    status: words(accountLifecycle.states),
    /** How others see the holder; follows the customer's names (rules/accounts#17). */
    holder_name: orNull(column.text),
    /** Reasons of the suspension, separated by spaces. */
    suspension_reasons: column.text,
    /** How many refunds wait for funds (rules/refunds#18). */
    waiting_claims: column.integer,
    closing_reason: orNull(words(closingReasons)),
    /** The cause that the last closing step waited for, and until when if that is known (rules/closing#6). */
    closing_waits_for: orNull(words(closingWaits)),
    closing_waits_until: orNull(column.instant),
    /** Stops the payout of a closing account (rules/accounts#19). */
    legal_hold: column.boolean,
    opened_at: column.instant,
    closed_at: orNull(column.instant),
    updated_at: column.instant,
    version: column.integer,
  },
  present: (row): Account => ({
    id: publicId('account', row.id),
    object: 'account',
    customer_id: publicId('customer', row.customer_id),
    type: row.type,
    status: row.status,
    currency: 'USD',
    opened_at: row.opened_at,
    closed_at: row.closed_at,
    updated_at: row.updated_at,
    version: row.version,
  }),
});
export type AccountRow = RowOf<typeof accounts>;
