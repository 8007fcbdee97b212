import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { startTestReceiver } from '../../test/kit/http/receiver.ts';
import { application } from '../../test/kit/person.ts';
import { openServer } from '../../test/kit/server.ts';
import { until } from '../../test/kit/wait.ts';
import { version } from '../config/version.ts';
import { noteBackup } from '../restore/backups.ts';
import { openDatabaseCounts } from './database_counts.ts';
import { openScrape } from './scrape.ts';

const server = await openServer({ alone: true });

/** A scrape as a process that starts now makes it: what stands is read once a minute. */
const series = async () => {
  const text = await openScrape(server.service)();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))] as const;
    }),
  );
};

test('what was never proven or backed up ages from the beginning, so that its alert fires', async () => {
  const { service, tenant } = server;
  const never = (await server.anotherTenant()).tenantId;
  await service.control.query('delete from control.audit_proofs');
  const begun = await openDatabaseCounts(service)();
  const names = begun?.backups.map(({ name }) => name).sort();
  expect(names?.filter((name) => name !== 'archived')).toEqual(['made', 'tried']);
  expect(begun?.auditProof).toBeGreaterThan(0);

  await server.call('GET', '/portal/api/ledger/verify');
  const { rows } = await service.pool.query<{ proven: number; never: number }>(
    `select extract(epoch from now() - (select max(at) from ledger_proofs where tenant_id = $1))::float8
         as proven,
       extract(epoch from now() - created_at)::float8 as never from tenants where tenant_id = $2`,
    [tenant.tenantId, never],
  );
  const [ages] = rows;
  expect((await openDatabaseCounts(service)())?.proof).toBeGreaterThan(ages?.proven ?? Infinity);
  expect((await openDatabaseCounts(service)())?.proof).toBeGreaterThanOrEqual(
    ages?.never ?? Infinity,
  );

  const hosted = { ...service, config: { databaseUrl: 'postgresql://elsewhere' } };
  expect((await openDatabaseCounts(hosted)())?.backups.map(({ name }) => name)).toContain(
    'archived',
  );
});

test('a scrape says what runs, and how old proofs, backups and keys are', async () => {
  const { service } = server;
  const at = new Date(service.clocks.realNow() - 3_600_000).toISOString() as never;
  await noteBackup(service.control, { what: 'made', place: 'there', at, by: 'a test' });
  await server.call('GET', '/portal/api/ledger/verify');
  const found = await series();
  const node = process.versions.node;
  expect(found.get(`build_info{version="${version}",node="${node}"}`)).toBe(1);
  expect(found.get('backup_age_seconds{what="made"}')).toBeGreaterThan(3_500);
  expect(found.get('ledger_proof_age_seconds')).toBeGreaterThanOrEqual(0);
  expect(found.has('database_certificate_seconds')).toBe(false);
});

test('alarms that nobody has taken note of are counted by their name', async () => {
  const { alarmLog } = server.service;
  for (const ref of [randomUUID(), randomUUID()])
    alarmLog.record('job', { job: 'erasure', ref }, 'a job failed');
  await alarmLog.flush();
  expect((await series()).get('alarms_open{alarm="job"}')).toBe(2);
});

test('an event is measured from its change to the 2xx of its endpoint, in all and for its Tenant', async () => {
  const receiver = await startTestReceiver();
  await server.call('PUT', '/portal/api/webhook-endpoint', {
    body: { url: receiver.url, enabled: true },
  });
  const body = application('individual');
  await server.call('POST', '/v1/customers', { key: body.external_ref, body });
  await receiver.waitFor(1);
  const lag = `webhook_lag_seconds{tenant="${server.tenant.tenantId}"}`;
  await until(async () => (await series()).has(lag));
  const found = await series();
  expect(found.get(lag)).toBeGreaterThanOrEqual(0);
  expect(found.get('webhook_delivery_seconds_count')).toBeGreaterThan(0);
  await receiver.close();
});

test('jobs that are due are counted by what they do, with the lateness of the first', async () => {
  const { service, tenant } = server;
  const { tenantId } = tenant;
  const late = new Date(service.clocks.realNow() - 120_000).toISOString();
  // A job of another release: no worker of this one runs it.
  await service.pool.query(
    `insert into jobs (tenant_id, name, ref, due_at, wake_at, lease_until)
     values ($1, 'test.tomorrow', $2, $3, $3, now() + interval '1 hour')`,
    [tenantId, randomUUID(), late],
  );
  const found = await series();
  expect(found.get('jobs_due{name="test.tomorrow"}')).toBe(1);
  expect(found.get('jobs_late_seconds{name="test.tomorrow"}')).toBeGreaterThan(100);
  await service.pool.query('delete from jobs where tenant_id = $1 and name = $2', [
    tenantId,
    'test.tomorrow',
  ]);
});
