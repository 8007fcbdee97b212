import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';

export const restoreCauses = ['command', 'target', 'system', 'lost_writes'] as const;
export type RestoreCause = (typeof restoreCauses)[number];

/** Restores of the database; the one without `ended_at` is under way (rules/restore#9). */
export const restores = table({
  name: 'control.restores',
  of: 'platform',
  key: ['id'],
  frozen: ['cause', 'version_floor', 'begun_at', 'begun_by'],
  columns: {
    id: column.uuid,
    cause: words(restoreCauses),
    /** The point that the database was restored to; null: nobody has said. */
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

/** Orders of the bank's book that people have settled, since nobody repeats their calls (rules/restore#20). */
export const settledOrders = table({
  name: 'control.settled_orders',
  of: 'platform',
  key: ['id'],
  frozen: ['settled_at', 'settled_by'],
  columns: { id: column.uuid, settled_at: column.instant, settled_by: column.text },
  audited: ({ id, settled_at }) => ({ id, settled_at }),
});
export type SettledOrderRow = RowOf<typeof settledOrders>;
