import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { portalPerson } from '../../../test/kit/people.ts';
import { openServer } from '../../../test/kit/server.ts';
import { until } from '../../../test/kit/wait.ts';

/** The alarms as rows (rules/operations#69). */

const server = await openServer({ own: true, workers: false });
const { service } = server;
const other = await server.anotherTenant({ name: 'Harbor' });
const reviewer = await portalPerson(server, 'platform', ['reviewer']);
const support = await portalPerson(server, 'platform', ['support']);

const list = async (query = '', person = support): Promise<ReplyBody[]> => {
  await service.alarmLog.flush();
  const { status, body } = await person.ask('GET', `/alarms${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
};
const clear = async () => {
  await service.alarmLog.flush();
  await service.pool.query('delete from control.alarms');
};
const raise = (facts: object, text = 'a job failed') =>
  service.log.error({ alarm: 'job', tenant_id: other.tenantId, job: 'erasure', ...facts }, text);

test('a line with an alarm becomes a row with its Tenant, record, meaning and what to do', async () => {
  const ref = randomUUID();
  raise({ ref, again_in_ms: 1_000 });
  const [alarm, ...more] = await list();
  expect(more).toEqual([]);
  expect(alarm).toMatchObject({
    object: 'alarm',
    alarm: 'job',
    tenant_id: other.tenantId,
    tenant_name: 'Harbor',
    record_id: `cus_${ref.replaceAll('-', '')}`,
    message: 'a job failed',
    count: 1,
    means: 'a job failed and is tried again, with longer pauses up to an hour',
    facts: { again_in_ms: 1_000 },
    process_id: service.processRegistry.id,
    acknowledged_at: null,
    acknowledged_by: null,
    note: null,
  });
  await clear();
});

test('the same alarm about the same record raises the count, before and after it is written', async () => {
  const ref = randomUUID();
  raise({ ref, again_in_ms: 1 });
  raise({ ref, again_in_ms: 2 });
  expect(await list()).toHaveLength(1);
  raise({ ref, again_in_ms: 3 });
  raise({ ref: randomUUID() });
  const found = await list();
  expect(found.map(({ count }) => count).sort()).toEqual([1, 3]);
  expect(found.find(({ count }) => count === 3)?.facts).toMatchObject({ again_in_ms: 3 });
  await service.pool.query('update control.alarms set day = day - 1, count = 7 where count = 3');
  raise({ ref });
  expect((await list()).map(({ count }) => count).sort()).toEqual([1, 1, 7]);
  await clear();
});

test('personal data of a line does not reach the row', async () => {
  service.log.error(
    { alarm: 'unknown', tenant_id: other.tenantId, fact: { id: 'x', email: 'ana@example.com' } },
    'from ana@example.com',
  );
  expect(JSON.stringify(await list())).not.toContain('ana@example.com');
  await clear();
});

test('while the database refuses them alarms wait, are counted together, and raise none themselves', async () => {
  await server.owner.query('alter table control.alarms rename to alarms_away');
  raise({ ref: '019cb0c4-5e00-7000-8000-000000000001' });
  await service.alarmLog.flush();
  raise({ ref: '019cb0c4-5e00-7000-8000-000000000001' });
  await service.alarmLog.flush();
  await server.owner.query('alter table control.alarms_away rename to alarms');
  expect((await list()).map(({ alarm, count }) => [alarm, count])).toEqual([['job', 2]]);
  await clear();
});

test('the list is filtered by state, alarm, Tenant and time, and goes on page by page', async () => {
  raise({ ref: randomUUID() });
  service.log.warn({ alarm: 'no_worker' }, 'no process with the role worker is alive');
  service.log.info({ alarm: 'job' }, 'not a line that needs anybody');
  const all = await list();
  expect(all.map(({ alarm }) => alarm).sort()).toEqual(['job', 'no_worker']);
  const names = async (query: string) => (await list(query)).map(({ alarm }) => alarm);
  expect(await names('?alarm=no_worker')).toEqual(['no_worker']);
  expect(await names(`?tenant_id=${other.tenantId}`)).toEqual(['job']);
  expect(await names('?status=acknowledged')).toEqual([]);
  expect(await names(`?to=${new Date(Date.now() - 60_000).toISOString()}`)).toEqual([]);
  const { body: first } = await support.ask('GET', '/alarms?limit=1');
  const { body: second } = await support.ask('GET', `/alarms?limit=1&cursor=${first.next_cursor}`);
  expect([...first.data, ...second.data]).toEqual(all);
  await clear();
});

test('a reviewer takes note of an alarm once, and it is no longer counted', async () => {
  raise({ ref: randomUUID() });
  const [{ id }] = (await list()) as [ReplyBody];
  const count = async () => (await support.ask('GET', '/alarms/count')).body.open;
  expect(await count()).toBe(1);
  const path = `/alarms/${id}/acknowledge`;
  expect((await support.ask('POST', path, { note: 'seen' })).status).toBe(403);
  const { status, body } = await reviewer.ask('POST', path, { note: 'The bank was asked.' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ id, note: 'The bank was asked.' });
  expect(body.acknowledged_by).not.toBeNull();
  expect(await count()).toBe(0);
  expect((await list('?status=acknowledged')).map((row) => row.id)).toEqual([id]);
  const again = await reviewer.ask('POST', path, { note: 'twice' });
  expect([again.status, again.body.error.details.reason]).toEqual([409, 'already_acknowledged']);
  const unknown = await reviewer.ask('POST', `/alarms/${randomUUID()}/acknowledge`, { note: 'x' });
  expect(unknown.status).toBe(404);
  await clear();
});

test("a Tenant's program sees the alarms of its own Tenant alone", async () => {
  raise({ ref: randomUUID() });
  service.log.warn({ alarm: 'no_worker' }, 'no process with the role worker is alive');
  await service.alarmLog.flush();
  const own = await server.apiOf(other).get('/portal/api/alarms');
  expect(own.data.map(({ alarm }: ReplyBody) => alarm)).toEqual(['job']);
  expect((await server.api.get('/portal/api/alarms')).data).toEqual([]);
  expect((await server.api.get('/portal/api/alarms/count')).open).toBe(0);
  await clear();
});

test('a row is written by itself within a second', async () => {
  raise({ ref: randomUUID() });
  await until(async () => (await support.ask('GET', '/alarms')).body.data.length === 1);
  await clear();
});
