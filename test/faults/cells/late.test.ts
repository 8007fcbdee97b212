import { expect, test } from 'vitest';
import { moveTenant } from '../../../fleet/move/move.ts';
import { commandLine } from '../../../scripts/operate/actor.ts';
import { openApi } from '../../kit/api.ts';
import { blankDatabase } from '../../kit/database/database.ts';
import { fetchToken } from '../../kit/http/http.ts';
import { openDeployment, terminate } from '../../kit/processes/processes.ts';
import { until } from '../../kit/wait.ts';
import { openTcpProxy } from '../database/tcp_proxy.ts';

const withinMs = 30_000;

test('a process starts while a remote cell is away, answers 503 for its Tenants alone, and serves them once it is there', async () => {
  const [database, remote] = [await blankDatabase(), await blankDatabase()];
  let isAway = true;
  const carry: Parameters<typeof openTcpProxy>[1] = (pair) => {
    if (isAway) return pair.cut();
    pair.client.pipe(pair.server).pipe(pair.client);
  };
  const proxies = [
    await openTcpProxy(remote.serviceUrl, carry),
    await openTcpProxy(remote.url, carry),
  ];
  const [service, owner] = proxies.map(({ url }) => url);
  const deployment = await openDeployment(database);
  const env = {
    CELLS: 'public,cell_b',
    MIGRATION_DATABASE_URL: database.url,
    DATABASE_URL_CELL_B: service ?? '',
    MIGRATION_DATABASE_URL_CELL_B: owner ?? '',
  };
  try {
    const server = await deployment.start('api,worker', env);
    const operator = openApi(server.baseUrl, await deployment.operatorKey());
    const make = (cell: string) =>
      operator.call('POST', '/portal/api/tenants', { body: { name: cell, cell } });
    const sample = await deployment.facts();
    const near = openApi(server.baseUrl, await fetchToken(server.baseUrl, sample));
    await near.applied('individual');
    const refused = await make('cell_b');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);

    isAway = false;
    const made = await until(
      async () => {
        const reply = await make('cell_b');
        return reply.status === 201 && reply.body;
      },
      // An operator has 600 requests a minute, and makes another Tenant below.
      { withinMs, everyMs: 250 },
    );
    const token = await fetchToken(server.baseUrl, made);
    const payer = await openApi(server.baseUrl, token).funded('individual', 10_00);
    // The sample goes there too: the next start is without it.
    const { rows } = await deployment.pool.query('select tenant_id::text as id from tenants');
    const other = await make('public');
    expect(other, 'another Tenant beside it').toMatchObject({ status: 201 });
    const owners = { control: database.url, remote: new Map([['cell_b', remote.url]]) };
    await moveTenant(owners, { tenantId: rows[0].id, to: 'cell_b', actor: commandLine() });
    expect(await terminate(server)).toBe(0);

    isAway = true;
    const again = await deployment.start('api,worker', env);
    const far = openApi(again.baseUrl, token);
    const read = () => far.call('GET', `/v1/customers/${payer.customerId}`);
    expect((await read()).status).toBe(503);
    const beside = await fetchToken(again.baseUrl, other.body);
    await openApi(again.baseUrl, beside).applied('individual');
    isAway = false;
    await until(async () => (await read()).status === 200, { withinMs });
    await far.confirmed(await far.pay(payer, await far.banked('business'), 1_00));
    expect(await terminate(again)).toBe(0);
  } finally {
    await deployment.stop();
    for (const proxy of proxies) await proxy.close();
    await remote.drop();
  }
});
