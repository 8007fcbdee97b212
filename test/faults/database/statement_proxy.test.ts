import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openClient } from '../../../service/db/pool.ts';
import { type TestDatabase, testDatabase } from '../../kit/database/database.ts';
import { type Action, openStatementProxy } from './statement_proxy.ts';
import type { TcpProxy } from './tcp_proxy.ts';

let database: TestDatabase;
let proxy: TcpProxy;
let seen: string[] = [];
let actionOf: (sql: string) => Action = () => 'pass';

beforeAll(async () => {
  database = await testDatabase();
  proxy = await openStatementProxy(database.url, {
    actionOf: ({ sql }) => {
      seen.push(sql);
      return actionOf(sql);
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
  actionOf = () => 'pass';
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
  for (const [mark, action] of [
    [3, 'cut_before'],
    [4, 'cut_after'],
  ] as const) {
    actionOf = (sql) => (sql === 'commit' ? action : 'pass');
    const client = await openClient(proxy.url, { pipeline: true });
    const sent = [client.query('begin'), client.query(insert(mark)), client.query('commit')];
    const outcomes = await Promise.allSettled(sent);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  }
  expect(await marks()).toEqual([1, 2, 4]);
});
