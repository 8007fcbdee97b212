import { expect, test } from 'vitest';
import type { MoveStep } from '../../../fleet/move/move.ts';
import { openApi } from '../../kit/api.ts';
import { openCells, openTill } from '../../kit/cells.ts';
import { openMoving, testMoves } from './move_tests.ts';

/** The second cell has a database of its own. */
const opened = await openCells(['cell_a', 'cell_b'], { remote: ['cell_b'] });
testMoves(opened);

const { cells, apiOf, asOwner, shutOut } = opened;
const [first, second] = cells;
const { move, rowsIn, servedAgain } = openMoving(opened);

test('a Tenant that has moved to a remote cell is served while the database of control is away', async () => {
  const tenant = await first.anotherTenant({ name: 'Far' });
  const till = await openTill(apiOf(tenant));
  await move(tenant.tenantId, 'cell_b');
  await till.pay();
  await shutOut('cell_a', async () => {
    for (let paid = 0; paid < 5; paid += 1) await till.pay();
  });
  expect(await till.balance()).toMatchObject({ available: 494_00 });
});

test('what reaches the new cell once the Tenant has left the old one is done there, though the move is not over', async () => {
  const tenant = await first.anotherTenant({ name: 'Early' });
  const api = apiOf(tenant);
  const payer = await api.funded('individual', 10_00);
  const payee = await api.banked('business');
  // By its own address, as a process hands over what an older look allowed.
  const there = openApi(second.baseUrl, tenant.token);
  await move(tenant.tenantId, 'cell_b', async (step) => {
    if (step === 'departed') await there.confirmed(await there.pay(payer, payee, 1_00));
  });
  expect(await api.balance(payer)).toMatchObject({ available: 9_00 });
});

/** Ends the connections of whoever moves, to the database of a cell. */
const cut = (cell: string) =>
  asOwner(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and usename = current_user`,
    cell,
  );

test.each<[string, MoveStep, string, string]>([
  ['the new cell while it copies', 'copied', 'cell_b', 'cell_a'],
  ['the new cell in the stop', 'stopped', 'cell_b', 'cell_a'],
  ['the new cell before it has the Tenant', 'ready', 'cell_b', 'cell_a'],
  ['the old cell before the Tenant has left', 'arrived', 'cell_a', 'cell_a'],
  ['the old cell after the Tenant has left', 'departed', 'cell_a', 'cell_b'],
  ['the new cell after the Tenant has left', 'departed', 'cell_b', 'cell_b'],
])('a move that loses %s leaves the Tenant whole in one cell', async (_, at, lost, place) => {
  const tenant = await first.anotherTenant({ name: 'Lost' });
  const { tenantId } = tenant;
  const till = await openTill(apiOf(tenant));
  const broken = move(tenantId, 'cell_b', async (step) => {
    if (step === at) await cut(lost);
  });
  await expect(broken).rejects.toThrow();
  // Whether its last commit was done is not known where the old cell was lost: then the stop ends by itself.
  await servedAgain(tenant, 10_000);
  const where = `select cell from control.tenants where tenant_id = '${tenantId}'`;
  expect(await asOwner(where)).toEqual([{ cell: place }]);
  await till.pay();
  const other = place === 'cell_a' ? 'cell_b' : 'cell_a';
  await move(tenantId, other);
  await till.pay();
  expect(await till.balance()).toMatchObject({ available: 498_00 });
  expect(await rowsIn(place, tenantId)).toBe(0);
});
