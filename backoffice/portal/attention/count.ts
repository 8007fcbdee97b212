import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { type RawBuilder, sql } from 'kysely';
import { mostAttention } from '../../contract/operate/attention.ts';

/** One that is counted, as a page may name it. */
export interface NamedRow {
  readonly id: string | null;
  readonly name: string | null;
  readonly at: Instant | null;
}

export interface Item<Kind extends string> {
  readonly kind: Kind;
  readonly count: number;
  readonly is_more: boolean;
  readonly is_trouble: boolean;
  readonly first: NamedRow[];
}

/** An item of what was counted; none where that is nothing. */
export const itemOf = <Kind extends string>(
  kind: Kind,
  count: number,
  is_trouble: boolean,
  first: NamedRow[] = [],
): Item<Kind>[] =>
  count === 0
    ? []
    : [
        {
          kind,
          count: Math.min(count, mostAttention),
          is_more: count > mostAttention,
          is_trouble,
          first,
        },
      ];

/** How many rows a query has, one more than are shown at most. */
export async function countUpTo(
  { db }: Pick<ReadContext, 'db'>,
  rows: RawBuilder<unknown>,
): Promise<number> {
  const found = await sql<{ count: number }>`select count(*)::int as count
    from (${rows} limit ${mostAttention + 1}) counted`.execute(db);
  return found.rows[0]?.count ?? 0;
}

/** The rows of a query, up to as many as are counted, for the first of them to be named. */
export async function rowsUpTo<Row extends NamedRow>(
  { db }: Pick<ReadContext, 'db'>,
  rows: RawBuilder<unknown>,
): Promise<Row[]> {
  return (await sql<Row>`${rows} limit ${mostAttention + 1}`.execute(db)).rows;
}
