import type { Client } from 'pg';
import type { MovedTable } from './tables.ts';

/** SQL: which rows of a table a step copies. `t` is the row in the old cell. */
export type Chosen = string;

/** How rows of a Tenant come from one cell to the other, inside the transactions that are open. */
export interface Carrier {
  /**
   * Copies the chosen rows, over what an earlier step copied of them, and compares them.
   * @param isFirst no earlier step copied any
   * @returns how many @throws CopyDiffers
   */
  copy(table: MovedTable, chosen: Chosen, isFirst: boolean): Promise<number>;
  /** Deletes what was copied ahead and is gone by now. @throws CopyDiffers where the numbers of rows differ still */
  dropGone(table: MovedTable): Promise<void>;
  /** Takes along what was written in the old cell after the switch: lines of logs, of no other record. */
  takeLate(table: MovedTable): Promise<void>;
}

/** A copy that is not the original, as where something was written meanwhile: it may be tried again. */
export class CopyDiffers extends Error {}

/** The number of rows, and a sum over the text of each. */
export interface Sum {
  readonly rows: string;
  readonly sum: string;
}

/** SQL, in front of a subquery `x`. */
export const summed = `select count(*)::text as rows,
  coalesce(sum(hashtextextended(x::text, 0)), 0)::text as sum from`;

/** @throws where the rows in the new cell are not, word for word, those of the old one */
export function assertSame({ name }: MovedTable, here?: Sum, there?: Sum): number {
  if (!here || here.rows !== there?.rows || here.sum !== there.sum)
    throw new CopyDiffers(
      `${name}: the copy differs (${here?.rows} rows here, ${there?.rows} there)`,
    );
  return Number(here.rows);
}

/** @throws where the copy has more rows than the original, or fewer */
export function assertNoMore({ name }: MovedTable, more: number): void {
  if (more !== 0) throw new CopyDiffers(`${name}: the copy has not the same rows`);
}

/** SQL: the row `b` is a copy of the row `t`. */
export const sameKey = ({ key }: MovedTable): string =>
  key.map((column) => `b.${column} = t.${column}`).join(' and ');

export async function one<Row extends object>(
  client: Client,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row | undefined> {
  return (await client.query<Row>(sql, [...values])).rows[0];
}
