import type pg from 'pg';

/** A pool or one connection of it: what is read outside a transaction, or inside one. */
export interface Queryable {
  query<Row extends pg.QueryResultRow = pg.QueryResultRow>(
    text: string,
    values?: unknown[],
  ): Promise<{ readonly rows: Row[]; readonly rowCount: number | null }>;
}
