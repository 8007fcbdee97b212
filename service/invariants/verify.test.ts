import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/harness/database.ts';
import { openPool } from '../db/pool.ts';
import { fillBook, startBookkeeper } from './sample_book.ts';
import { bookTables } from './scope.ts';
import { checks, verifyLedger } from './verify.ts';

let database: TestDatabase;
let pool: pg.Pool;
let bookkeeper: Awaited<ReturnType<typeof startBookkeeper>>;
let tenantId: string;
let otherTenantId: string;

beforeAll(async () => {
  database = await testDatabase();
  pool = openPool(database.url, { max: 2, statementTimeoutMs: 5_000 });
  await pool.query('alter table linked_accounts add column if not exists verified_at timestamptz');
  bookkeeper = await startBookkeeper(database.url);
  tenantId = await fillBook(pool, bookkeeper);
  otherTenantId = await fillBook(pool, bookkeeper);
});

afterAll(async () => {
  await bookkeeper.engine.stop();
  await pool.end();
  await database.drop();
});

test('a correct book has no violation, and what was looked at is counted', async () => {
  const whole = await verifyLedger(pool);
  expect(whole).toMatchObject({ ok: true, violations: [] });
  const one = await verifyLedger(pool, { tenantId });
  expect(one).toMatchObject({ ok: true, violations: [] });
  expect(one.checked).toBeGreaterThan(100);
  expect(whole.checked).toBeGreaterThan(one.checked);
});

test('an empty book is correct', async () => {
  const nobody = await verifyLedger(pool, { tenantId: randomUUID() });
  expect(nobody).toEqual({ ok: true, checked: 0, violations: [] });
});

test("a tenant's verification sees its own book alone", async () => {
  await pool.query('update payments set order_reference = $2 where tenant_id = $1', [
    tenantId,
    'changed by hand',
  ]);
  try {
    expect((await verifyLedger(pool, { tenantId: otherTenantId })).ok).toBe(true);
    const { ok, violations } = await verifyLedger(pool, { tenantId });
    expect(ok).toBe(false);
    expect(new Set(violations.map((found) => found.invariant))).toEqual(new Set(['6.last_object']));
    expect((await verifyLedger(pool)).violations).toEqual(violations);
  } finally {
    await pool.query('update payments set order_reference = null');
  }
});

test('a check tells of twenty faults at most', async () => {
  const client = await pool.connect();
  try {
    await client.query('set session_replication_role = replica');
    await client.query(`update entries set balance_after = balance_after + number * number`);
    const { violations } = await verifyLedger(pool);
    const found = violations.filter(({ invariant }) => invariant === '2.running');
    expect(found).toHaveLength(20);
    await client.query(`update entries set balance_after = balance_after - number * number`);
  } finally {
    client.release(true);
  }
});

test('a role that may only read verifies the book', async () => {
  const role = `book_reader_${randomBytes(4).toString('hex')}`;
  await pool.query(`create role ${role}`);
  await pool.query(`grant select on all tables in schema public to ${role}`);
  const url = new URL(database.url);
  url.searchParams.set('options', `-c role=${role}`);
  const readers = openPool(url.href, { max: 1, statementTimeoutMs: 5_000 });
  try {
    await expect(readers.query('delete from due')).rejects.toThrow('permission denied');
    expect((await verifyLedger(readers)).violations).toEqual([]);
  } finally {
    await readers.end();
    await pool.query(`drop owned by ${role}`);
    await pool.query(`drop role ${role}`);
  }
});

test('every table of a tenant can be narrowed to it', async () => {
  const { rows } = await pool.query<{ table_name: string }>(
    `select table_name from information_schema.columns
      where table_schema = 'public' and column_name = 'tenant_id'`,
  );
  expect([...bookTables].sort()).toEqual(rows.map((row) => row.table_name).sort());
});

test('every invariant has a name of its own', () => {
  const names = checks.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
