import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/kit/database/database.ts';
import { exchange } from '../../db/exchange.ts';
import { openPool } from '../../db/pool.ts';
import { cells, copyInto } from './sql.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: pg.Pool;

beforeAll(async () => {
  database = await testDatabase();
  pool = openPool(database.url, { max: 1, statementTimeoutMs: 5_000 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const awkward = [
  '',
  'NULL',
  'null',
  '{}',
  'a,b',
  '"',
  '\\',
  "'",
  ' ',
  '\n\r\t',
  '\u001d\u001e\u001f',
  '😀',
  '\u202e',
  null,
];

test('every text comes out of a column as it went in', async () => {
  const { rows } = await pool.query(
    'select * from unnest($1::text[]) with ordinality x(v, n) order by n',
    [cells('text', awkward)],
  );
  expect(rows.map((row) => row.v)).toEqual(awkward);
});

test('every text comes out of a table as it was copied into it', async () => {
  const client = await pool.connect();
  await client.query('create temporary table texts (n int, v text, j jsonb)');
  const rows = awkward.map((v, n) => [n, v, { v }]);
  await exchange(client, [copyInto('texts', ['n', 'v', 'j'], rows)]);
  const { rows: found } = await client.query("select v, j ->> 'v' as inner from texts order by n");
  client.release();
  expect(found).toEqual(awkward.map((v) => ({ v, inner: v })));
});

test('numbers, dates, booleans and null are written without quotes', async () => {
  const { rows } = await pool.query(
    'select * from unnest($1::bigint[], $2::date[], $3::boolean[], $4::timestamptz[]) x(a, b, c, d)',
    [
      cells('bigint', [9007199254740991, null]),
      cells('date', ['2026-03-08', null]),
      cells('boolean', [true, false]),
      cells('timestamptz', ['2026-11-01T05:59:59.999Z', null]),
    ],
  );
  expect(rows).toEqual([
    { a: 9007199254740991, b: '2026-03-08', c: true, d: '2026-11-01T05:59:59.999Z' },
    { a: null, b: null, c: false, d: null },
  ]);
});
