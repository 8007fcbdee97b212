import type pg from 'pg';

/** Of this deployment's starts; another than the migrations' lock. */
const lock = 4_207_713_022;

/**
 * Runs `work` in one process at a time among those that share the database: two that start a new
 * sandbox together would both make its sample. A process that dies lets go by itself.
 */
export async function alone<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    // Who comes second waits for a whole sample, on a busy machine longer than for any statement.
    await client.query('set local statement_timeout = 0');
    await client.query('select pg_advisory_xact_lock($1)', [lock]);
    return await work();
  } finally {
    await client.query('rollback').catch(() => {});
    client.release();
  }
}
