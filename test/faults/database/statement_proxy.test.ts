import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { exchange } from '../../../engine/database/exchange.ts';
import { openClient } from '../../../engine/database/pool.ts';
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

test('statements pass and are named, simple, prepared and those of an exchange alike', async () => {
  const client = await openClient(proxy.url);
  await client.query('select 1');
  await exchange(client, [insert(1), insert(2)]);
  await exchange(client, [insert(3)]);
  await client.end();
  const { text } = insert(0);
  expect(seen).toEqual(['select 1', `${text}\n${text}`, text]);
  expect(await marks()).toEqual([1, 2, 3]);
});

test('an exchange that is cut before never reaches the server, one cut after has committed', async () => {
  for (const [mark, action] of [
    [4, 'cut_before'],
    [5, 'cut_after'],
  ] as const) {
    actionOf = (sql) => (sql.startsWith('insert') ? action : 'pass');
    const client = await openClient(proxy.url);
    await expect(exchange(client, [insert(mark)])).rejects.toThrow();
  }
  expect(await marks()).toEqual([1, 2, 3, 5]);
});
