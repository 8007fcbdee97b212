import { afterAll, expect, test } from 'vitest';
import type { Instant } from '../../engine/time/instant.ts';
import { beginRestore } from '../../service/restore/begin.ts';
import { uuid } from '../../test/kit/ids.ts';
import { settingsOf } from '../../test/kit/processes/settings.ts';
import { startTestServer } from '../../test/kit/server.ts';
import { operations as backup } from './backup.ts';
import { type Deployment, openDeployment } from './deployment.ts';
import { operations as restore } from './restore.ts';

/** The restore holds every Tenant, so it shares its database with nobody. Operators name the database of control. */
const server = await startTestServer({ workers: false, alone: true });
const { api, engine, service } = server;
const opened: Deployment[] = [];

function deployment(env: Record<string, string> = {}): Deployment {
  const one = openDeployment({ ...settingsOf(server), LOG_LEVEL: 'silent', ...env });
  opened.push(one);
  return one;
}
const here = deployment();
afterAll(async () => {
  await Promise.all(opened.map((one) => one.close()));
  await server.stop();
});

const ended = async () =>
  (await service.control.query('select ended_at from control.restores')).rows.map(
    ({ ended_at }) => ended_at !== null,
  );
const held = async () =>
  (await service.pool.query('select count(*)::integer as n from tenants where held_at is not null'))
    .rows[0].n;

test('without a restore there is nothing to look at or to end', async () => {
  await expect(restore.status(here, {})).rejects.toThrow('no restore is under way');
  await expect(restore.end(here, { note: 'nothing' })).rejects.toThrow('no restore is under way');
});

test('what the bank has is held against what is here, taken where it is known, and an alarm where it is not', async () => {
  const ana = await api.banked('individual');
  const load = await api.confirmed(api.load(ana, 70_00));
  const [order] = await engine.query(
    'select id from instructions where tenant_id = $1 and source_id = $2',
    uuid('load', load.id),
  );
  const lost = crypto.randomUUID();
  const bank = [
    'order_id,tenant_id,amount,outcome',
    `${order.id},${server.tenant.tenantId},7000,settled`,
    `${lost.replaceAll('-', '')},${server.tenant.tenantId},5000,settled`,
  ].join('\n');
  const begun = await restore.begin(here, { to: new Date().toISOString() });
  expect(await held()).toBeGreaterThan(0);
  await api.confirmed(api.load(ana, 60_00));
  const seen = await restore.status(here, { bank });
  expect(seen).toMatchObject({ id: begun.id, held: { orders: 1 }, taken: null });
  expect(seen.orders.map(({ standing, record }) => [standing, record])).toEqual([
    ['behind', load.id],
    ['missing', null],
  ]);
  const taken = await restore.status(here, { bank, take: true });
  expect(taken.taken).toEqual({ taken: 1 });
  expect(taken.orders.map(({ standing }) => standing)).toEqual(['ended', 'missing']);
  expect(await api.get(`/v1/loads/${load.id}`)).toMatchObject({ status: 'settled' });
  const { rows } = await service.control.query(
    "select scope, record, facts ->> 'amount' as amount from control.alarms where alarm = 'restore_order'",
  );
  expect(rows).toEqual([{ scope: server.tenant.tenantId, record: lost, amount: '5000' }]);
});

test("a timeout in the bank's book fails nothing before the bank was asked", async () => {
  const ana = await api.funded('individual', 90_00);
  const made = await api.confirmed(api.withdraw(ana, 40_00));
  const [order] = await engine.query(
    'select id from instructions where tenant_id = $1 and source_id = $2',
    uuid('withdrawal', made.id),
  );
  const bank = `order_id,tenant_id,amount,outcome,reason\n${order.id},${server.tenant.tenantId},4000,failed,TM01`;
  const { taken, orders } = await restore.status(here, { bank, take: true });
  expect([taken, orders[0]?.standing]).toEqual([{ queried: 1 }, 'behind']);
  expect(await api.get(`/v1/withdrawals/${made.id}`)).toMatchObject({ status: 'processing' });
  const [{ asked_at }] = await engine.query(
    'select asked_at from instructions where tenant_id = $1 and id = $2',
    order.id,
  );
  expect(asked_at).not.toBeNull();
});

test('an order that nobody repeats is settled with a reason, and raises no alarm any more', async () => {
  const lost = crypto.randomUUID();
  const bank = `order_id,tenant_id,amount,outcome\n${lost},${server.tenant.tenantId},900,settled`;
  const standing = async () => (await restore.status(here, { bank })).orders[0]?.standing;
  const alarms = async () =>
    (
      await service.control.query(
        'select last_at from control.alarms where alarm = $1 and record = $2',
        ['restore_order', lost],
      )
    ).rows;
  expect(await standing()).toBe('missing');
  const before = await alarms();
  expect(before).toHaveLength(1);
  const two = deployment({ APPROVALS: 'on' });
  const asked = await restore.settle(two, { id: lost, note: 'paid back by the bank' });
  expect(asked).toMatchObject({ id: lost, settled: false, approval: expect.any(String) });
  expect(await standing()).toBe('missing');
  const note = 'paid back by the bank';
  expect(await restore.settle(here, { id: lost, note })).toMatchObject({ settled: true });
  const told = await alarms();
  const seen = await restore.status(here, { bank, take: true });
  expect([seen.orders[0]?.standing, seen.taken]).toEqual(['settled', {}]);
  expect(await alarms()).toEqual(told);
  await expect(restore.settle(here, { id: lost, note })).rejects.toMatchObject({
    details: { reason: 'already_settled' },
  });
  const [known] = await engine.query(
    "select id from instructions where tenant_id = $1 and source_type = 'load' limit 1",
  );
  await expect(restore.settle(here, { id: known.id, note })).rejects.toThrow(
    'is known here: load_',
  );
  await expect(restore.settle(here, { id: 'other', note })).rejects.toThrow('is no order');
});

test('where two people must, the command line asks for the end, and what is held stays held', async () => {
  const two = deployment({ APPROVALS: 'on' });
  const asked = await restore.end(two, { note: 'compared with the statement' });
  expect(asked).toMatchObject({ ended: false });
  expect(await ended()).toEqual([false]);
  const { rows } = await service.control.query(
    "select resource, move, status, note from control.approvals where resource = 'restores' and move = 'end'",
  );
  expect(rows).toEqual([
    { resource: 'restores', move: 'end', status: 'waiting', note: 'compared with the statement' },
  ]);
});

test('where one person may, the command line ends it and releases what was held', async () => {
  expect(await restore.end(here, { note: 'a sandbox' })).toMatchObject({ ended: true });
  expect([await ended(), await held()]).toEqual([[true], 0]);
});

test('restore begin tells a restore that began by itself its point, and is refused where another is known', async () => {
  const now = new Date().toISOString() as Instant;
  await beginRestore(service.control, { cause: 'target', restoredTo: null, by: 'service', now });
  const to = '2026-01-02T03:04:05.000Z';
  expect(await restore.begin(here, { to })).toMatchObject({ cause: 'target', restored_to: to });
  expect(await restore.status(here, { bank: 'order_id,tenant_id,amount,outcome' })).toMatchObject({
    restored_to: to,
  });
  await expect(restore.begin(here, { to: now })).rejects.toThrow(`a restore to ${to} is under way`);
  const { rows } = await service.control.query(
    "select body::jsonb -> 'after' ->> 'restored_to' as restored_to from control.audit where act = 'beginRestore' order by number desc limit 1",
  );
  expect(rows).toEqual([{ restored_to: to }]);
  await restore.end(here, { note: 'a sandbox' });
});

test('backup check names what is missing, and backup note is believed', async () => {
  const before = await backup.check(here);
  expect(before.faults).toContain('No base backup was noted.');
  await backup.note(here, { what: 'made', place: 'tape 7' });
  await backup.note(here, { what: 'tried', place: 'tape 7' });
  const { faults } = await backup.check(here);
  expect(faults.join()).not.toMatch(/was noted|to try it/);
  expect(faults).toContain('archive_mode is off: all since the last base backup would be lost.');
});

test('a copy is of the embedded server alone', async () => {
  await expect(backup.create(here, { to: '/tmp/never' })).rejects.toThrow('a server of its own');
});
