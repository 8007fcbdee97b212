import type pg from 'pg';

/** Bytes of a table: its rows with what is stored apart, and its indexes. */
export interface TableSize {
  readonly rows: number;
  readonly indexes: number;
}
export type Sizes = ReadonlyMap<string, TableSize>;

const tables = `select c.oid::regclass::text as name, pg_table_size(c.oid)::float8 as rows,
    pg_indexes_size(c.oid)::float8 as indexes
  from pg_class c where c.relkind = 'r'
    and c.relnamespace in ('public'::regnamespace, 'control'::regnamespace)`;

/** Every table of the service, as it lies on the disk now. */
export async function readSizes(client: pg.Client): Promise<Sizes> {
  const { rows } = await client.query<TableSize & { name: string }>(tables);
  return new Map(rows.map(({ name, rows: own, indexes }) => [name, { rows: own, indexes }]));
}

/** The same with every page full: all that is left is needed. */
export async function readPackedSizes(client: pg.Client): Promise<Sizes> {
  await client.query('vacuum full');
  return readSizes(client);
}

export const totalOf = ({ rows, indexes }: TableSize): number => rows + indexes;

/** The bytes that each of `count` operations added to the tables between two readings, in bytes. */
export function growth(before: Sizes, after: Sizes, count: number): Sizes {
  const none = { rows: 0, indexes: 0 };
  return new Map(
    [...after].map(([name, { rows, indexes }]) => {
      const was = before.get(name) ?? none;
      return [name, { rows: (rows - was.rows) / count, indexes: (indexes - was.indexes) / count }];
    }),
  );
}

/** Some tables as if they had so many times their rows. */
export const scaled = (sizes: Sizes, factors: Readonly<Record<string, number>>): Sizes =>
  new Map(
    [...sizes].map(([name, { rows, indexes }]) => {
      const factor = factors[name] ?? 1;
      return [name, { rows: rows * factor, indexes: indexes * factor }];
    }),
  );

export const sumOf = (sizes: Sizes): number =>
  [...sizes.values()].reduce((sum, size) => sum + totalOf(size), 0);
