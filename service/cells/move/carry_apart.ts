import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import {
  assertNoMore,
  assertSame,
  type Carrier,
  one,
  type Sum,
  sameKey,
  summed,
} from './carrier.ts';
import type { Route, Side } from './route.ts';
import type { MovedTable } from './tables.ts';

/** Rows that have come over, until they are put into their table. */
const staged = 'moved_rows';

/** Copies what a query of one database returns into a table of another one, as it comes. */
async function stream(from: Side, query: string, to: Side, target: string): Promise<void> {
  const rows = from.client.query(copyTo(`copy (${query}) to stdout`));
  const table = to.client.query(copyFrom(`copy ${target} from stdin`));
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
}

/** Between two databases, on any servers: what COPY writes on one is what it reads on the other. */
export function carryApart({ from, to, tenantId }: Route): Carrier {
  const own = `tenant_id = ${from.client.escapeLiteral(tenantId)}`;
  const oldRows = ({ name, columns }: MovedTable, chosen = 'true') =>
    `select ${columns} from ${from.schema}.${name} t where t.${own} and (${chosen})`;
  const newTable = ({ name }: MovedTable) => `${to.schema}.${name}`;

  /** Runs `work` with these columns of the old rows in a table of the new database. */
  async function withStaged(
    table: MovedTable,
    query: string,
    columns: string,
    work: () => Promise<void>,
  ) {
    await to.client.query(
      `create temp table ${staged} as select ${columns} from ${newTable(table)} with no data`,
    );
    await stream(from, query, to, staged);
    await work();
    await to.client.query(`drop table ${staged}`);
  }

  return {
    async copy(table, chosen, isFirst) {
      const { columns } = table;
      const query = oldRows(table, chosen);
      const here = await one<Sum>(from.client, `${summed} (${query}) x`);
      if (here?.rows === '0') return 0;
      const target = newTable(table);
      const copies = `select ${columns} from ${target} b where b.${own}`;
      if (isFirst) {
        await stream(from, query, to, `${target} (${columns})`);
        return assertSame(table, here, await one<Sum>(to.client, `${summed} (${copies}) x`));
      }
      await withStaged(table, query, columns, async () => {
        const isStaged = `exists (select from ${staged} t where ${sameKey(table)})`;
        await to.client.query(`delete from ${target} b where b.${own} and ${isStaged}`);
        await to.client.query(
          `insert into ${target} (${columns}) select ${columns} from ${staged}`,
        );
        const there = await one<Sum>(to.client, `${summed} (${copies} and ${isStaged}) x`);
        assertSame(table, here, there);
      });
      return Number(here?.rows);
    },

    async dropGone(table) {
      const { name } = table;
      const count = ({ client, schema }: Side) =>
        one<{ rows: string }>(
          client,
          `select count(*) as rows from ${schema}.${name} where ${own}`,
        );
      const more = async () => Number((await count(from))?.rows) - Number((await count(to))?.rows);
      if ((await more()) === 0) return;
      const key = table.key.join(', ');
      const keys = `select ${key} from ${from.schema}.${name} where ${own}`;
      await withStaged(table, keys, key, async () => {
        await to.client.query(`delete from ${newTable(table)} b where b.${own}
          and not exists (select from ${staged} t where ${sameKey(table)})`);
      });
      assertNoMore(table, await more());
    },

    async takeLate(table) {
      const { columns } = table;
      await withStaged(table, oldRows(table), columns, async () => {
        await to.client.query(`insert into ${newTable(table)} (${columns})
          select ${columns} from ${staged} on conflict do nothing`);
      });
    },
  };
}
