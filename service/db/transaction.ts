import type pg from 'pg';

/** Runs `work` in one transaction of the pool. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (connection: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}
