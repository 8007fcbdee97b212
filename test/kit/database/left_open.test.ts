import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPool } from '../../../engine/database/pool.ts';
import { testDatabase } from './database.ts';
import { proveNothingOpen } from './left_open.ts';

const patienceMs = 300;

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: pg.Pool;
let client: pg.PoolClient;

beforeAll(async () => {
  database = await testDatabase();
  pool = openPool(database.url, { max: 3, statementTimeoutMs: 10_000 });
  client = await pool.connect();
});
afterAll(async () => {
  client.release();
  await pool.end();
  await database.drop();
});

const leftBy = (deed: string) => client.query(deed).then(() => proveNothingOpen(pool, patienceMs));

test('a transaction that was begun and left is told of', async () => {
  await expect(leftBy('begin; select * from tenants')).rejects.toThrow('idle in the transaction');
  await expect(leftBy('rollback')).resolves.toBeUndefined();
});

test('a lock that outlives its transaction is told of', async () => {
  await expect(leftBy('select pg_advisory_lock(7)')).rejects.toThrow('idle with a lock: advisory');
  await expect(leftBy('select pg_advisory_unlock_all()')).resolves.toBeUndefined();
});

test('one transaction after another is none that was left', async () => {
  let over = false;
  const other = await pool.connect();
  const busy = (async () => {
    while (!over) await other.query('begin').then(() => other.query('commit'));
  })();
  try {
    // Without haste: on a busy machine one of them may be idle for long.
    await expect(proveNothingOpen(pool)).resolves.toBeUndefined();
  } finally {
    over = true;
    await busy;
    other.release();
  }
});
