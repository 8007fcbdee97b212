import { randomUUID } from 'node:crypto';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { expect, test } from 'vitest';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { portalPerson } from '../../../test/kit/people.ts';
import { openServer } from '../../../test/kit/server.ts';
import { mostCounted } from '../../contract/operate/operations.ts';

/** How the deployment does (rules/operations#64). */

const server = await openServer({ workers: false, alone: true });
const { pool } = server.service;
const support = await portalPerson(server, 'platform', ['support']);
const other = await server.anotherTenant({ name: 'Harbor' });

const ago = (seconds: number) => instantOf(Date.now() - seconds * 1_000);
const look = async (person = support): Promise<ReplyBody> => {
  const { status, body } = await person.ask('GET', '/operations');
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};

async function addJob(name: string, dueSeconds: number, wakeSeconds = dueSeconds): Promise<string> {
  const ref = randomUUID();
  await pool.query(
    `insert into jobs (tenant_id, name, ref, due_at, wake_at, real) values ($1, $2, $3, $4, $5, true)`,
    [other.tenantId, name, ref, ago(dueSeconds), ago(wakeSeconds)],
  );
  return ref;
}
const removeJobs = () =>
  pool.query("delete from jobs where name in ('payment_deadline', 'erasure')");
const addProcess = (roles: string, seenSeconds: number) =>
  pool.query(
    `insert into processes (process_id, roles, started_at, seen_at, version)
     values ($1, $2, $3, $4, '1.0.0')`,
    [randomUUID(), roles, ago(600), ago(seenSeconds)],
  );

test('each process shows its roles, its release, and whether it was seen within ten seconds', async () => {
  await pool.query('delete from processes');
  expect((await look()).worries).toEqual(expect.arrayContaining(['no_worker', 'no_api']));
  await addProcess('api', 1);
  await addProcess('worker', 30);
  const found = await look();
  expect(
    found.processes.map(({ roles, state }: ReplyBody) => [roles.join(), state]).sort(),
  ).toEqual([
    ['api', 'live'],
    ['worker', 'lost'],
  ]);
  expect(found.processes[0]).toMatchObject({ version: '1.0.0', is_answering: false });
  expect(found.worries).toEqual(expect.arrayContaining(['no_worker', 'process_lost']));
  expect(found.worries).not.toContain('no_api');
  await pool.query('delete from processes');
});

test('a process that has started says its release', async () => {
  await server.service.processRegistry.start();
  const [own] = (await look()).processes;
  expect(own).toMatchObject({ state: 'live', is_answering: true, version: '1.0.0' });
  await server.service.processRegistry.stop();
});

test('jobs are counted by name, with what is late, what fails, and the oldest with its next try', async () => {
  const before = (await look()).jobs;
  const ref = await addJob('payment_deadline', 120, -40);
  await addJob('payment_deadline', -3_600);
  await addJob('erasure', 90);
  const { jobs, worries } = await look();
  expect(jobs).toMatchObject({
    waiting: before.waiting + 3,
    overdue: before.overdue + 1,
    failing: 1,
    is_all: true,
  });
  expect(jobs.late_seconds).toBeGreaterThan(89);
  expect(jobs.queues[0]).toMatchObject({
    job: 'payment_deadline',
    waiting: 2,
    overdue: 0,
    failing: 1,
    does: 'ends an unconfirmed payment without a session',
  });
  expect(jobs.queues[1]).toMatchObject({ job: 'erasure', waiting: 1, overdue: 1, failing: 0 });
  expect(jobs.oldest).toMatchObject({
    tenant_id: other.tenantId,
    tenant_name: 'Harbor',
    job: 'payment_deadline',
    record_id: `pay_${ref.replaceAll('-', '')}`,
  });
  expect(Date.parse(jobs.oldest.next_try_at)).toBeGreaterThan(Date.now());
  expect(worries).toContain('jobs_late');
  await removeJobs();
  const none = await look();
  expect(none.jobs).toMatchObject({ waiting: before.waiting, failing: 0 });
  expect(none.worries).not.toContain('jobs_late');
});

test('a queue beyond what is counted says so', async () => {
  await pool.query(
    `insert into jobs (tenant_id, name, ref, due_at, wake_at, real)
     select $1, 'erasure', gen_random_uuid(), now() + interval '1 day', now() + interval '1 day', true
     from generate_series(1, $2)`,
    [other.tenantId, mostCounted + 5],
  );
  expect((await look()).jobs).toMatchObject({ waiting: mostCounted, is_all: false });
  await removeJobs();
});

test('an event that is not delivered shows its Tenant, how long it waits, and when it is sent next', async () => {
  const api = server.apiOf(other);
  await api.put('/portal/api/webhook-endpoint', {
    url: 'https://shop.example/hooks',
    enabled: true,
  });
  await api.approved('individual');
  expect((await look()).deliveries.waiting).toBeGreaterThan(0);
  await pool.query(
    `update deliveries set attempts = 3, first_attempt_at = $2, wake_at = $3
     where tenant_id = $1 and wake_at is not null`,
    [other.tenantId, ago(4_000), ago(-600)],
  );
  const { deliveries, worries } = await look();
  expect(deliveries).toMatchObject({ is_all: true, overdue: 0, late_seconds: 0 });
  expect(deliveries.retrying).toBe(deliveries.waiting);
  expect(deliveries.oldest_seconds).toBeGreaterThan(3_999);
  expect(deliveries.oldest).toMatchObject({ tenant_id: other.tenantId, tenant_name: 'Harbor' });
  expect(deliveries.oldest.event_id).toMatch(/^evt_/);
  expect(worries).toContain('event_undelivered');
  expect(worries).not.toContain('deliveries_late');
  await pool.query(
    `update deliveries set attempts = 0, first_attempt_at = null, wake_at = due_at
     where tenant_id = $1 and wake_at is not null`,
    [other.tenantId],
  );
});

test("a Tenant's program sees its own queues, and its own people see none", async () => {
  await addJob('erasure', 90);
  const late = await server.apiOf(other).get('/portal/api/operations');
  expect(late.jobs.overdue).toBe(1);
  const own = await server.api.get('/portal/api/operations');
  expect([own.jobs.overdue, own.deliveries.oldest]).toEqual([0, null]);
  await removeJobs();
  const member = await portalPerson(server, other.tenantId, ['owner']);
  expect((await member.ask('GET', '/operations')).status).toBe(403);
});

test('a Tenant older than a day whose ledger was not proven in 26 hours is a worry', async () => {
  const before = await look();
  expect(before.worries).not.toContain('ledger_not_proven');
  await server.owner.query("update tenants set created_at = now() - interval '3 days'");
  const found = await look();
  expect(found.proofs.not_proven).toBe(found.proofs.tenants);
  expect(found.worries).toContain('ledger_not_proven');
});
