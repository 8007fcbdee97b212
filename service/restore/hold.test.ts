import { beforeEach, expect, test } from 'vitest';
import { uuid } from '../../test/kit/ids.ts';
import { startTestServer } from '../../test/kit/server.ts';
import { beginRestore, versionFloorAt } from './begin.ts';
import { holdTenants, releaseTenants } from './hold.ts';
import { openRestoreWatch, proveTimeline } from './watch.ts';

/** The behavior of a service whose database was restored. */

const server = await startTestServer({ manual: true });
const { api, engine, service } = server;
const { pool, control } = service;
const watch = openRestoreWatch(service);
await proveTimeline(service);

beforeEach(async () => {
  await control.query('delete from control.restores');
  await releaseTenants(pool);
});

const begun = async () => {
  const row = await beginRestore(control, {
    cause: 'command',
    restoredTo: null,
    by: 'a test',
    now: new Date().toISOString(),
  });
  await holdTenants(pool, row.version_floor);
  return row;
};
const endAll = () =>
  control.query("update control.restores set ended_at = now(), ended_by = 'a test'");

const orders = (id: string) =>
  engine.query(
    'select status from instructions where tenant_id = $1 and source_id = $2',
    uuid('load', id),
  );

test('while a restore is under way no order is handed to the bank; once it has ended all of them are', async () => {
  const ana = await api.banked('individual');
  await begun();
  const load = await api.confirmed(api.load(ana, 20_00));
  await server.runJobs();
  expect(await orders(load.id)).toEqual([{ status: 'waiting' }]);
  await watch.look();
  await server.runJobs();
  expect(await orders(load.id)).toEqual([{ status: 'waiting' }]);
  await endAll();
  await watch.look();
  await expect
    .poll(async () => {
      await server.runJobs();
      return orders(load.id);
    })
    .toEqual([{ status: 'sent' }]);
});

test('a Tenant that is made while a restore is under way is held too', async () => {
  await begun();
  const { tenantId } = await server.anotherTenant();
  await watch.look();
  const { rows } = await pool.query(
    'select held_at is not null as held from tenants where tenant_id = $1',
    [tenantId],
  );
  expect(rows).toEqual([{ held: true }]);
});

test('versions that are counted after a restore begin above all that were seen before', async () => {
  const ana = await api.banked('individual');
  const load = await api.load(ana, 20_00);
  const { version_floor } = await begun();
  await api.confirmed(load);
  const shown = () => api.get(`/v1/loads/${load.id}`);
  expect(await shown()).toMatchObject({ version: version_floor });
  await api.simulate('load.settled', load.id);
  expect(await shown()).toMatchObject({ version: version_floor + 1 });
  expect(version_floor).toBeGreaterThan(200_000_000);
  expect(versionFloorAt('2026-11-28T00:00:01.000Z')).toBe(
    versionFloorAt('2026-11-28T00:00:00.000Z') + 1,
  );
  expect(versionFloorAt('2087-01-01T00:00:00.000Z')).toBeLessThan(2 ** 31);
  await server.prove();
});

test('an advance of the clock waits for nothing that a restore holds', async () => {
  const ana = await api.banked('individual');
  await begun();
  await api.confirmed(api.load(ana, 20_00));
  expect(await api.advance(60)).toMatchObject({ pending: 0 });
});

test('a database that has forgotten what it acknowledged is held', async () => {
  await watch.look();
  await pool.query('update database_timelines set seen = seen - 1');
  await watch.look();
  const { rows } = await control.query('select cause, ended_at from control.restores');
  expect(rows).toEqual([{ cause: 'lost_writes', ended_at: null }]);
});

test('where the server does not say on which timeline it writes, a start goes on and a restore can be said', async () => {
  const rights = (verb: string) =>
    server.owner.query(`${verb.replace('TO', 'execute on function pg_control_system()')} public`);
  await rights('revoke TO from');
  try {
    await proveTimeline(service);
    await begun();
    await openRestoreWatch(service).look();
    const { rows } = await control.query('select cause from control.restores');
    expect(rows).toEqual([{ cause: 'command' }]);
  } finally {
    await rights('grant TO to');
  }
});

test('a database that was moved to another cluster starts held, and one that was promoted does not', async () => {
  const began = async () =>
    (await control.query('select cause from control.restores')).rows.map(({ cause }) => cause);
  await watch.look();
  await pool.query('update database_timelines set timeline = timeline + 1');
  await proveTimeline(service);
  expect(await began()).toEqual([]);
  await pool.query("update database_timelines set system_identifier = 'another'");
  await proveTimeline(service);
  expect(await began()).toEqual(['system']);
});
