import { disputeTypes } from '@tenant-payments/contract/core/dispute_types.ts';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { sumOf } from '@tenant-payments/contract/core/money.ts';
import { liabilities, liabilityTiers } from '@tenant-payments/contract/resources/dispute_cases.ts';
import {
  type Dispute,
  disputeLifecycle,
  disputeOutcomes,
} from '@tenant-payments/contract/resources/disputes.ts';
import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';
import { orderColumn, orderUnique } from '../../rails/order_id.ts';
import { metadataColumn, shownMetadata } from '../metadata.ts';

/**
 * The destination of a credit: the account; of a closed account to its bank (`sent`, then `arrived`) or to suspense
 * (rules/disputes#31).
 */
export const creditRoutes = ['account', 'sent', 'arrived', 'suspense'] as const;

/** Customers' notices. Columns that are not shown are the internal case (rules/disputes#39). */
export const disputes = table({
  name: 'disputes',
  key: ['id'],
  unique: orderUnique,
  sets: ['movement_id', 'linked_to', 'account_id', 'merchant_account_id'],
  setOnly: {
    account_id: "t.status <> 'closed'",
    merchant_account_id: "t.status in ('received', 'investigating', 'provisional_credit')",
  },
  frozen: [
    'customer_id',
    'account_id',
    'type',
    'payment_id',
    'transaction_id',
    'notice_received_at',
    'movement_id',
    'counted_payment_id',
    'merchant_account_id',
    'linked_to',
    'bank_order_id',
    'metadata',
    'created_at',
  ],
  lifecycle: disputeLifecycle,
  columns: {
    id: column.uuid,
    customer_id: column.uuid,
    /** The customer's account; null: never approved. */
    account_id: orNull(column.uuid),
    type: words(disputeTypes),
    /** By the reviewer; null: as its type says (rules/disputes#62). */
    handled_as: orNull(words(disputeTypes)),
    /** The ids that the notice named. */
    payment_id: orNull(column.uuid),
    transaction_id: orNull(column.uuid),
    description: column.text,
    regulation_e: column.boolean,
    notice_received_at: column.instant,
    /** Days after the last on which it was in time; 0: in time, or never under Regulation E. */
    notice_late_days: column.integer,
    /** The answered notice of the same movement and kind; null: it is filed for the first time. */
    reasserted_of: orNull(column.uuid),
    /** The time since which a notice filed again is investigated all the same; null: it is not. */
    reopened_at: orNull(column.instant),
    /** The customer was given the documents relied on [1005.11(a)(1)(vii)]. */
    papers_given_at: orNull(column.instant),
    /** Why the notice came late is accepted [1005.6(b)(4)]. */
    extenuating_at: orNull(column.instant),
    status: words(disputeLifecycle.states),
    provisional_credit_amount: orNull(column.cents),
    outcome: orNull(words(disputeOutcomes)),
    /** The finding, as the customer's letter says it; null: in its general words. */
    finding: orNull(column.text),
    resolved_at: orNull(column.instant),
    /** The disputed payment, or else the transaction; null: the notice names none. */
    movement_id: orNull(column.uuid),
    /** The payment that its payer disputes: its refunds and credits count together. */
    counted_payment_id: orNull(column.uuid),
    /** The payee, if that payment was completed at receipt. */
    merchant_account_id: orNull(column.uuid),
    /** The load that the disputed transaction settled; null: it is of another record, or 1.0 has written the notice and nothing was recalled. */
    disputed_load_id: orNull(column.uuid),
    /** The first notice of the movement; this one ends with it. */
    linked_to: orNull(column.uuid),
    linked_notices: column.integer,
    liability: words(liabilities),
    /** D; null: not known until a reviewer sets it. */
    disputed_cents: orNull(column.cents),
    /** A reviewer has set D: for a second person it stays unknown (rules/approvals#2). */
    amount_by_staff: column.boolean,
    /** The amount refunded of the payment, or come back of the withdrawal or load, when D was set. */
    refunded_before: column.cents,
    /** Earmarked at receipt; earmarked now; given to the reserve; given back to the merchant. */
    earmarked_cents: column.cents,
    held_cents: column.cents,
    recovered_cents: column.cents,
    released_cents: column.cents,
    /** Credited to the customer; awarded; taken back of the credit. */
    credited_cents: column.cents,
    award_cents: orNull(column.cents),
    taken_back_cents: column.cents,
    /** The part that the customer bears of an unauthorized transfer, and the limit that applies; null: nothing. */
    customer_bears_cents: orNull(column.cents),
    liability_tier: orNull(words(liabilityTiers)),
    credit_route: orNull(words(creditRoutes)),
    /** The bank account that the credit was sent to. */
    credit_link_id: orNull(column.uuid),
    /** Deadlines ahead or missed; null: met, or none (rules/disputes#29). */
    credit_due_at: orNull(column.instant),
    result_due_at: orNull(column.instant),
    credit_notice_due_at: orNull(column.instant),
    correction_due_at: orNull(column.instant),
    result_notice_due_at: orNull(column.instant),
    reversal_due_at: orNull(column.instant),
    bank_order_id: orderColumn,
    /** JSON, as the Tenant gave it. */
    metadata: metadataColumn,
    created_at: column.instant,
    updated_at: column.instant,
    version: column.integer,
  },
  present: (row): Dispute => ({
    id: publicId('dispute', row.id),
    object: 'dispute',
    customer_id: publicId('customer', row.customer_id),
    type: row.type,
    payment_id: row.payment_id && publicId('payment', row.payment_id),
    transaction_id: row.transaction_id && publicId('transaction', row.transaction_id),
    description: row.description,
    regulation_e: row.regulation_e,
    notice_received_at: row.notice_received_at,
    status: row.status,
    provisional_credit_amount: row.provisional_credit_amount,
    outcome: row.outcome,
    resolved_at: row.resolved_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
    ...shownMetadata(row.metadata),
    ...(row.handled_as === null ? {} : { handled_as: row.handled_as }),
    // A field that was shown never goes: `previous_attributes` could not tell of it.
    ...((row.reasserted_of ?? row.handled_as) === null ? {} : { reasserted: isReasserted(row) }),
  }),
});
export type DisputeRow = RowOf<typeof disputes>;

const unresolvedStates: readonly DisputeRow['status'][] =
  disputeLifecycle.moves.resolve_denied.from;

/** The cents that ended disputes have given their customer. */
export const awardedCents = (notices: readonly Pick<DisputeRow, 'award_cents'>[]): number =>
  sumOf(notices, ({ award_cents }) => award_cents ?? 0);

/** There is no determination yet. */
export const isUnresolved = ({ status }: Pick<DisputeRow, 'status'>): boolean =>
  unresolvedStates.includes(status);

/** The kind by which a notice is handled (rules/disputes#62). */
export const handledAs = ({ handled_as, type }: Pick<DisputeRow, 'handled_as' | 'type'>) =>
  handled_as ?? type;

/** Whether it was answered before, and no reviewer has opened it again (rules/disputes#58). */
export const isReasserted = ({
  reasserted_of,
  reopened_at,
}: Pick<DisputeRow, 'reasserted_of' | 'reopened_at'>): boolean =>
  reasserted_of !== null && reopened_at === null;

/**
 * An unauthorized transfer whose liability 12 CFR 1005.6 limits, also where the notice came late or was answered
 * before (rules/disputes#53).
 */
export const isLiabilityLimited = (
  row: Pick<
    DisputeRow,
    'handled_as' | 'type' | 'regulation_e' | 'notice_late_days' | 'reasserted_of'
  >,
): boolean =>
  handledAs(row) === 'unauthorized_transfer' &&
  (row.regulation_e || row.notice_late_days > 0 || row.reasserted_of !== null);
