import { jsonColumn } from '@tenant-payments/engine/stored_json.ts';
import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';
import { Approval } from '../contract/operate/approvals.ts';

/** Requests for a second person. One that has lapsed still says `waiting` (rules/approvals#6). */
export const approvals = table({
  name: 'approvals',
  key: ['id'],
  frozen: [
    'resource',
    'record_id',
    'move',
    'body',
    'note',
    'amount',
    'seen',
    'maker',
    'maker_person',
    'created_at',
    'lapses_at',
  ],
  columns: {
    id: column.uuid,
    status: words(['waiting', 'approved', 'refused']),
    resource: column.text,
    /** The record's id as in the path of a review move. */
    record_id: column.text,
    move: column.text,
    /** JSON: the fields that the move takes. */
    body: column.text,
    note: column.text,
    /** The cents that count towards the cap; null: none. */
    amount: orNull(column.cents),
    /** JSON: what the maker saw, and what the move would have done. */
    seen: column.text,
    maker: column.text,
    maker_person: orNull(column.text),
    created_at: column.instant,
    /** The end of the request's life, in real time. */
    lapses_at: column.instant,
    /** The first of two admins. */
    first_approver: orNull(column.text),
    first_person: orNull(column.text),
    /** The time of the first approval, in real time. */
    first_approved_at: orNull(column.instant),
    /** The actor who approved or refused. */
    decider: orNull(column.text),
    decision_note: orNull(column.text),
    decided_at: orNull(column.instant),
  },
});
export type ApprovalRow = RowOf<typeof approvals>;

/** The fields that the move takes. */
export const approvalBody = jsonColumn('approvals.body', 'text', Approval.properties.body);

/** The sum approved of the capped acts on a day (rules/approvals#9). */
export const approvalSums = table({
  name: 'approval_sums',
  key: ['day'],
  columns: { day: column.date, approved: column.cents },
});
