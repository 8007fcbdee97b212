import { CompiledQuery, Kysely } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blankDatabase, type TestDatabase } from '../../test/kit/database/database.ts';
import { kyselyDialect } from './again.ts';
import { withOptions } from './cell.ts';
import { openClient, openPool, renewClients } from './pool.ts';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await blankDatabase();
  client = await openClient(database.url);
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

async function select(on: pg.Client | pg.Pool, sql: string): Promise<unknown> {
  const { rows } = await on.query<{ value: unknown }>(`select ${sql} as value`);
  return rows[0]?.value;
}

describe('values come back as', () => {
  test.each<[string, unknown]>([
    ['9007199254740991::int8', 9007199254740991],
    ['(-5)::int8', -5],
    ['array[1, null, 3]::int8[]', [1, null, 3]],
    ['(select sum(x) from generate_series(1::int8, 4) x)', 10],
    ['1.50::numeric', 1.5],
    ['100::numeric', 100],
    ['(-0.25)::numeric', -0.25],
    ["date '2026-03-08'", '2026-03-08'],
    ["array[date '2026-12-31']", ['2026-12-31']],
    ["timestamptz '2026-03-08 02:30:00-05'", '2026-03-08T07:30:00.000Z'],
    ["timestamptz '2026-03-08 02:30:00.1+00'", '2026-03-08T02:30:00.100Z'],
    ["timestamptz '2026-03-08 02:30:00.123987+00'", '2026-03-08T02:30:00.123Z'],
    ["array[timestamptz '2026-01-01 00:00:00.05+00']", ['2026-01-01T00:00:00.050Z']],
    ["uuid '0199c0de-0000-7000-8000-000000000001'", '0199c0de-0000-7000-8000-000000000001'],
    ['null::int8', null],
  ])('%s', async (sql, expected) => {
    expect(await select(client, sql)).toEqual(expected);
  });
});

test.each([
  '9007199254740992::int8',
  '9007199254740993::numeric',
  '0.1234567890123456789::numeric',
  "'NaN'::numeric",
  "'infinity'::date",
  "'infinity'::timestamptz",
])('%s is refused instead of changed', async (sql) => {
  await expect(select(client, sql)).rejects.toThrow(RangeError);
  expect(await select(client, '1')).toBe(1);
});

test('sessions run in UTC, without JIT, under the name of the service, and keep options of the url', async () => {
  const url = withOptions(database.url, '-c work_mem=7MB');
  const pool = openPool(url, { max: 1, statementTimeoutMs: 5_000 });
  const { rows } = await pool.query(
    `select current_setting('timezone') as zone, current_setting('jit') as jit,
            current_setting('work_mem') as work_mem, current_setting('application_name') as name,
            current_setting('statement_timeout') as timeout`,
  );
  await pool.end();
  expect(rows).toEqual([
    { zone: 'UTC', jit: 'off', work_mem: '7MB', name: 'tenant-payments', timeout: '5s' },
  ]);
});

test('a client whose query ran past its deadline is never reused', async () => {
  const pool = openPool(database.url, { max: 1, statementTimeoutMs: 50 });
  const db = new Kysely<Record<string, never>>({ dialect: kyselyDialect(pool) });
  const backend = () => select(pool, 'pg_backend_pid()');
  const first = await backend();
  expect(await backend()).toBe(first);
  await expect(db.executeQuery(CompiledQuery.raw('select 1/0'))).rejects.toThrow(
    'division by zero',
  );
  expect(await backend()).toBe(first);
  await expect(db.executeQuery(CompiledQuery.raw('select pg_sleep(5)'))).rejects.toThrow('timeout');
  expect(await backend()).not.toBe(first);
  await pool.end();
});

test('a client whose server does not answer in time is closed, even in the middle of a statement', async () => {
  const pool = openPool(database.url, { max: 1, statementTimeoutMs: 50 });
  const stuck = await pool.connect();
  const first = await select(stuck, 'pg_backend_pid()');
  // The server gives up its own deadline: what is left is ours, one second later.
  await stuck.query('set statement_timeout = 0');
  await expect(stuck.query('select pg_sleep(3)')).rejects.toThrow('Query read timeout');
  await expect(stuck.query('rollback')).rejects.toThrow();
  stuck.release();
  expect(await select(pool, 'pg_backend_pid()')).not.toBe(first);
  await pool.end();
});

test('a lost connection fails the query under way and nothing else', async () => {
  const pool = openPool(database.url, { max: 2, statementTimeoutMs: 5_000 });
  const held = await pool.connect();
  const pid = await select(held, 'pg_backend_pid()');
  const sleeping = held.query('select pg_sleep(5)');
  await Promise.all([
    expect(sleeping).rejects.toThrow(),
    client.query('select pg_terminate_backend($1)', [pid]),
  ]);
  held.release();
  expect(await select(pool, '1')).toBe(1);
  await pool.end();
});

test('a pool whose address has changed makes its next connection where the address leads now', async () => {
  const other = await blankDatabase();
  let url = database.url;
  const pool = openPool(() => url, { max: 2, statementTimeoutMs: 5_000 });
  try {
    const held = await pool.connect();
    const before = await select(held as unknown as pg.Client, 'current_database()');
    url = other.url;
    expect(await select(pool, 'current_database()')).not.toBe(before);
    held.release();
  } finally {
    await pool.end();
    await other.drop();
  }
});

const pidsOf = (on: pg.Pool, count: number) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const { rows } = await on.query('select pg_backend_pid() as pid, pg_sleep(0.05)');
      return rows[0]?.pid as number;
    }),
  );

test('after its clients were renewed no query of a pool runs in a session of before, one in use ends with its query', async () => {
  const pool = openPool(database.url, { max: 3, statementTimeoutMs: 5_000 });
  try {
    const before = await pidsOf(pool, 2);
    const held = pool.query('select pg_sleep(0.2)');
    await renewClients(pool);
    await held;
    const after = await pidsOf(pool, 3);
    expect(after.filter((pid) => before.includes(pid))).toEqual([]);
  } finally {
    await pool.end();
  }
});

test('a session in which nothing can be written is used once, and its statement sent in another one', async () => {
  const pool = openPool(database.url, { max: 1, statementTimeoutMs: 5_000 });
  try {
    await pool.query('create table written (at integer)');
    const [before] = await pidsOf(pool, 1);
    await pool.query('set default_transaction_read_only = on');
    await pool.query('insert into written values (1)');
    expect(await pidsOf(pool, 1)).not.toEqual([before]);
  } finally {
    await pool.end();
  }
});

test('a statement alone whose session is stale or ended is asked again in another one', async () => {
  const pool = openPool(database.url, { max: 3, statementTimeoutMs: 5_000 });
  const db = new Kysely<Record<string, never>>({ dialect: kyselyDialect(pool) });
  const named = { name: 'all', text: 'select * from widened' };
  try {
    await client.query('create table widened (a integer); insert into widened values (1)');
    await Promise.all(Array.from({ length: 3 }, () => pool.query(named)));
    await client.query('alter table widened add column b integer default 2');
    const answers = await Promise.all(Array.from({ length: 9 }, () => pool.query(named)));
    expect(new Set(answers.map(({ rows }) => JSON.stringify(rows)))).toEqual(
      new Set(['[{"a":1,"b":2}]']),
    );
    await client.query('create sequence asked');
    const ending = `select case when nextval('asked') % 2 = 1 then pg_terminate_backend(pg_backend_pid()) end`;
    await pool.query(ending);
    await db.executeQuery(CompiledQuery.raw(ending));
    expect(await select(client, "nextval('asked')")).toBe(5);
  } finally {
    await db.destroy();
  }
});

test('a statement alone that writes is not sent again where its session was ended', async () => {
  const pool = openPool(database.url, { max: 1, statementTimeoutMs: 5_000 });
  try {
    const ends = `with ended as (select pg_terminate_backend(pg_backend_pid())) select * from ended`;
    await expect(pool.query(ends)).rejects.toMatchObject({ code: '57P01' });
  } finally {
    await pool.end();
  }
});
