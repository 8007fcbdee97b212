import { randomBytes } from 'node:crypto';
import { serviceActor } from '@tenant-payments/engine/actor.ts';
import type { KeyRing, RingKey } from '@tenant-payments/engine/key_ring.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { openSealer } from '@tenant-payments/engine/vault.ts';
import { expect, test } from 'vitest';
import { uuid } from '../../test/kit/ids.ts';
import { openServer } from '../../test/kit/server.ts';
import { inviteOwner } from '../resources/customers/owners/invitations.ts';
import { openServiceVault } from './index_key.ts';
import { beginReseal, resealJob } from './reseal.ts';
import { nameOf, sealedColumns, sealedOfNoTenant } from './sealed_columns.ts';
import { readKeysStatus } from './status.ts';

const server = await openServer({ own: true, manual: true });
const { config, pool, db, clocks } = server.service;
const [a] = config.sealingKeys;
const b: RingKey = { id: '2026b', key: randomBytes(32) };
const withKeys = (...sealingKeys: KeyRing) => ({ ...config, sealingKeys });
const rotated = await openServer({ beside: server, workers: false, secrets: withKeys(b, a) });
const now = () => instantOf(clocks.realNow());

/** Something in every sealed column. */
async function furnish(): Promise<void> {
  const { api, engine, service } = server;
  const ana = await api.banked('individual');
  await api.load(ana, 500);
  // The job that asks for the numbers of a bank account.
  await server.runJobs();
  const shop = await api.customer('business');
  // A withdrawn application's number is free, and sealed in another way.
  const { id: customerId } = await api.customer('individual');
  await api.close({ customerId });
  await server.providers.objectsOf('a').put({
    kind: 'item',
    key: 'one',
    tenantId: server.tenant.tenantId,
    record: null,
    value: 'remembered',
  });
  const fact = { id: 'a fact', linkId: crypto.randomUUID(), outcome: 'verified' } as const;
  for (const tenantId of [server.tenant.tenantId, crypto.randomUUID()])
    await server.providers.taking.take(
      { name: 'a' },
      [{ id: 'one', tenantId, port: 'aggregator', fact }],
      { headers: {}, body: null },
    );
  await engine.run(inviteOwner(service.vault), {
    id: uuid('customer', shop.id),
    owner: { name: 'Bo', role: 'owner', ownershipPercent: 30 },
    contact: { email: 'bo@example.com' },
  });
}
await furnish();

const sealingOf = async (...sealingKeys: KeyRing) =>
  (await readKeysStatus(db, withKeys(...sealingKeys))).rings[0];

test('the list of sealed columns is that of the schema', async () => {
  const { rows } = await pool.query<{ name: string }>(
    `select case table_schema when current_schema() then '' else table_schema || '.' end
       || table_name || '.' || column_name as name from information_schema.columns
     where table_schema in (current_schema(), 'control') and column_name ~ '(^|_)sealed$|^given_secret$'
       and table_name <> 'sign_on_providers'`,
  );
  const listed = [...sealedColumns, ...sealedOfNoTenant].map(nameOf);
  expect(listed.sort()).toEqual(rows.map(({ name }) => name).sort());
});

test('a rotation loses nothing: the job seals all anew, and the new key alone opens it', async () => {
  const before = await sealingOf(b, a);
  expect(before?.keys[1]).toMatchObject({ id: a.id, may_be_dropped: false });
  expect(before?.keys[1]?.values).toBeGreaterThan(5);
  expect(before?.next).toMatch(/values rest on older keys: npm run cli -- keys reseal$/);

  await beginReseal(db, openSealer([b, a]), now());
  expect((await sealingOf(b, a))?.next).toMatch(/are being sealed anew/);
  for (const { tenantId } of [server.tenant, rotated.tenant]) await rotated.runJobs(tenantId);

  const after = await sealingOf(b, a);
  expect(after).toMatchObject({ nameless: 0, missing: [] });
  expect(after?.keys[1]).toMatchObject({
    id: a.id,
    first: false,
    values: 0,
    may_be_dropped: true,
  });
  expect(after?.keys[0]?.values).toBe(
    (before?.keys[0]?.values ?? 0) + (before?.keys[1]?.values ?? 0),
  );
  expect(after?.next).toBe(`drop ${a.id} and restart every process`);

  const vault = await openServiceVault(pool, [b], clocks.realNow);
  for (const { table, column, boundBy, bound } of sealedColumns) {
    const { rows } = await pool.query<{ tenant_id: string; place: string; sealed: string }>(
      `select tenant_id, (${boundBy})::text as place, ${column} as sealed from ${table}
       where ${column} is not null`,
    );
    for (const { tenant_id, place, sealed } of rows)
      expect(() => vault.open(tenant_id, bound(place), sealed), table).not.toThrow();
  }
  expect((await readKeysStatus(db, withKeys(b))).rings[0]?.next).toBe('nothing to do');
});

test('the job goes on where it stopped, a few rows at a time, and does nothing twice', async () => {
  const c: RingKey = { id: '2026c', key: randomBytes(32) };
  const vault = openSealer([c, b]);
  await beginReseal(db, vault, now());
  const job = resealJob({ db, vault, rowsAtOnce: 1 });
  const { tenantId } = server.tenant;
  const resealed = async () => (await readKeysStatus(db, withKeys(c, b))).reseal.resealed;
  expect(await job.prepare?.({ ref: tenantId }, { tenantId, actor: serviceActor })).toBe(false);
  const done = await resealed();
  expect(done).toBeGreaterThan(5);
  expect(await job.prepare?.({ ref: tenantId }, { tenantId, actor: serviceActor })).toBe(false);
  expect(await resealed()).toBe(done);
});

test('what no key opens stays as it is and is counted', async () => {
  const foreign = openSealer([{ id: 'gone', key: randomBytes(32) }]).seal('t', 'row', 'x');
  await pool.query('update webhook_secrets set sealed = $1 where tenant_id = $2', [
    foreign,
    rotated.tenant.tenantId,
  ]);
  const { tenantId } = rotated.tenant;
  const d: RingKey = { id: '2026d', key: randomBytes(32) };
  await resealJob({ db, vault: openSealer([d, b]) }).prepare?.(
    { ref: tenantId },
    { tenantId, actor: serviceActor },
  );
  expect((await readKeysStatus(db, withKeys(d, b))).reseal.unopened).toBe(1);
  expect((await sealingOf(d, b))?.missing).toContainEqual({ id: 'gone', values: 1 });
});
