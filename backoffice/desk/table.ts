import { column, orNull, type RowOf, table } from '@tenant-payments/engine/table.ts';

/** The person who has a case. A row stays when nobody has it any more (rules/review#32). */
export const reviewCases = table({
  name: 'review_cases',
  key: ['resource', 'record_id'],
  columns: {
    resource: column.text,
    record_id: column.uuid,
    assigned_to: orNull(column.uuid),
    /** The time at which the person took the case, in real time. */
    assigned_at: orNull(column.instant),
  },
});
export type CaseRow = RowOf<typeof reviewCases>;

/** The notes of staff on a case; they are never changed (rules/review#36). */
export const reviewNotes = table({
  name: 'review_notes',
  key: ['id'],
  frozen: ['resource', 'record_id', 'author', 'text', 'created_at'],
  columns: {
    id: column.uuid,
    resource: column.text,
    record_id: column.uuid,
    /** The person or credential that wrote it. */
    author: column.text,
    text: column.text,
    /** The time of the note, in real time. */
    created_at: column.instant,
  },
});
