import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';

export const restoreCauses = ['command', 'target', 'system', 'lost_writes'] as const;
export type RestoreCause = (typeof restoreCauses)[number];

/** Restores of the database; the one without `ended_at` is under way (rules/restore#9). */
export const restores = table({
  name: 'control.restores',
  of: 'platform',
  key: ['id'],
  frozen: ['cause', 'restored_to', 'version_floor', 'begun_at', 'begun_by'],
  columns: {
    id: column.uuid,
    cause: words(restoreCauses),
    /** What the database was restored to; null: nobody has said. */
    restored_to: orNull(column.instant),
    version_floor: column.integer,
    begun_at: column.instant,
    begun_by: column.text,
    ended_at: orNull(column.instant),
    ended_by: orNull(column.text),
  },
  audited: ({ cause, restored_to, version_floor, begun_at, ended_at }) => ({
    cause,
    restored_to,
    version_floor,
    begun_at,
    ended_at,
  }),
});
export type RestoreRow = RowOf<typeof restores>;
