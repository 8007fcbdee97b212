import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { command } from '../../../service/core/command.ts';
import { openClient } from '../../../service/db/pool.ts';
import { adjustAccount } from '../../../service/resources/accounts/adjust.ts';
import { type Person, playScenario } from '../../contract/scenario.ts';
import { type TestDatabase, testDatabase } from '../../kit/database.ts';
import { uuid } from '../../kit/ids.ts';
import { startTestServer, type TestServer } from '../../kit/server.ts';

/** Two processes of one deployment, on one clock of the machine that the test moves. */
let database: TestDatabase;
let one: TestServer;
let other: TestServer;
let locker: pg.Client;
let realMs: number;

const eveningOfThe20th = Date.parse('2026-01-21T04:59:59Z');
const sixOfThe21st = Date.parse('2026-01-21T11:00:01Z');
const daySeconds = 86_400_000;

async function startBoth({ workers }: { workers: boolean }): Promise<void> {
  realMs = Date.parse('2026-01-20T15:00:00Z');
  const shared = { database, workers, realNow: () => realMs };
  one = await startTestServer(shared);
  const { pinPepper, sealingKey, qrSigningKey } = one.service.config;
  other = await startTestServer({ ...shared, secrets: { pinPepper, sealingKey, qrSigningKey } });
}

beforeEach(async () => {
  database = await testDatabase();
  locker = await openClient(database.url);
});
afterEach(async () => {
  await locker.end();
  await one.stop();
  await other.stop();
  await database.drop();
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

const inputOf = ({ accountId }: Person) => ({ id: uuid('account', accountId), amount: 5_00 });

/** Holds what a batch that moves the account's money must write. */
async function lock({ accountId }: Person): Promise<void> {
  await locker.query('begin');
  await locker.query('select from balances where account_id = $1 for update', [
    uuid('account', accountId),
  ]);
}

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 8_000;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`it never came that ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
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
  const { payer } = await playScenario(one.baseUrl, one.token);
  const { payer: blocked } = await playScenario(one.baseUrl, stranger.token);
  const { tenantId } = one.tenant;
  const { engine } = one.service;
  realMs = eveningOfThe20th;
  // Another tenant's batch stands before ours: ours is decided, and waits to be written.
  await lock(blocked);
  const before = engine.submit(adjustAccount, {
    tenantId: stranger.tenantId,
    input: inputOf(blocked),
  });
  await until('the batch before it waits', async () => (await waiting(ledger)) === 1);
  const decided: string[] = [];
  const held = engine.submit(movement(decided), { tenantId, input: inputOf(payer) });
  await until('it is decided', () => decided.length === 1);

  realMs = sixOfThe21st;
  await other.workers.jobs.runDueJobs(tenantId);
  expect(await adjustmentsOf(tenantId)).toEqual({ '2026-01-20': 0 });
  await locker.query('rollback');
  await Promise.all([before, held]);
  expect(decided.map((at) => at.slice(0, 13))).toEqual(['2026-01-21T04', '2026-01-21T11']);
  realMs += daySeconds;
  await other.workers.jobs.runDueJobs(tenantId);
  expect(await adjustmentsOf(tenantId)).toEqual({ '2026-01-20': 0, '2026-01-21': 5_00 });
});

test('what is being committed when the report is asked for is waited for, and counted', async () => {
  await startBoth({ workers: false });
  const { payer } = await playScenario(one.baseUrl, one.token);
  const { tenantId } = one.tenant;
  realMs = eveningOfThe20th;
  await lock(payer);
  const held = one.service.engine.submit(adjustAccount, { tenantId, input: inputOf(payer) });
  await until('its commit waits', async () => (await waiting(ledger)) === 1);
  realMs = sixOfThe21st;
  const reported = other.workers.jobs.runDueJobs(tenantId);
  await until('the report waits for it', async () => (await waiting(door)) > 0);
  expect(await adjustmentsOf(tenantId)).toEqual({});
  await locker.query('rollback');
  await Promise.all([held, reported]);
  expect(await adjustmentsOf(tenantId)).toEqual({ '2026-01-20': 5_00 });
});

test('days that nobody was there to report are made up for, each once, by two workers at a time', async () => {
  await startBoth({ workers: true });
  const { tenantId } = one.tenant;
  realMs += 30 * daySeconds;
  const days = async () => Object.keys(await adjustmentsOf(tenantId));
  await until('all days are reported', async () => (await days()).length === 30);
  expect(new Set(await days()).size).toBe(30);
  const { rows } = await one.service.pool.query<{ count: number }>(
    `select count(*) from events where tenant_id = $1 and type = 'reconciliation_report.available'`,
    [tenantId],
  );
  expect(rows[0]?.count).toBe(30);
});
