import { expect, test } from 'vitest';
import { openTcpProxy } from '../../test/faults/database/tcp_proxy.ts';
import { testDatabase } from '../../test/kit/database/database.ts';
import { freePort } from '../../test/kit/processes/free_port.ts';
import { connectionLost } from '../lost.ts';
import { asUrl } from './hosts.ts';
import { leaderOf } from './leader.ts';
import { openClient, openPool } from './pool.ts';

const pipe: Parameters<typeof openTcpProxy>[1] = ({ client, server }) => {
  client.pipe(server).pipe(client);
};

/** A database behind two ports: nobody listens at the first one. */
async function openPorts() {
  const database = await testDatabase();
  const proxy = await openTcpProxy(database.url, pipe);
  const { username, password, pathname, port, searchParams } = new URL(proxy.url);
  searchParams.set('target_session_attrs', 'read-write');
  const hosts = `127.0.0.1:${await freePort()},127.0.0.1:${port}`;
  const url = asUrl(`postgresql://${username}:${password}@${hosts}${pathname}?${searchParams}`);
  return { database, proxy, url, port };
}

const refusal = (work: Promise<unknown>): Promise<Error & { code?: string }> =>
  work.then(
    () => Promise.reject(new Error('it was not refused')),
    (error) => error,
  );

test('a connection goes to the host that takes writes, and the next ones begin there', async () => {
  const { database, proxy, url, port } = await openPorts();
  const pool = openPool(url, { max: 2, statementTimeoutMs: 5_000 });
  expect(new URL(leaderOf(url)).port).not.toBe(port);
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  expect(new URL(leaderOf(url)).port).toBe(port);
  const client = await openClient(url);
  await client.end();
  await pool.end();
  await proxy.close();
  await database.drop();
});

test('a server that takes no writes counts as lost, and no connection to it is kept', async () => {
  const { database, proxy, url } = await openPorts();
  const owner = await openClient(database.url);
  const { rows } = await owner.query('select quote_ident(current_database()) as name');
  await owner.query(`alter database ${rows[0].name} set default_transaction_read_only = on`);
  const pool = openPool(url, { max: 2, statementTimeoutMs: 5_000 });
  for (const work of [() => pool.query('select 1'), () => openClient(url)]) {
    const error = await refusal(work());
    expect([error.code, connectionLost(error)]).toEqual(['25006', true]);
  }
  expect(pool.totalCount).toBe(0);
  await owner.query(`set default_transaction_read_only = off`);
  await owner.query(`alter database ${rows[0].name} reset default_transaction_read_only`);
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await pool.end();
  await owner.end();
  await proxy.close();
  await database.drop();
});

test('a name that no name server knows is a database that is away', async () => {
  const error = await refusal(openClient('postgresql://nobody@nowhere.invalid/none'));
  expect(connectionLost(error)).toBe(true);
});
