import type pg from 'pg';
import { rerunning } from '../rerunning.ts';

/** Runs `work` in one transaction of the pool. */
export const inTransaction = <T>(
  pool: pg.Pool,
  work: (connection: pg.ClientBase) => Promise<T>,
): Promise<T> =>
  rerunning(async () => {
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
  });
