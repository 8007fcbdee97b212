import type pg from 'pg';
import type { Bench } from '../bench.ts';
import { assertCompleted } from '../ledger_check.ts';
import { assertAll, createPayments } from '../setup/payments.ts';

/** Rows of one table that an operation added, changed or took away. */
interface TableFootprint {
  readonly table: string;
  readonly written: number;
  readonly removed: number;
}

/** The writes of one completed payment to the database. */
export interface Footprint {
  readonly tables: readonly TableFootprint[];
  /** Their types, in the order of their ids. */
  readonly events: readonly string[];
}

// The request log is unlogged and written later, by another transaction.
const tableNames = `
  select relname as name from pg_class
  where relkind = 'r' and relpersistence = 'p' and relnamespace = current_schema()::regnamespace order by relname`;

async function countRows(client: pg.Client, names: readonly string[]): Promise<number[]> {
  const counts = names.map((name) => `(select count(*) from ${name})::int`).join(', ');
  const { rows } = await client.query<{ counts: number[] }>(`select array[${counts}] as counts`);
  return rows[0]?.counts ?? [];
}

/**
 * Runs one operation and counts what it wrote: a row's `xmin` is the transaction that wrote its
 * present version. Nothing else may write at the same time.
 */
async function footprintOf(client: pg.Client, operation: () => Promise<void>): Promise<Footprint> {
  const named = await client.query<{ name: string }>(tableNames);
  const names = named.rows.map(({ name }) => name);
  const before = await countRows(client, names);
  const { rows } = await client.query<{ next: string }>(
    'select pg_current_xact_id()::text as next',
  );
  await operation();
  const after = await countRows(client, names);
  const since = rows[0]?.next;
  const isNew = 'xmin::text::bigint > $1::bigint';
  const tables: TableFootprint[] = [];
  for (const [index, table] of names.entries()) {
    const found = await client.query<{ written: number; added: number }>(
      `select count(*)::int as written from ${table} where ${isNew}`,
      [since],
    );
    const written = found.rows[0]?.written ?? 0;
    const removed = Math.max(0, (before[index] ?? 0) - (after[index] ?? 0));
    if (written > 0 || removed > 0) tables.push({ table, written, removed });
  }
  const events = await client.query<{ type: string }>(
    `select type from events where ${isNew} order by id`,
    [since],
  );
  return { tables, events: events.rows.map(({ type }) => type) };
}

/** Completes one payment and counts what it wrote. */
export async function paymentFootprint(bench: Bench): Promise<Footprint> {
  const { client, generator, maker } = bench;
  const { uuids, completions } = await createPayments(maker, 'uniform', 1);
  const plan = { ports: [maker.port], clients: 1, requests: completions, warmUpSeconds: 0 };
  const window = { onOpen: () => {}, onClose: () => {} };
  const footprint = await footprintOf(client, async () => {
    assertAll(await generator.run({ ...plan, wantsBodies: false }, window), 202, 1);
  });
  await assertCompleted(bench, uuids);
  return footprint;
}

export function footprintText({ tables, events }: Footprint): string {
  const total = tables.reduce((sum, { written, removed }) => sum + written + removed, 0);
  const rows = tables.map(({ table, written, removed }) =>
    removed > 0 ? `${table} -${removed}` : `${table} ${written}`,
  );
  return (
    `one completed payment touches ${total} rows (${rows.join(', ')}) ` +
    `and writes ${events.length} events (${events.join(', ')})`
  );
}
