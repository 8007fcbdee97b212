import { column, orNull, table } from '../../core/table.ts';

/** Every move that a reviewer made, written in its transaction (decisions 1.4). */
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
    'created_at',
  ],
  columns: {
    id: column.uuid,
    resource: column.text,
    /** As the path named it. */
    record_id: column.text,
    move: column.text,
    /** Who made it. */
    operator: column.text,
    note: orNull(column.text),
    amount: orNull(column.cents),
    failure_code: orNull(column.text),
    created_at: column.instant,
  },
});
