import type pg from 'pg';
import { inSchema, usualSchema } from '../engine/database/cell.ts';
import { openPool } from '../engine/database/pool.ts';
import { type ServiceDatabase, urlOf } from '../service/db/embedded_running.ts';
import { checks, verifyLedger } from '../service/invariants/verify.ts';

/** The time limit of one query over the whole ledger. */
const deadlineMs = 600_000;

const counted = (cell: string) => `
  select
    (select count(*)::int from ${cell}.payments p join wanted using (id) where p.status = 'completed')
      as completed,
    (select count(*)::int from ${cell}.events e join wanted on wanted.id = e.object_id
       where e.type = 'payment.completed') as notified`;

const wanted = (sql: string) =>
  `with wanted as materialized (select distinct unnest($1::uuid[]) as id) ${sql}`;

/**
 * Checks replies against the database: a replayed reply looks like a payment and costs a third of
 * it. Each of these payments was open before the run.
 * @throws when answers, completed payments and their events are not the same number
 */
export async function assertCompleted(
  { client, cells }: { readonly client: pg.Client; readonly cells: readonly string[] },
  uuids: readonly string[],
): Promise<void> {
  const found = { completed: 0, notified: 0 };
  for (const cell of cells) {
    const { rows } = await client.query<typeof found>(wanted(counted(cell)), [uuids]);
    for (const row of rows) {
      found.completed += row.completed;
      found.notified += row.notified;
    }
  }
  if (found.completed !== uuids.length || found.notified !== uuids.length)
    throw new Error(
      `${uuids.length} replies, but ${found.completed} completed payments ` +
        `and ${found.notified} payment.completed events`,
    );
}

export interface LedgerCheck {
  readonly checked: number;
  readonly seconds: number;
}

/** Checks the whole ledger against every invariant. @throws with the first violations */
export async function checkLedger(
  database: ServiceDatabase,
  cell: string = usualSchema,
): Promise<LedgerCheck> {
  const url = inSchema(urlOf(database, 'postgres'), cell);
  const pool = openPool(url, { max: 1, statementTimeoutMs: deadlineMs });
  const started = performance.now();
  try {
    const { ok, checked, violations } = await verifyLedger(pool);
    if (!ok)
      throw new Error(
        `the ledger violates an invariant: ${JSON.stringify(violations.slice(0, 10))}`,
      );
    return { checked, seconds: (performance.now() - started) / 1000 };
  } finally {
    await pool.end();
  }
}

/**
 * Checks every invariant that is a query, but does not replay each record's events: that reads
 * Transactions in the order of their ids, without an index, a full scan for each 500.
 * @returns how many invariants hold. @throws with the first violation
 */
export async function checkQueries(client: pg.Client): Promise<number> {
  await client.query("set work_mem = '64MB'");
  for (const { name, sql } of checks) {
    // The query counts, since a LIMIT makes the planner use nested loops.
    const { rows } = await client.query<{ message: string | null; found: number }>(
      `select min(message) as message, count(*)::int as found from (${sql}) violations`,
    );
    const [{ message, found } = { message: null, found: 1 }] = rows;
    if (found > 0) throw new Error(`the ledger violates ${name}, ${found} times: ${message}`);
  }
  return checks.length;
}
