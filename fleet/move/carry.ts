import type { Client } from 'pg';
import { type Bring, bringApart, bringBeside } from './bring.ts';
import { isBeside, type Route, type Side } from './route.ts';
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

export async function firstRow<Row extends object>(
  client: Client,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row | undefined> {
  return (await client.query<Row>(sql, [...values])).rows[0];
}

/** The number of rows, and a sum over the text of each. */
interface Sum {
  readonly rows: string;
  readonly sum: string;
}

const sumOf = (client: Client, query: string) =>
  firstRow<Sum>(
    client,
    `select count(*)::text as rows, coalesce(sum(hashtextextended(x::text, 0)), 0)::text as sum
      from (${query}) x`,
  );

/** @throws where the rows in the new cell are not, word for word, those of the old one */
function assertSame({ name }: MovedTable, here?: Sum, there?: Sum): number {
  if (!here || here.rows !== there?.rows || here.sum !== there.sum)
    throw new CopyDiffers(
      `${name}: the copy differs (${here?.rows} rows here, ${there?.rows} there)`,
    );
  return Number(here.rows);
}

/** Rows that go, in the old database, and those that have come, in the new one. */
const [leaving, arrived] = ['rows_leaving', 'rows_arrived'];

/** SQL: the row `b` has the key of an arrived one. */
const hasArrived = ({ key }: MovedTable) =>
  `exists (select from ${arrived} t where ${key.map((column) => `b.${column} = t.${column}`).join(' and ')})`;

/** A table that has got so many is looked at before rows are found in it by their key. */
const manyRows = 1_000;

/** Few rows are looked for by their key, one by one; a move reads whole tables otherwise. */
const byKey = ['set enable_nestloop = on', 'set enable_nestloop = off'] as const;

export function openCarrier(route: Route): Carrier {
  const { from, to, tenantId } = route;
  const bring: Bring = isBeside(route) ? bringBeside(route) : bringApart(route);
  const own = `tenant_id = ${from.client.escapeLiteral(tenantId)}`;
  const newTable = ({ name }: MovedTable) => `${to.schema}.${name}`;
  const copies = (table: MovedTable) =>
    `select ${table.columns} from ${newTable(table)} b where b.${own}`;
  const inNew = (sql: string) => to.client.query(sql);

  /** Runs `work` once these columns of old rows are in a table of the new database. @param sum of the rows */
  async function withArrived(
    table: MovedTable,
    columns: string,
    work: (sum: Sum | undefined) => Promise<void>,
    chosen: Chosen = 'true',
  ): Promise<void> {
    const found = `select ${columns} from ${from.schema}.${table.name} t where t.${own} and (${chosen})`;
    await from.client.query(`create temp table ${leaving} as ${found}`);
    const sum = await sumOf(from.client, `select ${columns} from ${leaving}`);
    await inNew(
      `create temp table ${arrived} as select ${columns} from ${newTable(table)} with no data`,
    );
    const { enums } = table;
    await bring(`select ${columns} from ${leaving}`, { name: arrived, columns, enums });
    await inNew(`analyze ${arrived}`);
    await inNew(byKey[0]);
    await work(sum);
    await inNew(byKey[1]);
    await inNew(`drop table ${arrived}`);
    await from.client.query(`drop table ${leaving}`);
  }

  async function copyFirst(table: MovedTable, chosen: Chosen): Promise<number> {
    const { name, columns, enums } = table;
    const query = `select ${columns} from ${from.schema}.${name} t where t.${own} and (${chosen})`;
    await bring(query, { name: newTable(table), columns, enums });
    const here = await sumOf(from.client, query);
    const rows = assertSame(table, here, await sumOf(to.client, copies(table)));
    if (rows > manyRows) await inNew(`analyze ${newTable(table)}`);
    return rows;
  }

  return {
    async copy(table, chosen, isFirst) {
      if (isFirst) return copyFirst(table, chosen);
      const { columns } = table;
      let rows = 0;
      const replace = async (here: Sum | undefined) => {
        if (here?.rows === '0') return;
        await inNew(`delete from ${newTable(table)} b where b.${own} and ${hasArrived(table)}`);
        await inNew(
          `insert into ${newTable(table)} (${columns}) select ${columns} from ${arrived}`,
        );
        const there = await sumOf(to.client, `${copies(table)} and ${hasArrived(table)}`);
        rows = assertSame(table, here, there);
      };
      await withArrived(table, columns, replace, chosen);
      return rows;
    },

    async dropGone(table) {
      const { name } = table;
      if (table.isAppendOnly) return;
      const count = ({ client, schema }: Side) =>
        firstRow<{ rows: string }>(
          client,
          `select count(*) as rows from ${schema}.${name} where ${own}`,
        );
      const more = async () => Number((await count(to))?.rows) - Number((await count(from))?.rows);
      if ((await more()) === 0) return;
      await withArrived(table, table.key.join(', '), async () => {
        await inNew(`delete from ${newTable(table)} b where b.${own} and not ${hasArrived(table)}`);
      });
      if ((await more()) !== 0) throw new CopyDiffers(`${name}: the copy has not the same rows`);
    },

    async takeLate(table) {
      const { columns } = table;
      await withArrived(table, columns, async () => {
        await inNew(`insert into ${newTable(table)} (${columns})
          select ${columns} from ${arrived} on conflict do nothing`);
      });
    },
  };
}
