import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openClient } from '@tenant-payments/engine/database/pool.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  blankDatabase,
  type TestDatabase,
  testDatabase,
} from '../../test/kit/database/database.ts';
import { checkVersion, migrate } from './migrate.ts';
import { planMigrations } from './migration_plan.ts';

let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  database = await blankDatabase();
  folder = await mkdtemp(join(tmpdir(), 'tpay-migrations-'));
});

afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

function put(name: string, sql: string): Promise<void> {
  return writeFile(join(folder, name), sql);
}

async function rowsOf(sql: string): Promise<unknown[]> {
  const client = await openClient(database.url);
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test('files are applied once, in the order of their numbers', async () => {
  await put('0002_second.sql', 'alter table t add column b int; insert into t values (1, 2);');
  await put('0001_first.sql', 'create table t (a int);');
  await put('README.md', 'not SQL');
  expect(await migrate(database.url, { folder })).toEqual({
    applied: ['0001_first', '0002_second'],
  });
  await put('0003_third.sql', 'insert into t values (3, 4);');
  expect(await migrate(database.url, { folder })).toEqual({ applied: ['0003_third'] });
  expect(await migrate(database.url, { folder })).toEqual({ applied: [] });
  expect(await rowsOf('select a, b from t order by a')).toEqual([
    { a: 1, b: 2 },
    { a: 3, b: 4 },
  ]);
});

test('a file that fails changes nothing and is named, and those before it stay applied', async () => {
  await put('0001_good.sql', 'create table good (a int);');
  await put('0002_bad.sql', 'create table bad (a int); select 1/0;');
  await expect(migrate(database.url, { folder })).rejects.toThrow(
    'Migration 0002_bad failed: division by zero',
  );
  expect(
    await rowsOf("select to_regclass('good')::text as good, to_regclass('bad')::text as bad"),
  ).toEqual([{ good: 'good', bad: null }]);
  await put('0002_bad.sql', 'create table bad (a int);');
  expect(await migrate(database.url, { folder })).toEqual({ applied: ['0002_bad'] });
});

test('a database that was made before version 1.0 is refused in one line', async () => {
  await put('0001_foundation.sql', 'create table t (a int);');
  await migrate(database.url, { folder });
  await put('0001_baseline.sql', 'create table t (a int);');
  await rm(join(folder, '0001_foundation.sql'));
  const line = 'The database was made before version 1.0';
  await expect(migrate(database.url, { folder })).rejects.toThrow(line);
  expect((await planMigrations(database.url, folder)).obstacles.join()).toContain(line);
});

test('an applied file that was changed since is refused', async () => {
  await put('0001_first.sql', 'create table t (a int);');
  await migrate(database.url, { folder });
  await put('0001_first.sql', 'create table t (a bigint);');
  await expect(migrate(database.url, { folder })).rejects.toThrow(
    'Migration 0001_first was changed after it was applied',
  );
});

test.each([
  [['1_first.sql'], 'Migration 1_first.sql is not named NNNN_name.sql.'],
  [['0001_a.sql', '0001_b.sql'], 'Two migrations have the number 0001.'],
])('names %j are refused', async (names, message) => {
  for (const name of names) await put(name, 'select 1;');
  await expect(migrate(database.url, { folder })).rejects.toThrow(message);
});

test('processes that start at the same time apply each file once', async () => {
  await put('0001_first.sql', 'create table t (a int); select pg_sleep(0.05);');
  await put('0002_second.sql', 'insert into t values (1);');
  const results = await Promise.all([1, 2, 3, 4].map(() => migrate(database.url, { folder })));
  expect(results.flatMap((result) => result.applied).sort()).toEqual(['0001_first', '0002_second']);
  expect(await rowsOf('select a from t')).toEqual([{ a: 1 }]);
});

test('a server older than 15 is refused in one line', async () => {
  const old = { query: async () => ({ rows: [{ version: '14.9', number: '140009' }] }) };
  await expect(checkVersion(old)).rejects.toThrow(
    'PostgreSQL 15 or newer is needed; the database runs 14.9.',
  );
});

test('the databases that tests get are up to date', async () => {
  const copy = await testDatabase();
  expect(await migrate(copy.url)).toEqual({ applied: [] });
  await copy.drop();
});

test('a migration behind a long report blocks nobody, says what it waits for, and is applied once the report is over', async () => {
  await put('0001_first.sql', 'create table t (a int); insert into t values (1);');
  await migrate(database.url, { folder });
  await put('0002_second.sql', '-- class: online\nalter table t add column b int;');
  const [report, reader] = [await openClient(database.url), await openClient(database.url)];
  try {
    await report.query('begin; select a from t');
    const told: string[] = [];
    let slowestMs = 0;
    const migrating = migrate(database.url, {
      folder,
      lockMs: 100,
      tell: (line) => told.push(line),
    });
    while (told.length < 2) {
      const begun = performance.now();
      await reader.query('select a from t');
      slowestMs = Math.max(slowestMs, performance.now() - begun);
    }
    await report.query('commit');
    expect((await migrating).applied).toEqual(['0002_second']);
    expect(told[0]).toMatch(
      /^Migration 0002_second waits for the table t, which session \d+ \(tenant-payments\) has used for \d+ s; it tries again in 250 ms$/,
    );
    expect(slowestMs).toBeLessThan(1_000);
  } finally {
    await Promise.all([report.end(), reader.end()]);
  }
});

test('an index is made concurrently, also where an earlier try has left half of it', async () => {
  await put('0001_first.sql', 'create table t (a int); insert into t values (1), (1);');
  await migrate(database.url, { folder });
  await put(
    '0002_index.sql',
    '-- class: online\ncreate unique index concurrently t_a on t (a);\ncreate index concurrently t_b on t (a);',
  );
  await expect(migrate(database.url, { folder })).rejects.toThrow('Migration 0002_index failed');
  const valid =
    "select indexrelid::regclass::text as i, indisvalid as valid from pg_index where indrelid = 't'::regclass order by 1";
  expect(await rowsOf(valid)).toEqual([{ i: 't_a', valid: false }]);
  await rowsOf('delete from t');
  // Two processes that start wait for each other without keeping the index from being made.
  const results = await Promise.all([
    migrate(database.url, { folder }),
    migrate(database.url, { folder }),
  ]);
  expect(results.flatMap(({ applied }) => applied)).toEqual(['0002_index']);
  expect(await rowsOf(valid)).toEqual([
    { i: 't_a', valid: true },
    { i: 't_b', valid: true },
  ]);
});

test('the plan says of each migration that waits what it asks of the processes that run', async () => {
  await put('0001_baseline.sql', 'create table t (a int);');
  await put('0002_a.sql', '-- class: online\nalter table t add column b int;');
  await put(
    '0003_b.sql',
    '-- class: locks t, for less than 10 ms\nalter table t add column c int;',
  );
  expect((await planMigrations(database.url, folder)).classes).toEqual([
    '0001_baseline: online, makes the tables of a new database',
    '0002_a: online',
    '0003_b: locks, t, for less than 10 ms',
  ]);
});
