import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Route } from './route.ts';
import type { MovedTable } from './tables.ts';

/** The table that rows are brought into. */
interface Target extends Pick<MovedTable, 'enums'> {
  readonly name: string;
  /** Quoted, by commas. */
  readonly columns: string;
}

/** Brings what a query of the old database returns into a table of the new one. */
export type Bring = (query: string, target: Target) => Promise<unknown>;

/** Between two schemas of one database, each with enums of its own. */
export const bringBeside =
  ({ to }: Route): Bring =>
  (query, { name, columns, enums }) => {
    const taken = columns
      .split(', ')
      .map((column) => (enums[column] ? `${column}::text::${to.schema}.${enums[column]}` : column));
    return to.client.query(
      `insert into ${name} (${columns}) select ${taken.join(', ')} from (${query}) t`,
    );
  };

/** Between two databases, on any servers: what COPY writes on one is what it reads on the other, as it comes. */
export const bringApart =
  ({ from, to }: Route): Bring =>
  async (query, { name, columns }) => {
    const rows = from.client.query(copyTo(`copy (${query}) to stdout`));
    const table = to.client.query(copyFrom(`copy ${name} (${columns}) from stdin`));
    let refusal: Error | null = null;
    table.once('error', (error) => {
      refusal = error;
    });
    try {
      // A stream that is not read to its end would keep its connection.
      for await (const chunk of rows)
        if (refusal === null && !table.write(chunk)) await once(table, 'drain').catch(() => {});
    } catch (error) {
      table.destroy(error as Error);
      throw error;
    }
    if (refusal !== null) throw refusal;
    table.end();
    await finished(table);
  };
