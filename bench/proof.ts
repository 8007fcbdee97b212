import type pg from 'pg';
import { openPool } from '../service/db/pool.ts';
import { checks, verifyLedger } from '../service/invariants/verify.ts';
import { type ServiceDatabase, urlOf } from './database.ts';

/** For any one query over the whole book. */
const deadlineMs = 600_000;

const counted = `
  select
    (select count(*)::int from payments p join wanted using (id) where p.status = 'completed')
      as completed,
    (select count(*)::int from events e join wanted on wanted.id = e.object_id
       where e.type = 'payment.completed') as told`;

const wanted = (sql: string) =>
  `with wanted as materialized (select distinct unnest($1::uuid[]) as id) ${sql}`;

/**
 * A replay answers like a payment and costs a third of it, so answers alone prove nothing: each of
 * these payments was open before the run.
 * @throws when answers, completed payments and their events are not the same number
 */
export async function assertCompleted(client: pg.Client, uuids: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ completed: number; told: number }>(wanted(counted), [
    uuids,
  ]);
  const [found] = rows;
  if (found?.completed !== uuids.length || found.told !== uuids.length)
    throw new Error(
      `${uuids.length} answers stand on ${found?.completed} completed payments ` +
        `and ${found?.told} payment.completed events`,
    );
}

export interface BookProof {
  readonly checked: number;
  readonly seconds: number;
}

/** The whole book against every invariant. @throws with the first violations */
export async function proveTheBook(database: ServiceDatabase): Promise<BookProof> {
  const pool = openPool(urlOf(database, 'postgres'), { max: 1, statementTimeoutMs: deadlineMs });
  const started = performance.now();
  try {
    const { ok, checked, violations } = await verifyLedger(pool);
    if (!ok) throw new Error(`the book does not hold: ${JSON.stringify(violations.slice(0, 10))}`);
    return { checked, seconds: (performance.now() - started) / 1000 };
  } finally {
    await pool.end();
  }
}

/**
 * Every invariant that is a query, without the replay of each record's events: that reads Transactions
 * page by page in the order of their ids, which no index has, a scan of all for each 500.
 * @returns how many invariants hold. @throws with the first violation
 */
export async function proveTheQueries(client: pg.Client): Promise<number> {
  await client.query("set work_mem = '64MB'");
  for (const { name, sql } of checks) {
    // Counted: a LIMIT makes the planner look for one violation by nested loops.
    const { rows } = await client.query<{ message: string | null; found: number }>(
      `select min(message) as message, count(*)::int as found from (${sql}) violations`,
    );
    const [{ message, found } = { message: null, found: 1 }] = rows;
    if (found > 0) throw new Error(`the book does not hold: ${name}, ${found} times: ${message}`);
  }
  return checks.length;
}
