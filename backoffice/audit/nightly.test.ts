import { expect, test } from 'vitest';
import { openServer } from '../../test/kit/server.ts';
import { openAuditNightly } from './nightly.ts';
import { auditNightLock } from './verify.ts';

const logged: Record<string, unknown>[] = [];
const server = await openServer({
  workers: false,
  alone: true,
  onLog: (line) => logged.push(JSON.parse(line)),
});
const { api, service, owner, tenant } = server;
await api.settings({ refund_window_days: 10 });
await api.settings({ refund_window_days: 20 });
await api.settings({ refund_window_days: 30 });

const alarms = () => logged.splice(0).filter(({ alarm }) => alarm === 'audit');
const counted = async () => (await service.meters.auditFaults.get()).values[0]?.value;

/** Runs `work` while the owner of the database has done this to a table, and takes it back. */
async function whileDamaged(table: string, damage: string, work: () => Promise<void>) {
  const asOwner = async (sql: string) => {
    const client = await owner.connect();
    try {
      await client.query(`begin; set local session_replication_role = replica; ${sql}; commit`);
    } finally {
      client.release();
    }
  };
  await asOwner(`create table kept as select * from ${table}`);
  await asOwner(damage);
  try {
    await work();
  } finally {
    await asOwner(`delete from ${table}; insert into ${table} select * from kept; drop table kept`);
  }
}

const removed = `delete from control.audit where scope = '${tenant.tenantId}' and number = 2`;

test('every chain is verified, and a whole one raises no alarm', async () => {
  expect(await openAuditNightly(service).verifyNow()).toBe(2);
  expect(alarms()).toEqual([]);
  expect(await counted()).toBe(0);
});

test('a chain that was changed raises an alarm with the number, and is counted', async () => {
  await whileDamaged('control.audit', removed, async () => {
    expect(await openAuditNightly(service).verifyNow()).toBe(2);
    expect(alarms()).toMatchObject([
      { level: 50, scope: tenant.tenantId, faults: [{ number: 3, fault: 'missing' }] },
    ]);
    expect(await counted()).toBe(1);
  });
  await openAuditNightly(service).verifyNow();
  expect(await counted()).toBe(0);
});

test('an end that is cut off with its head shows to a process that had seen it', async () => {
  const nightly = openAuditNightly(service);
  await nightly.verifyNow();
  const cut = `delete from control.audit where scope = '${tenant.tenantId}' and number = 3`;
  const moved = `update control.audit_heads set (number, hash) = (select number, hash from control.audit
    where scope = '${tenant.tenantId}' and number = 2) where scope = '${tenant.tenantId}'`;
  await whileDamaged('control.audit', cut, () =>
    whileMoved(moved, async () => {
      alarms();
      await nightly.verifyNow();
      expect(alarms()).toMatchObject([{ faults: [{ number: 3, fault: 'known_head' }] }]);
    }),
  );
});

/** The same of the heads, within the transaction of nobody. */
async function whileMoved(damage: string, work: () => Promise<void>): Promise<void> {
  const { rows } = await owner.query('select * from control.audit_heads');
  await owner.query(damage);
  try {
    await work();
  } finally {
    for (const { scope, number, hash } of rows)
      await owner.query('update control.audit_heads set number = $2, hash = $3 where scope = $1', [
        scope,
        number,
        hash,
      ]);
  }
}

test('a chain that another process verifies is left to it', async () => {
  const client = await owner.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1, hashtext($2))', [
      auditNightLock,
      tenant.tenantId,
    ]);
    expect(await openAuditNightly(service).verifyNow()).toBe(1);
  } finally {
    await client.query('rollback');
    client.release();
  }
  expect(await openAuditNightly(service).verifyNow()).toBe(2);
});

test('the stop of the service ends a verification, and raises no alarm', async () => {
  const nightly = openAuditNightly(service);
  await nightly.stop();
  expect(await nightly.verifyNow()).toBe(0);
  expect(alarms()).toEqual([]);
});

test('what was found is kept, and who may list a chain reads it', async () => {
  await openAuditNightly(service).verifyNow();
  const whole = await api.get('/portal/api/audit/proof');
  expect(whole).toMatchObject({ object: 'audit_proof', verified: { ok: true, faults: [] } });
  expect(whole.verified).toMatchObject(whole.head);
  await whileDamaged('control.audit', removed, async () => {
    await openAuditNightly(service).verifyNow();
    const { verified } = await api.get('/portal/api/audit/proof');
    expect(verified.ok).toBe(false);
    expect(verified.faults.length).toBeGreaterThan(0);
  });
  await openAuditNightly(service).verifyNow();
  expect((await api.get('/portal/api/audit/proof')).verified.ok).toBe(true);
});

test('the list is narrowed to what was done, or refused for any reason', async () => {
  await api.call('PUT', '/portal/api/settings', { body: { refund_window_days: -1 } });
  const outcomes = async (outcome: string) => {
    const { data } = await api.get(`/portal/api/audit?outcome=${outcome}`);
    return [...new Set(data.map((row: { outcome: string }) => row.outcome))];
  };
  expect(await outcomes('done')).toEqual(['done']);
  expect(await outcomes('refused')).toEqual(['parameter_invalid']);
});
