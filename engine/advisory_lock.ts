import type pg from 'pg';

/**
 * SQL: the key of an advisory lock of a cell, `$1` being the number of what it locks. Locks are those of
 * the whole database, where other cells may have the same tables (rules/engine#32).
 */
export const keyInCell = 'hashtextextended(current_schema(), $1)';

/** SQL: the same of one of many things in a cell, whose id is `$2`. */
export const keyOfOneInCell = "hashtextextended(current_schema() || '.' || $2, $1)";

/**
 * Runs `work` while no other session holds a lock. Where its connection breaks meanwhile, another session may take the
 * lock, and the work goes on.
 * @param lock SQL of its key, and the values in it
 * @returns null: another session holds it
 */
export async function whileLocked<T>(
  pool: pg.Pool,
  { key, values }: { readonly key: string; readonly values: readonly unknown[] },
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T | null> {
  const client = await pool.connect();
  const ask = async (what: string): Promise<boolean> => {
    const text = `select ${what}(${key}) as done`;
    return (await client.query<{ done: boolean }>(text, [...values])).rows[0]?.done === true;
  };
  // Whoever does not know closes the connection, and with it goes the lock.
  let isHeld = true;
  try {
    isHeld = await ask('pg_try_advisory_lock');
    if (!isHeld) return null;
    const result = await work(client);
    isHeld = !(await ask('pg_advisory_unlock').catch(() => false));
    return result;
  } finally {
    client.release(isHeld);
  }
}
