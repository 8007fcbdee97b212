import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { proveSessions } from '../../../engine/database/session.ts';
import type { ReplyBody } from '../../kit/http/http.ts';
import { application } from '../../kit/person.ts';
import { startTestServer, type TestServer } from '../../kit/server.ts';
import { until } from '../../kit/wait.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { type Standby, startStandby } from './standby.ts';
import { openTcpProxy, type TcpProxy } from './tcp_proxy.ts';

let primary: Postgres;
let standby: Standby;
let proxy: TcpProxy;
let server: TestServer;

beforeAll(async () => {
  primary = await startPostgres();
  standby = await startStandby(primary);
  proxy = await openTcpProxy(primary.serviceUrl, ({ client, server: there }) => {
    client.pipe(there).pipe(client);
  });
  server = await startTestServer({
    database: { url: primary.url, serviceUrl: proxy.url, drop: async () => {} },
    workers: false,
    alone: true,
    onLog: () => {},
  });
}, 60_000);
afterAll(async () => {
  await server.stop();
  await proxy.close();
  await standby.stop();
  await primary.stop();
});

const readyz = () => fetch(`${server.baseUrl}/readyz`);
const become = (status: number) =>
  until(async () => (await readyz()).status === status, { withinMs: 5_000 });
const newCall = () => ({ key: randomUUID(), body: application('individual') });
const create = (call: ReturnType<typeof newCall>) => server.call('POST', '/v1/customers', call);
const read = async ({ id }: ReplyBody) => (await server.call('GET', `/v1/customers/${id}`)).status;

test('after a failover that keeps connections a process is not ready until it writes to the new primary, where each of its connections has refused one call at most', async () => {
  const { body: ana } = await create(newCall());
  expect((await readyz()).status).toBe(200);
  await expect(proveSessions(standby.urlOf(primary.serviceUrl))).rejects.toThrow(
    'the server takes no writes: it is a standby',
  );

  // The primary steps down and keeps its connections; the address still leads to it.
  await primary.query('alter system set default_transaction_read_only = on');
  await primary.query('select pg_reload_conf()');
  const refused = await create(newCall());
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  await become(503);
  const { error } = (await (await readyz()).json()) as ReplyBody;
  expect(error.message).toBe('not ready: the database takes no writes (25006)');
  expect(await read(ana)).toBe(200);

  await standby.promote();
  proxy.leadTo(standby.urlOf(primary.serviceUrl));
  const calls = Array.from({ length: 20 }, newCall);
  const statuses: number[] = [];
  for (const call of calls) statuses.push((await create(call)).status);
  expect(statuses.filter((status) => status !== 201).length).toBeLessThanOrEqual(2);
  expect(statuses.slice(2)).toEqual(calls.slice(2).map(() => 201));
  await become(200);

  for (const call of calls) {
    const { status, body } = await create(call);
    expect([status, await read(body)]).toEqual([201, 200]);
  }
});
