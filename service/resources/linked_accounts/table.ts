import type { FailureCode } from '@tenant-payments/contract/core/failure_codes.ts';
import { failureCodesOf } from '@tenant-payments/contract/core/failure_codes.ts';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import {
  bankAccountTypes,
  type HeldLinkedAccount,
  HolderMatch,
  type LinkedAccount,
  linkedAccountLifecycle,
} from '@tenant-payments/contract/resources/linked_accounts.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { jsonColumn } from '@tenant-payments/engine/stored_json.ts';
import { column, orNull, type RowOf, shown, table, words } from '@tenant-payments/engine/table.ts';
import { metadataColumn, shownMetadata } from '../metadata.ts';

export const holderMatchColumn = jsonColumn('linked_accounts.holder_match', 'jsonb', HolderMatch);

export type LinkFailure = FailureCode<'linked_account'>;

/** A customer's bank accounts. Account and routing numbers are stored sealed alone (rules/linking#18). */
export const linkedAccounts = table({
  name: 'linked_accounts',
  key: ['id'],
  sets: ['customer_id', 'persistent_hash'],
  setOnly: { persistent_hash: "t.status in ('pending', 'held_for_review', 'verified')" },
  frozen: [
    'customer_id',
    'institution_name',
    'account_type',
    'account_mask',
    'persistent_hash',
    'institution_id',
    'metadata',
    'created_at',
  ],
  lifecycle: linkedAccountLifecycle,
  columns: {
    id: column.uuid,
    customer_id: column.uuid,
    status: words(linkedAccountLifecycle.states),
    institution_name: column.text,
    account_type: words(bankAccountTypes),
    account_mask: column.text,
    /** The aggregator's reference, sealed; null once erased, or once the consent has ended. */
    reference_sealed: orNull(column.text),
    /** A keyed hash of the aggregator's lasting id of the account: it finds one that is linked twice. */
    persistent_hash: orNull(column.text),
    /** The aggregator's id of the bank. */
    institution_id: orNull(column.text),
    /** JSON of the names that are to be compared, or wait for a reviewer; null: none are, or it is decided. */
    holder_match: orNull(column.json),
    /** Its numbers, sealed (`numbers.ts`); null: the aggregator has given none. */
    numbers_sealed: orNull(column.text),
    /** When the bank replaced them last. */
    numbers_changed_at: orNull(column.instant),
    /** The time from which the customer must sign in at the bank again; null: they need not. */
    needs_login_at: orNull(column.instant),
    /** When they last had. */
    login_restored_at: orNull(column.instant),
    /** When the aggregator withdrew the consent; null: it has not been told. */
    consent_ended_at: orNull(column.instant),
    can_withdraw: column.boolean,
    can_load: column.boolean,
    can_pay_by_bank: column.boolean,
    /** The kinds of transfer that the bank offers, as the aggregator reported last; shown once verified. */
    offered_withdraw: column.boolean,
    offered_load: column.boolean,
    verified_at: orNull(column.instant),
    withdrawal_hold_until: orNull(column.instant),
    failure_code: orNull(words<LinkFailure>(failureCodesOf('linked_account'))),
    /** JSON, as the Tenant gave it. */
    metadata: metadataColumn,
    created_at: column.instant,
    updated_at: column.instant,
    version: column.integer,
  },
  present: (row): LinkedAccount => ({
    id: publicId('linked_account', row.id),
    object: 'linked_account',
    customer_id: publicId('customer', row.customer_id),
    status: row.status,
    institution_name: row.institution_name,
    account_type: row.account_type,
    account_mask: row.account_mask,
    capabilities: {
      withdrawal: row.can_withdraw,
      load: row.can_load,
      pay_by_bank: row.can_pay_by_bank,
    },
    withdrawal_hold_until: row.withdrawal_hold_until,
    failure_code: row.failure_code,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
    ...shownMetadata(row.metadata),
    ...(row.needs_login_at === null && row.login_restored_at === null
      ? {}
      : { needs_login_at: row.needs_login_at }),
  }),
});
export type LinkedAccountRow = RowOf<typeof linkedAccounts>;

/** A link as a reviewer sees it: with the names that were compared. */
export const heldLinkView = (row: LinkedAccountRow): HeldLinkedAccount => ({
  ...shown(linkedAccounts, row),
  institution_id: row.institution_id,
  holder_match: row.holder_match === null ? null : holderMatchColumn.read(null, row.holder_match),
});

export const activeStatuses = ['pending', 'held_for_review', 'verified'] as const;

/** The customer's active link; there is at most one (rules/linking#8, `linked_accounts_active`). */
export const activeLink = (links: readonly LinkedAccountRow[]): LinkedAccountRow | null =>
  links.find(({ status }) => activeStatuses.some((one) => one === status)) ?? null;

/**
 * The verified link of a customer.
 * @throws ApiError linked_account_required {linked_account_status}, of the latest link if none is
 *   active
 */
export function verifiedLink(links: readonly LinkedAccountRow[]): LinkedAccountRow {
  const link = activeLink(links);
  if (link?.status === 'verified') return link;
  const [latest] = [...links].sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  const status = (link ?? latest)?.status ?? null;
  throw fail('linked_account_required', { details: { linked_account_status: status } });
}

/** Whether the link failed, also one that was removed since: nothing more is begun to it (rules/linking#17). */
export const hasFailed = ({ failure_code }: Pick<LinkedAccountRow, 'failure_code'>): boolean =>
  failure_code !== null;

/** Tokens that open the aggregator's widget, each for one customer. */
export const linkTokens = table({
  name: 'link_tokens',
  key: ['token_hash'],
  columns: {
    token_hash: column.text,
    customer_id: column.uuid,
    expires_at: column.instant,
  },
  frozen: ['customer_id', 'expires_at'],
});
