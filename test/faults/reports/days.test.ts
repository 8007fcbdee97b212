import type pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { command } from '../../../engine/command.ts';
import { openClient } from '../../../engine/database/pool.ts';
import { adjustAccount } from '../../../service/resources/accounts/adjust.ts';
import { uuid } from '../../kit/ids.ts';
import type { Person } from '../../kit/person.ts';
import { startTestServer, type TestServer } from '../../kit/server.ts';
import { until } from '../../kit/wait.ts';

/** Two processes of one deployment, on one clock of the machine that the test moves. */
let one: TestServer;
let other: TestServer;
let locker: pg.Client;
let realMs: number;

const eveningOfThe20th = Date.parse('2026-01-21T04:59:59Z');
const sixOfThe21st = Date.parse('2026-01-21T11:00:01Z');
const dayMs = 86_400_000;

async function startBoth({ workers }: { workers: boolean }): Promise<void> {
  realMs = Date.parse('2026-01-20T15:00:00Z');
  one = await startTestServer({ workers, realNow: () => realMs });
  other = await startTestServer({ workers, beside: one });
  locker = await openClient(one.databaseUrl);
}
afterEach(async () => {
  await locker.end();
  await other.stop();
  await one.stop();
});

/** An adjustment of $5.00 that says when it was decided. */
function movement(decided: string[]) {
  return command('movement', {
    load: adjustAccount.load,
    decide: (work, loaded, input: { id: string; amount: number }) => {
      decided.push(work.now);
      return adjustAccount.decide(work, loaded, input, undefined);
    },
  });
}

const idle = command('idle', { load: async () => null, decide: () => ({ value: null }) });

const inputOf = ({ accountId }: Person) => ({ id: uuid('account', accountId), amount: 5_00 });

/** Holds what a batch that moves the account's money must write. */
async function lock({ accountId }: Person): Promise<void> {
  await locker.query('begin');
  await locker.query('select from balances where account_id = $1 for update', [
    uuid('account', accountId),
  ]);
}

/** How many statements that begin so wait for a lock. */
async function waiting(statement: string): Promise<number> {
  const { rows } = await one.owner.query<{ count: number }>(
    `select count(*) from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock' and query like $1`,
    [`${statement}%`],
  );
  return rows[0]?.count ?? 0;
}
const ledger = 'with held as';
const door = 'update tenants set revision';

async function adjustmentsOf(tenantId: string): Promise<Record<string, number>> {
  const { rows } = await one.service.pool.query<{ day: string; adjustments: number }>(
    'select day, adjustments from reconciliation_reports where tenant_id = $1 order by day',
    [tenantId],
  );
  return Object.fromEntries(rows.map(({ day, adjustments }) => [day, adjustments]));
}

test('what was decided before midnight and not committed by the report is decided again, for its own day', async () => {
  await startBoth({ workers: false });
  const stranger = await one.anotherTenant();
  const payer = await one.api.approved('individual');
  const blocked = await one.apiOf(stranger).approved('individual');
  const { tenantId } = one.tenant;
  const { engine } = one.service;
  realMs = eveningOfThe20th;
  // Another tenant's batch stands before ours: ours is decided, and waits to be written.
  await lock(blocked);
  const before = engine.submit(adjustAccount, {
    tenantId: stranger.tenantId,
    input: inputOf(blocked),
  });
  await until(async () => (await waiting(ledger)) === 1);
  const decided: string[] = [];
  const held = engine.submit(movement(decided), { tenantId, input: inputOf(payer) });
  // A batch of few commands would wait for the one before it to be written, and decide afterwards.
  const others = Array.from({ length: 40 }, () => engine.submit(idle, { tenantId, input: {} }));
  await until(() => decided.length === 1);

  realMs = sixOfThe21st;
  await other.workers.jobs.runDueJobs(tenantId);
  expect(await adjustmentsOf(tenantId)).toEqual({ '2026-01-20': 0 });
  await locker.query('rollback');
  await Promise.all([before, held, ...others]);
  expect(decided.map((at) => at.slice(0, 13))).toEqual(['2026-01-21T04', '2026-01-21T11']);
  realMs += dayMs;
  await other.workers.jobs.runDueJobs(tenantId);
  expect(await adjustmentsOf(tenantId)).toEqual({ '2026-01-20': 0, '2026-01-21': 5_00 });
});

test('what is being committed when the report is asked for is waited for, and counted', async () => {
  await startBoth({ workers: false });
  const payer = await one.api.approved('individual');
  const { tenantId } = one.tenant;
  realMs = eveningOfThe20th;
  await lock(payer);
  const held = one.service.engine.submit(adjustAccount, { tenantId, input: inputOf(payer) });
  await until(async () => (await waiting(ledger)) === 1);
  realMs = sixOfThe21st;
  const reported = other.workers.jobs.runDueJobs(tenantId);
  await until(async () => (await waiting(door)) > 0);
  expect(await adjustmentsOf(tenantId)).toEqual({});
  await locker.query('rollback');
  await Promise.all([held, reported]);
  expect(await adjustmentsOf(tenantId)).toEqual({ '2026-01-20': 5_00 });
});

test('two workers report the days of an outage afterwards, each day once', async () => {
  await startBoth({ workers: true });
  const { tenantId } = one.tenant;
  realMs += 30 * dayMs;
  const days = async () => Object.keys(await adjustmentsOf(tenantId));
  await until(async () => (await days()).length === 30);
  expect(new Set(await days()).size).toBe(30);
  const { rows } = await one.service.pool.query<{ count: number }>(
    `select count(*) from events where tenant_id = $1 and type = 'reconciliation_report.available'`,
    [tenantId],
  );
  expect(rows[0]?.count).toBe(30);
});
