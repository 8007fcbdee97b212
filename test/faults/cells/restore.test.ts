import { afterAll, expect, test } from 'vitest';
import { openDeployment } from '../../../scripts/operate/deployment.ts';
import { operations as restore } from '../../../scripts/operate/restore.ts';
import { openCells } from '../../kit/cells.ts';
import { uuid } from '../../kit/ids.ts';
import { settingsOf } from '../../kit/processes/settings.ts';
import type { TestServer } from '../../kit/server.ts';

/** A restore of a deployment of several cells, one of them on another server. */
const cells = await openCells(['public', 'cell_b', 'cell_c'], {
  remote: ['cell_c'],
  server: { workers: false },
});
const deployment = openDeployment({
  ...settingsOf(cells.cells[0]),
  CELLS: 'public,cell_b,cell_c',
  DATABASE_URL: cells.ownerUrl,
  MIGRATION_DATABASE_URL: cells.ownerUrl,
  DATABASE_URL_CELL_C: cells.owners.remote.get('cell_c') ?? '',
  LOG_LEVEL: 'silent',
});
afterAll(() => deployment.close());

/** A load that was handed to the bank before the restore. @returns its id, and the id of its order */
async function waitingLoad({ engine, tenant }: TestServer) {
  const api = cells.apiOf(tenant);
  const load = await api.confirmed(api.load(await api.banked('individual'), 70_00));
  const [order] = await engine.query(
    'select id from instructions where tenant_id = $1 and source_id = $2',
    uuid('load', load.id),
  );
  return { api, tenantId: tenant.tenantId, id: load.id, order: order?.id };
}

test('restore status --take tells each cell what the bank says of its orders', async () => {
  const loads = [];
  for (const cell of cells.cells) loads.push(await waitingLoad(cell));
  const bank = [
    'order_id,tenant_id,amount,outcome',
    ...loads.map(({ order, tenantId }) => `${order},${tenantId},7000,settled`),
  ].join('\n');
  await restore.begin(deployment, { to: new Date().toISOString() });
  const taken = await restore.status(deployment, { bank, take: true });
  expect(taken.taken).toEqual({ taken: 3 });
  expect(taken.orders.map(({ cell, standing }) => [cell, standing])).toEqual([
    ['public', 'ended'],
    ['cell_b', 'ended'],
    ['cell_c', 'ended'],
  ]);
  for (const { api, id } of loads)
    expect(await api.get(`/v1/loads/${id}`)).toMatchObject({ status: 'settled' });
  expect(await restore.end(deployment, { note: 'all is here' })).toMatchObject({ ended: true });
});
