import { column, orNull, table, type ValuesOf, words } from '@tenant-payments/engine/table.ts';
import type { ApprovalRow } from '../table.ts';

/** Requests for a second admin, for acts on the platform. One that has lapsed still says `waiting`. */
export const platformRequests = table({
  name: 'control.approvals',
  of: 'platform',
  key: ['id'],
  sets: ['status'],
  frozen: [
    'resource',
    'record_id',
    'move',
    'note',
    'seen',
    'maker',
    'maker_person',
    'created_at',
    'lapses_at',
    'given',
  ],
  columns: {
    id: column.uuid,
    status: words(['waiting', 'approved', 'refused']),
    resource: column.text,
    record_id: column.text,
    move: column.text,
    note: column.text,
    /** JSON: what the maker saw, and what the act would have done. */
    seen: column.text,
    maker: column.text,
    maker_person: orNull(column.text),
    created_at: column.instant,
    lapses_at: column.instant,
    /** The actor who approved or refused. */
    decider: orNull(column.text),
    decision_note: orNull(column.text),
    decided_at: orNull(column.instant),
    /** JSON: the parameters of the act. */
    given: column.text,
    /** The sealed parameter; null: none, or the request is decided. */
    given_secret: orNull(column.text),
  },
});
type Values = ValuesOf<typeof platformRequests>;

/** The request in the form of a Tenant's: it moves no money, so it has no cap and one approver. */
export const asApproval = (row: Values): Values & ApprovalRow => ({
  ...row,
  body: '{}',
  amount: null,
  first_approver: null,
  first_person: null,
  first_approved_at: null,
});
