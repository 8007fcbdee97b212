import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/kit/database/database.ts';
import { arrayParameter, copyRows } from './binary.ts';
import { exchange } from './exchange.ts';
import { openPool } from './pool.ts';

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

const texts = [
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
  'x'.repeat(100_000),
];

/** By type: values of every size, as they come back. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  text: texts,
  jsonb: texts.map((text) => ({ text, list: [1, null] })),
  uuid: [
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '01234567-89ab-cdef-0123-456789abcdef',
  ],
  smallint: [0, 1, -1, 32_767, -32_768],
  integer: [0, 1, -1, 2_147_483_647, -2_147_483_648],
  bigint: [
    0,
    1,
    -1,
    4_294_967_295,
    4_294_967_296,
    -4_294_967_296,
    -4_294_967_297,
    Number.MAX_SAFE_INTEGER,
    Number.MIN_SAFE_INTEGER,
  ],
  boolean: [true, false],
  'double precision': [0, -0.1, 1 / 3, Number.MAX_VALUE, Number.MIN_VALUE],
  bytea: [Buffer.alloc(0), Buffer.from('\0\\x89PNG', 'latin1'), Buffer.alloc(100_000, 0xff)],
  date: ['2000-01-01', '1999-12-31', '2026-03-08', '0001-01-01', '9999-12-31'],
  timestamptz: [
    '2000-01-01T00:00:00.000Z',
    '1999-12-31T23:59:59.999Z',
    '1969-07-20T20:17:40.001Z',
    '2026-11-01T05:59:59.999Z',
    '0001-01-01T00:00:00.000Z',
    ...Array.from({ length: 10 }, (_, ms) => `9999-12-31T23:59:59.99${ms}Z`),
  ],
};

const types = Object.keys(values);

test.each(types)('every %s comes out of a column as it went in, and so does null', async (type) => {
  for (const given of [[...(values[type] ?? []), null], values[type] ?? [], [null], []]) {
    const { rows } = await pool.query(
      `select v from unnest($1::${type}[]) with ordinality x(v, n) order by n`,
      [arrayParameter(type, given)],
    );
    expect(rows.map((row) => row.v)).toEqual(given);
  }
});

test('every value comes out of a table as it was copied into it', async () => {
  const client = await pool.connect();
  const columns = types.map((type) => `"${type}" ${type}`);
  await client.query(`create temporary table copied (n integer, ${columns.join(', ')})`);
  const longest = Math.max(...types.map((type) => values[type]?.length ?? 0));
  const given = Array.from({ length: longest + 1 }, (_, n) => [
    n,
    ...types.map((type) => values[type]?.[n] ?? null),
  ]);
  const copies = copyRows(['integer', ...types], given);
  const text = 'copy copied from stdin (format binary)';
  await exchange(client, [{ name: 'copy', text, values: [], copies }]);
  const { rows } = await client.query('select * from copied order by n');
  client.release();
  expect(rows.map((row) => Object.values(row))).toEqual(given);
});

test.each([
  ['uuid', '01234567-89AB-cdef-0123-456789abcdef'],
  ['uuid', '01234567-89ab-cdef-0123-456789abcdeg'],
  ['uuid', '01234567-89ab-cdef-0123-456789abcdef0'],
  ['uuid', '01234567-89ab-cdef-0123-456789abcde'],
  ['uuid', '01234567-89ab-cdef-0123-456789abcde\u0130'],
  ['uuid', ''],
  ['smallint', 32_768],
  ['integer', 2_147_483_648],
  ['integer', -2_147_483_649],
  ['integer', 1.5],
  ['integer', '1'],
  ['bigint', Number.MAX_SAFE_INTEGER + 1],
  ['bigint', Number.NaN],
  ['boolean', 'false'],
  ['date', '2026-03-08T12:00:00Z'],
  ['date', 'infinity'],
  ['timestamptz', 'yesterday'],
])('a value that is no %s is refused: %j', (type, value) => {
  expect(() => arrayParameter(type, [value])).toThrow(RangeError);
  expect(() => copyRows([type], [[value]])).toThrow(RangeError);
});

test('a type that has no format is refused', () => {
  expect(() => arrayParameter('numeric', [])).toThrow('values of numeric are not written');
});
