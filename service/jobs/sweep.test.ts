import { randomUUID } from 'node:crypto';
import { platformId } from '@tenant-payments/engine/platform.ts';
import { afterEach, expect, test } from 'vitest';
import { openServer } from '../../test/kit/server.ts';
import { openSweep } from './sweep.ts';

const day = 24 * 3600;

const server = await openServer({ own: true, workers: false });

afterEach(() => server.service.pool.query('delete from idempotency'));

const keep = (tenantId: string, agesDays: readonly number[]) =>
  server.service.pool.query(
    `insert into idempotency (tenant_id, key_hash, fingerprint, created_at)
     select $1, gen_random_uuid(), gen_random_uuid(), $2::timestamptz - age * interval '1 day'
     from unnest($3::double precision[]) age`,
    [tenantId, new Date().toISOString(), agesDays],
  );

const kept = async (table: string, tenantId: string): Promise<number> =>
  (await server.service.pool.query(`select 1 from ${table} where tenant_id = $1`, [tenantId]))
    .rowCount ?? 0;

test('a key is deleted when its 30 days on the clock of its tenant are over, and not before', async () => {
  const [one, other] = [await server.anotherTenant(), await server.anotherTenant()];
  await keep(one.tenantId, [0, 29.9, 30.1, 400]);
  await keep(other.tenantId, [0, 29.9, 30.1]);
  const sweep = openSweep(server.service);
  expect(await sweep.sweepNow()).toBe(3);
  expect(await kept('idempotency', one.tenantId)).toBe(2);
  await server.workers.advance.advance(one.tenantId, { seconds: day });
  expect(await sweep.sweepNow()).toBe(1);
  expect(await kept('idempotency', one.tenantId)).toBe(1);
  expect(await kept('idempotency', other.tenantId)).toBe(2);
});

test('a link token is deleted a day after it has expired', async () => {
  const { tenantId } = await server.anotherTenant();
  await server.service.pool.query(
    `insert into link_tokens (tenant_id, token_hash, customer_id, expires_at)
     select $1, md5(h::text), $2, $3::timestamptz - h * interval '1 hour' from unnest(array[-1, 1, 25]) h`,
    [tenantId, randomUUID(), new Date().toISOString()],
  );
  expect(await openSweep(server.service).sweepNow()).toBe(1);
  expect(await kept('link_tokens', tenantId)).toBe(2);
  await server.service.pool.query('delete from link_tokens');
});

test('the request of a program is deleted ten minutes after its end', async () => {
  await server.service.pool.query(
    `insert into control.device_sign_ins (id, device_code_hash, user_code_index, client_name,
       client_address, asked_roles, created_at, expires_at, interval_seconds, status)
     select gen_random_uuid(), m::text, m::text, 'Laptop', '203.0.113.9', '{}', now(),
       $1::timestamptz - m * interval '1 minute', 5, 'waiting' from unnest(array[-1, 9, 11]) m`,
    [new Date().toISOString()],
  );
  expect(await server.workers.sweep.sweepNow()).toBe(1);
  const { rowCount } = await server.service.pool.query('delete from control.device_sign_ins');
  expect(rowCount).toBe(2);
});

test('many rows are deleted in parts, and two concurrent sweeps do not overlap', async () => {
  const { tenantId } = server.tenant;
  await keep(
    tenantId,
    Array.from({ length: 12_000 }, () => 31),
  );
  const counts = await Promise.all([1, 2, 3].map(() => openSweep(server.service).sweepNow()));
  expect(counts.toSorted((a, b) => a - b)).toEqual([0, 0, 12_000]);
  expect(await kept('idempotency', tenantId)).toBe(0);
});

test('a sweep that has not begun stops at once', async () => {
  const sweep = openSweep(server.service);
  sweep.start();
  await sweep.stop();
});

test('a taken message of a provider is kept 90 days, a closed one 400, and what waits for a person stays', async () => {
  const { tenantId } = await server.anotherTenant();
  for (const owner of [tenantId, platformId])
    await server.service.pool.query(
      `insert into rail_messages (tenant_id, id, provider, message_id, port, digest, received_at, state, result,
         closed_at)
       select $1, gen_random_uuid(), 'a', gen_random_uuid()::text, 'bank', gen_random_uuid(),
         $2::timestamptz - age * interval '1 day', state, 'known', case when closed then $2::timestamptz end
       from (values (89, 'taken', false), (91, 'taken', false), (399, 'parked', true), (401, 'parked', true),
         (401, 'refused', true), (401, 'parked', false)) v(age, state, closed)`,
      [owner, new Date().toISOString()],
    );
  expect(await openSweep(server.service).sweepNow()).toBe(6);
  const { rows } = await server.service.pool.query(
    'delete from rail_messages returning state, closed_at is not null as closed',
  );
  expect(rows).toHaveLength(6);
  expect(rows.filter(({ state }) => state === 'parked')).toHaveLength(4);
});

test('what a provider remembers of a message goes after 90 days, and of all else stays', async () => {
  const { tenantId } = await server.anotherTenant();
  await server.service.pool.query(
    `insert into rail_objects (tenant_id, id, provider, kind, key, value_sealed, created_at, updated_at)
     select $1, gen_random_uuid(), 'a', kind, age::text, '', at, at
     from (select kind, age, $2::timestamptz - age * interval '1 day' as at
       from unnest(array['message', 'item']) kind, unnest(array[89, 91]) age) v`,
    [tenantId, new Date().toISOString()],
  );
  expect(await openSweep(server.service).sweepNow()).toBe(1);
  const { rows } = await server.service.pool.query('delete from rail_objects returning kind, key');
  expect(rows.map(({ kind, key }) => `${kind} ${key}`).sort()).toEqual([
    'item 89',
    'item 91',
    'message 89',
  ]);
});
