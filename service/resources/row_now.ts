import { LoadAgain } from '@tenant-payments/engine/fail.ts';

/**
 * The row that a column names now, of a table whose rows stay.
 * @param id from the column, in `decide`
 * @param loaded by the same column, in `load`
 * @throws LoadAgain where a command before this one in the batch has named another (rules/engine#15)
 */
export function rowNow<Row extends { readonly id: string }>(
  id: string | null,
  loaded: Row | null,
): Row | null {
  if (id !== (loaded?.id ?? null)) throw new LoadAgain('another row was named meanwhile');
  return loaded;
}
