import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openClient } from '../../../service/db/pool.ts';
import { type TestDatabase, testDatabase } from '../../kit/database.ts';
import { type Fate, openStatementProxy, type StatementProxy } from './statement_proxy.ts';

let database: TestDatabase;
let proxy: StatementProxy;
let seen: string[] = [];
let fateOf: (sql: string) => Fate = () => 'pass';

beforeAll(async () => {
  database = await testDatabase();
  proxy = await openStatementProxy(database.url, {
    judge: ({ sql }) => {
      seen.push(sql);
      return fateOf(sql);
    },
  });
  const client = await openClient(database.url);
  await client.query('create table marks (mark int)');
  await client.end();
});
afterAll(async () => {
  await proxy.close();
  await database.drop();
});
beforeEach(() => {
  seen = [];
  fateOf = () => 'pass';
});

async function marks(): Promise<number[]> {
  const client = await openClient(database.url);
  const { rows } = await client.query<{ mark: number }>('select mark from marks order by mark');
  await client.end();
  return rows.map(({ mark }) => mark);
}

const insert = (mark: number) => ({
  name: 'mark',
  text: 'insert into marks values ($1)',
  values: [mark],
});

test('statements pass and are named, simple, prepared and pipelined alike', async () => {
  const client = await openClient(proxy.url, { pipeline: true });
  await Promise.all([
    client.query('begin'),
    client.query(insert(1)),
    client.query(insert(2)),
    client.query('commit'),
  ]);
  await client.end();
  const { text } = insert(0);
  expect(seen).toEqual(['begin', text, text, 'commit']);
  expect(await marks()).toEqual([1, 2]);
});

test('a COMMIT that is cut before never reaches the server, one cut after has committed', async () => {
  for (const [mark, fate] of [
    [3, 'cut_before'],
    [4, 'cut_after'],
  ] as const) {
    fateOf = (sql) => (sql === 'commit' ? fate : 'pass');
    const client = await openClient(proxy.url, { pipeline: true });
    const sent = [client.query('begin'), client.query(insert(mark)), client.query('commit')];
    const outcomes = await Promise.allSettled(sent);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  }
  expect(await marks()).toEqual([1, 2, 4]);
});
