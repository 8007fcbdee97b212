import { openNightly } from '@tenant-payments/service/jobs/nightly.ts';
import { openSweep } from '@tenant-payments/service/jobs/sweep.ts';
import { expect, test } from 'vitest';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { portalPerson } from '../../../test/kit/people.ts';
import { openServer } from '../../../test/kit/server.ts';

/** The results of each ledger's proofs (rules/operations#67). */

const server = await openServer({ own: true, workers: false });
const { pool } = server.service;
const other = await server.anotherTenant({ name: 'Harbor' });
const support = await portalPerson(server, 'platform', ['support']);
const api = server.apiOf(other);

const proofs = async (query = ''): Promise<ReplyBody[]> =>
  (await api.get(`/portal/api/ledger/proofs${query}`)).data;
const listed = async (tenantId = other.tenantId): Promise<ReplyBody> =>
  (await support.ask('GET', `/ledger-proofs?tenant_id=${tenantId}`)).body.data[0];
const clear = () => pool.query('delete from ledger_proofs');

/** A proof of some days ago. */
const add = (days: number, ok: boolean) =>
  pool.query(
    `insert into ledger_proofs (tenant_id, id, at, cause, ok, checked, found, violations,
       duration_ms, process_id)
     values ($1, gen_random_uuid(), now() - $2 * interval '1 day', 'night', $3, 10,
       case when $3 then 0 else 1 end, '[]', 5, gen_random_uuid())`,
    [other.tenantId, days, ok],
  );

test('each night leaves a row for each Tenant, and a person reads it', async () => {
  expect(await openNightly(server.service, { rests: 0 }).verifyNow()).toBe(2);
  const [proof, ...more] = await proofs();
  expect(more).toEqual([]);
  expect(proof).toMatchObject({
    object: 'ledger_proof',
    cause: 'night',
    ok: true,
    found: 0,
    violations: [],
    process_id: server.service.processRegistry.id,
  });
  const found = await listed();
  expect(found).toMatchObject({ object: 'tenant_proofs', tenant_name: 'Harbor', last: proof });
  expect(found.days.at(-1)).toMatchObject({ state: 'ok' });
  await clear();
});

test('a violation is kept with what was found, the first 200 alone, and marks its day', async () => {
  await server.owner.query(
    `insert into entries (tenant_id, id, account_id, pocket, delta, source_type, source_id, step, leg,
       created_at) select $1, id, null, 'cash', 5, 'adjustment', id, 'adjusted', 1, now()
     from (select gen_random_uuid() as id from generate_series(1, 250)) made`,
    [other.tenantId],
  );
  const told = await api.get('/portal/api/ledger/verify');
  const [proof] = await proofs('?ok=false');
  expect(proof).toMatchObject({ cause: 'person', ok: false, found: told.violations.length });
  expect(proof.violations).toEqual(told.violations.slice(0, 200));
  expect((await listed()).days.at(-1)).toMatchObject({ state: 'violated' });
  const { body } = await support.ask('GET', '/operations');
  expect(body.worries).toContain('ledger_violated');
  const client = await server.owner.connect();
  await client.query('begin; set local session_replication_role = replica');
  await client.query("delete from entries where tenant_id = $1 and step = 'adjusted'", [
    other.tenantId,
  ]);
  await client.query('commit');
  client.release();
});

test('what somebody asks for again within a minute is kept once, unless it found something else', async () => {
  await clear();
  await api.get('/portal/api/ledger/verify');
  await api.get('/portal/api/ledger/verify');
  expect(await proofs()).toHaveLength(1);
  await clear();
  await add(0, false);
  await api.get('/portal/api/ledger/verify');
  expect((await proofs()).map(({ ok }) => ok)).toEqual([true, false]);
  await clear();
});

test('the days of a Tenant begin when it was made, and a day without a proof is missing', async () => {
  expect((await listed()).days).toEqual([]);
  await server.owner.query(
    "update tenants set created_at = now() - interval '4 days' where tenant_id = $1",
    [other.tenantId],
  );
  await add(3, true);
  await add(2, false);
  await add(2, true);
  await add(0, true);
  const { days } = await listed();
  expect(days.slice(-4).map(({ state }: ReplyBody) => state)).toEqual([
    'ok',
    'violated',
    'missing',
    'ok',
  ]);
  await clear();
});

test('the history is given page by page, newest first, of its own Tenant alone', async () => {
  for (const days of [1, 2, 3]) await add(days, true);
  const first = await api.get('/portal/api/ledger/proofs?limit=2');
  const second = await api.get(`/portal/api/ledger/proofs?limit=2&cursor=${first.next_cursor}`);
  const times = [...first.data, ...second.data].map(({ at }: ReplyBody) => at);
  expect(times).toHaveLength(3);
  expect([...times].sort().reverse()).toEqual(times);
  expect((await server.api.get('/portal/api/ledger/proofs')).data).toEqual([]);
  const all = await server.api.get('/portal/api/ledger-proofs');
  expect(all.data.map(({ tenant_id }: ReplyBody) => tenant_id)).toEqual([server.tenant.tenantId]);
  await clear();
});

test('a proof is deleted after 400 days of real time, however far the clock of its Tenant is', async () => {
  await add(399, true);
  await add(401, true);
  await server.workers.advance.advance(other.tenantId, { seconds: 3 * 86_400 });
  await openSweep(server.service).sweepNow();
  expect(await proofs()).toHaveLength(1);
});
