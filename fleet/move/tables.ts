import type { Route, Side } from './route.ts';

/** A table of a cell, as a move copies it. */
export interface MovedTable {
  readonly name: string;
  /** Quoted, by commas, in one order for both cells. */
  readonly columns: string;
  /** The enum of each column that has one. */
  readonly enums: Readonly<Record<string, string>>;
  /** Columns of the primary key, which begins with the Tenant or names it. */
  readonly key: readonly string[];
  /** SQL: which of its rows are copied while the Tenant is served; null: none, all of them in the stop. */
  readonly early: string | null;
  /** Its rows are never deleted while the cell is the Tenant's own. */
  readonly isAppendOnly: boolean;
  /** Rows are added without the Tenant's lock, so the last ones follow after the switch. */
  readonly isLog: boolean;
}

const logs: ReadonlySet<string> = new Set(['requests']);

/**
 * The tables that grow with a Tenant's payments. No job of the new cell and no list of staff reads these without the
 * Tenant's own row, which comes in the stop.
 */
const early: Readonly<Record<string, string>> = {
  attempts: 'true',
  // The others may be claimed.
  deliveries: 't.wake_at is null',
  entries: 'true',
  events: 'true',
  further_attempts: 'true',
  further_deliveries: 't.wake_at is null',
  idempotency: 'true',
  limit_counters: 'true',
  payment_requests: 'true',
  payments: 'true',
  pending_transactions: 'true',
  requests: 'true',
  session_progress: 'true',
  sessions: 'true',
};

const catalog = `select c.relname as name,
    string_agg(quote_ident(a.attname), ', ' order by a.attname) as columns,
    coalesce(jsonb_object_agg(quote_ident(a.attname), quote_ident(y.typname)) filter (where y.typtype = 'e'),
      '{}') as enums,
    array(select k.attname::text from pg_index i, pg_attribute k where i.indrelid = c.oid
      and i.indisprimary and k.attrelid = c.oid and k.attnum = any (i.indkey)
      order by k.attname) as key,
    exists (select from pg_trigger g join pg_proc f on f.oid = g.tgfoid
      where g.tgrelid = c.oid and f.proname = 'refuse_change') as "isAppendOnly"
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    and not a.attisdropped and a.attgenerated = ''
  join pg_type y on y.oid = a.atttypid
  where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p')
    and c.relname <> 'departures'
    and exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id')
  group by c.oid, c.relname order by c.relname`;

type Row = Omit<MovedTable, 'early' | 'isLog'>;

/**
 * All tables with rows of Tenants; which Tenants have left a cell is no row of theirs.
 * @throws one line where the two cells differ: one of them waits for migrations
 */
export async function movedTables({ from, to }: Route): Promise<MovedTable[]> {
  const read = async ({ client, schema }: Side) =>
    (await client.query<Row>(catalog, [schema])).rows;
  const [here, there] = [await read(from), await read(to)];
  if (JSON.stringify(here) !== JSON.stringify(there))
    throw new Error(
      `the tables of ${from.cell} and ${to.cell} differ; run npm run cli -- cells migrate`,
    );
  return here.map((table) => {
    const { name } = table;
    return { ...table, early: early[name] ?? null, isLog: logs.has(name) };
  });
}
