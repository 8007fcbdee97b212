import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/kit/database/database.ts';
import { exchange, type NamedStatement } from './exchange.ts';
import { openClient, openExchanges } from './pool.ts';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await testDatabase();
  client = await openClient(database.url);
  await client.query('create table marks (mark int primary key)');
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const insert = (mark: number): NamedStatement => ({
  name: 'mark',
  text: 'insert into marks values ($1)',
  values: [mark],
});
const all: NamedStatement = {
  name: 'all',
  text: 'select mark from marks order by mark',
  values: [],
};

test('all statements of an exchange take effect, or none', async () => {
  expect(await exchange(client, [insert(1), insert(2), all])).toEqual([
    [],
    [],
    [{ mark: 1 }, { mark: 2 }],
  ]);
  await expect(exchange(client, [insert(3), insert(1)])).rejects.toMatchObject({ code: '23505' });
  expect(await exchange(client, [all])).toEqual([[{ mark: 1 }, { mark: 2 }]]);
});

test('a statement is prepared once, and anew after it failed at first', async () => {
  const failing = { name: 'division', text: 'select 1 / $1::int as part' };
  await expect(exchange(client, [{ ...failing, values: [0] }])).rejects.toThrow('division by zero');
  const wrong = { name: 'wrong', text: 'select nonsense', values: [] };
  await expect(exchange(client, [wrong])).rejects.toThrow('nonsense');
  expect(await exchange(client, [{ ...failing, values: [1] }])).toEqual([[{ part: 1 }]]);
  expect(await exchange(client, [{ ...wrong, text: 'select 2 as two' }])).toEqual([[{ two: 2 }]]);
  const { rows } = await client.query('select name from pg_prepared_statements order by name');
  expect(rows.map(({ name }) => name)).toEqual(['all', 'division', 'mark', 'wrong']);
});

test('a name with another text is refused, as is whatever the connection would send then', async () => {
  const own = await openClient(database.url);
  await exchange(own, [all]);
  await expect(exchange(own, [{ ...all, text: 'select 3' }])).rejects.toThrow('another text');
  await expect(exchange(own, [all])).rejects.toThrow();
});

test('values come as a pool gives them, and one that is none of them is told', async () => {
  const text =
    "select 5::bigint as big, null::text as none, 'a'::text as text, $1::timestamptz as at";
  const at = '2026-11-20T12:00:00.120Z';
  const typed = { name: 'types', text, values: [at] };
  expect(await exchange(client, [typed])).toEqual([[{ big: 5, none: null, text: 'a', at }]]);
  const unsafe = { name: 'unsafe', text: 'select 9223372036854775807::bigint', values: [] };
  await expect(exchange(client, [unsafe, all])).rejects.toThrow('not a safe integer');
  expect(await exchange(client, [typed])).toHaveLength(1);
});

test('rows are copied with what stands beside them, or nothing is', async () => {
  const copy = (...rows: string[]): NamedStatement => ({
    name: 'copy',
    text: 'copy copied (mark) from stdin',
    values: [],
    copies: Buffer.from(rows.map((row) => `${row}\n`).join('')),
  });
  await client.query('create table copied (mark int primary key)');
  const stored: NamedStatement = { name: 'copied', text: 'table copied', values: [] };
  const rows = [{ mark: 1 }, { mark: 2 }];
  expect(await exchange(client, [copy('1', '2'), stored])).toEqual([[], rows]);
  await expect(exchange(client, [insert(24), copy('3', '1')])).rejects.toMatchObject({
    code: '23505',
    constraint: 'copied_pkey',
  });
  await expect(exchange(client, [copy('no mark'), insert(26)])).rejects.toThrow('invalid input');
  // The rows of a COPY behind a failure are on their way already.
  await expect(exchange(client, [insert(1), copy('4', '5')])).rejects.toThrow('marks_pkey');
  expect(await exchange(client, [copy(), stored])).toEqual([[], rows]);
  expect(await exchange(client, [all])).toEqual([[{ mark: 1 }, { mark: 2 }]]);
});

test('tables side by side come as a row of each, empty where none was joined', async () => {
  const text = `select a.*, b.*, c.* from (values (1, 'a'), (2, 'b')) a(id, name)
    left join (values (2, 'x')) b(id, other) on b.id = a.id
    left join (values (1, 5)) c(id, number) on c.id = a.id order by a.id`;
  expect(await exchange(client, [{ name: 'beside', text, values: [] }, all])).toEqual([
    [
      { id: 1, name: 'a' },
      { id: null, other: null },
      { id: 1, number: 5 },
      { id: 2, name: 'b' },
      { id: 2, other: 'x' },
      { id: null, number: null },
    ],
    expect.any(Array),
  ]);
});

test('a transaction goes on over several exchanges until its commit', async () => {
  const begin = { name: 'begin', text: 'begin', values: [] };
  const commit = { name: 'commit', text: 'commit', values: [] };
  await exchange(client, [begin, insert(10)]);
  const other = await openClient(database.url);
  const [before] = await exchange(other, [all]);
  await exchange(client, [insert(11), commit, insert(12)]);
  const [after] = await exchange(other, [all]);
  await other.end();
  expect(before).toHaveLength(2);
  expect(after).toHaveLength(5);
});

test('a connection that waits for no answer stays open, also after a failure', async () => {
  const idle = await openExchanges(database.url, 200);
  await expect(exchange(idle, [insert(1)])).rejects.toMatchObject({ code: '23505' });
  await sleep(1_600);
  expect(await exchange(idle, [all])).toHaveLength(1);
  await sleep(1_600);
  expect(await exchange(idle, [all])).toHaveLength(1);
  await idle.end();
});

test('past its deadline, or on a lost connection, an exchange fails, and those behind it', async () => {
  const slow = { name: 'slow', text: 'select pg_sleep(10)', values: [] };
  const late = await openExchanges(database.url, 200);
  await expect(exchange(late, [slow])).rejects.toMatchObject({ code: '57014' });
  // A server that does not answer: the client's own deadline is a second later.
  await exchange(late, [{ name: 'set', text: 'set statement_timeout = 0', values: [] }]);
  const sent = [exchange(late, [slow]), exchange(late, [all])];
  const outcomes = await Promise.allSettled(sent);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(exchange(late, [all])).rejects.toThrow();
});
