import { column, orNull, table } from '@tenant-payments/engine/table.ts';

/** Every move of a reviewer, written in its transaction (rules/review#2). */
export const reviews = table({
  name: 'reviews',
  key: ['id'],
  frozen: [
    'resource',
    'record_id',
    'move',
    'operator',
    'note',
    'amount',
    'failure_code',
    'approval_id',
    'created_at',
  ],
  columns: {
    id: column.uuid,
    resource: column.text,
    /** The id in the path. */
    record_id: column.text,
    move: column.text,
    /** The person or credential that made the move. */
    operator: column.text,
    note: orNull(column.text),
    amount: orNull(column.cents),
    failure_code: orNull(column.text),
    /** The approval that names the second person; null where one was enough. */
    approval_id: orNull(column.uuid),
    created_at: column.instant,
  },
});
