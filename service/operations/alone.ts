import { keyInCell, whileLocked } from '@tenant-payments/engine/advisory_lock.ts';
import type pg from 'pg';

/** Advisory lock of a start; another than that of the migrations. */
const lock = 4_207_713_022;

/**
 * Runs `work` in one process at a time among those that share the database: two that start a new
 * sandbox together would both make its sample. The lock ends when the process dies.
 */
export async function inOneProcess<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    // The second process waits for a whole sample, longer than a statement may usually take.
    await client.query('set local statement_timeout = 0');
    await client.query(`select pg_advisory_xact_lock(${keyInCell})`, [lock]);
    return await work();
  } finally {
    await client.query('rollback').catch(() => {});
    client.release();
  }
}

/** Advisory locks of what one process at a time does. */
const locks = { week: 4_207_713_059, order_watch: 4_207_713_061 } as const;

/** Runs `work` unless another process is at it; the lock ends when the process dies. */
export async function onlyHere(
  pool: pg.Pool,
  what: keyof typeof locks,
  work: () => Promise<void>,
): Promise<void> {
  await whileLocked(pool, { key: keyInCell, values: [locks[what]] }, work);
}
