import { keyOfOneInCell } from '@tenant-payments/engine/advisory_lock.ts';
import { expect, test } from 'vitest';
import { openServer } from '../../test/kit/server.ts';
import { nightLock } from '../invariants/nightly_proof.ts';
import { sealProven } from '../invariants/sealed/seal.ts';
import { openNightly } from './nightly.ts';
import { openWholeProofs } from './whole_proofs.ts';

const logged: Record<string, unknown>[] = [];

const server = await openServer({
  workers: false,
  onLog: (line) => logged.push(JSON.parse(line)),
});
const other = await server.anotherTenant();
/** Without the rests of a night, nine tenths of its time. */
const nightly = () => openNightly(server.service, { rests: 0 });

const alarms = () => logged.splice(0).filter(({ alarm }) => alarm === 'ledger');
const counted = async () => (await server.service.meters.ledgerViolations.get()).values[0]?.value;

/** Runs `work` while the other tenant has an entry that belongs to no movement. */
async function whileBroken(work: () => Promise<void>): Promise<void> {
  const id = '01980000-0000-7000-8000-000000000001';
  const { owner: pool } = server;
  await pool.query(
    `insert into entries (tenant_id, id, account_id, pocket, delta, source_type, source_id, step, leg,
      created_at) values ($1, $2, null, 'cash', 5, 'adjustment', $2, 'adjusted', 1, now())`,
    [other.tenantId, id],
  );
  try {
    await work();
  } finally {
    const client = await pool.connect();
    await client.query('begin; set local session_replication_role = replica');
    await client.query("delete from entries where tenant_id = $1 and step = 'adjusted'", [
      other.tenantId,
    ]);
    await client.query('commit');
    client.release();
  }
}

test('every ledger is verified, and a correct one raises no alarm', async () => {
  expect(await nightly().verifyNow()).toBe(2);
  expect(alarms()).toEqual([]);
  expect(await counted()).toBe(0);
});

/** Runs `work` while the other tenant has a setting that this release does not take. */
async function whileUnreadable(work: () => Promise<void>): Promise<void> {
  const set = (settings: string) =>
    server.owner.query(`update tenants set settings = ${settings} where tenant_id = $1`, [
      other.tenantId,
    ]);
  await set(`settings || '{"sandbox_mode": "removed"}'`);
  await work();
  await set(`settings - 'sandbox_mode'`);
}

test('a ledger that violates an invariant, and settings that cannot be read, raise alarms with what is wrong', async () => {
  const verify = () =>
    whileUnreadable(async () => {
      expect(await nightly().verifyNow()).toBe(2);
    });
  await whileBroken(async () => {
    await verify();
    const facts = { alarm: 'stored_json', tenant_id: other.tenantId, at: 'sandbox_mode' };
    expect(logged).toContainEqual(expect.objectContaining(facts));
    const [alarm, ...more] = alarms();
    expect(more).toEqual([]);
    expect(alarm).toMatchObject({
      tenant_id: other.tenantId,
      msg: 'the ledger violates invariants',
    });
    expect(alarm?.violations).toContainEqual(
      expect.objectContaining({ invariant: '1.movements', tenant_id: other.tenantId }),
    );
    expect(await counted()).toBe(alarm?.found);
    expect(alarm?.found).toBeGreaterThan(0);
    const { violations } = alarm as { violations: { grade: string }[] };
    expect(new Set(violations.map(({ grade }) => grade))).toEqual(new Set(['money']));
  });
  await nightly().verifyNow();
  expect(await counted()).toBe(0);
});

/** Runs `work` while another transaction that has run this is open. */
async function beside(sql: string, values: unknown[], work: () => Promise<void>): Promise<void> {
  const client = await server.owner.connect();
  try {
    await client.query('begin');
    await client.query(sql, values);
    await work();
  } finally {
    await client.query('rollback');
    client.release();
  }
}

test('a ledger that another process verifies is left to it', async () => {
  const lock = `select pg_advisory_xact_lock(${keyOfOneInCell})`;
  await beside(lock, [nightLock, other.tenantId], async () => {
    expect(await nightly().verifyNow()).toBe(1);
  });
  expect(await nightly().verifyNow()).toBe(2);
});

test('the stop of the service does not wait for a verification', async () => {
  const own = nightly();
  await beside('lock table entries in access exclusive mode', [], async () => {
    const verifying = own.verifyNow();
    await expect.poll(reading, { timeout: 10_000 }).toBeGreaterThan(0);
    await own.stop();
    expect(await verifying).toBe(0);
  });
  expect(logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  // The server ends the query once it notices that the client has gone.
  const again = () => nightly().verifyNow();
  await expect.poll(again, { timeout: 10_000 }).toBe(2);
});

/** How many wait for a table that is locked. */
async function reading(): Promise<number> {
  const { rows } = await server.owner.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
}

const sealedOf = async (tenantId: string) =>
  (
    await server.owner.query(
      'select number, hash from ledger_checkpoints where tenant_id = $1 order by number',
      [tenantId],
    )
  ).rows;

test('a night that holds seals what it has proven, tells the head, and the next one begins there', async () => {
  const { tenantId } = server.tenant;
  const large = openNightly(server.service, { rests: 0, wholeBelow: 0, sealsAlways: true });
  await large.verifyNow();
  const first = (await sealedOf(tenantId)).at(-1);
  logged.splice(0);
  await server.engine.moveClock(2 * 3_600);
  await large.verifyNow();
  const checkpoints = await sealedOf(tenantId);
  expect(logged.map(({ checkpoint_head }) => checkpoint_head)).toContainEqual({
    tenant_id: tenantId,
    ...checkpoints.at(-1),
  });
  const { rows } = await server.owner.query(
    `select ok, since_checkpoint from ledger_proofs where tenant_id = $1 order by at desc, id desc limit 1`,
    [tenantId],
  );
  expect(rows).toEqual([{ ok: true, since_checkpoint: first?.number }]);
});

test('a night whose proof does not hold seals nothing', async () => {
  const { tenantId } = other;
  const before = await sealedOf(tenantId);
  await whileBroken(async () => {
    await openNightly(server.service, { rests: 0, sealsAlways: true }).verifyNow();
  });
  expect(await sealedOf(tenantId)).toEqual(before);
});

test('a large ledger whose last whole proof is a week old is proven whole, and then not again', async () => {
  const { owner, service, tenant } = server;
  await openNightly(service, { rests: 0, sealsAlways: true }).verifyNow();
  await owner.query(`update ledger_proofs set at = at - interval '8 days'`);
  const apart = { ...service, standby: { ...service.standby, fit: async () => service.pool } };
  const proofs = openWholeProofs(apart, { from: 0 });
  expect(await proofs.proveNow()).toBe(2);
  expect(await proofs.proveNow()).toBe(0);
  const { rows } = await owner.query(
    `select ok, since_checkpoint from ledger_proofs where tenant_id = $1 order by at desc limit 1`,
    [tenant.tenantId],
  );
  expect(rows).toEqual([{ ok: true, since_checkpoint: null }]);
  await proofs.stop();
});

test('what a whole proof finds is told also where the connection of its lock was lost meanwhile', async () => {
  const { owner, service } = server;
  await owner.query(`update ledger_proofs set at = at - interval '8 days'`);
  const fit = async () => {
    const { rowCount } = await owner.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
       and database = (select oid from pg_database where datname = current_database())`,
    );
    expect(rowCount).toBe(1);
    return service.pool;
  };
  const proofs = openWholeProofs({ ...service, standby: { ...service.standby, fit } }, { from: 0 });
  logged.splice(0);
  await whileBroken(async () => expect(await proofs.proveNow()).toBe(2));
  expect(alarms()).toMatchObject([{ tenant_id: other.tenantId }]);
  await proofs.stop();
});

test('a Tenant that has left for another cell meanwhile is sealed no more', async () => {
  const gone = '01980000-0000-7000-8000-00000000000f';
  const client = await server.service.pool.connect();
  const at = '2030-01-01T00:00:00.000Z';
  expect(await sealProven(client, gone, { limit: at, provenAt: at })).toBeNull();
  client.release();
  expect(await sealedOf(gone)).toEqual([]);
});
