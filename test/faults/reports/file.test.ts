import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPool } from '../../../engine/database/pool.ts';
import type { Download } from '../../../service/http/files/downloads.ts';
import { openReportFiles } from '../../../service/resources/reconciliation/file.ts';
import { type TestDatabase, testDatabase } from '../../kit/database/database.ts';
import { until } from '../../kit/wait.ts';

const tenantId = '01900000-0000-7000-8000-000000000001';
const report = '01900000-0000-7000-8000-000000000002';
/** Some seven megabytes: more than all buffers between the database and a reader hold. */
const count = 30_000;

let database: TestDatabase;
let pool: pg.Pool;
const lines: string[] = [];
const log = pino({ base: null }, { write: (line) => lines.push(line) });

beforeAll(async () => {
  database = await testDatabase();
  pool = openPool(database.url, { max: 10, statementTimeoutMs: 10_000 });
  await pool.query(
    `insert into entries (tenant_id, id, account_id, pocket, delta, number, balance_after,
        ledger_after, source_type, source_id, step, leg, transaction_type, amount, fee_amount,
        created_at)
      select '${tenantId}', gen_random_uuid(), gen_random_uuid(), 'available', 100, 1, 100, 100,
        'load', gen_random_uuid(), 'load_settled', 2, 'load', 100, 0,
        timestamptz '2026-01-20 12:00Z' + n * interval '1 ms' from generate_series(1, ${count}) n`,
  );
  await pool.query(
    `insert into reconciliation_reports (tenant_id, day, id, account_structure, opening_balance,
        closing_balance, loads, payments_balance, payments_bank, withdrawals, refunds_balance,
        refunds_bank, fees, adjustments, fee_clearing_swept, postings_count, download_url, expires_at,
        generated_at, updated_at, version)
      values ($1, '2026-01-20', $2, 'dedicated_fbo', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, $3, '', now(),
        now(), now(), 1)`,
    [tenantId, report, count],
  );
});
beforeEach(() => {
  lines.length = 0;
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function download(files = openReportFiles({ pool, log })): Promise<Download> {
  const found = await files(tenantId, report, 'en');
  if (!found) throw new Error('no file');
  return found;
}

async function textOf(one: Download): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of await one.open()) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

async function copies(): Promise<number[]> {
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and query like 'copy%'
      and state = 'active'`,
  );
  return rows.map(({ pid }) => pid);
}

test('a whole file has its rows, in the order of time, and its totals', async () => {
  const found = (await textOf(await download())).split('\n');
  expect(found).toHaveLength(1 + count + 1 + 1);
  const times = found.slice(1, -2).map((row) => row.split(',')[1] ?? '');
  expect(times).toEqual([...times].sort());
  expect(found.at(-2)).toContain(`postings_count=${count}`);
  // Beyond the deadline of any other statement the connection is as good as new.
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test('a reader who waits is waited for: the database sends no more than is read', async () => {
  const file = await (await download()).open();
  let read = 0;
  while (read < 100_000) {
    read += file.read()?.length ?? 0;
    await nextTurn();
  }
  await until(async () => {
    const { rows } = await pool.query<{ count: number }>(
      `select count(*) from pg_stat_activity where datname = current_database()
        and query like 'copy%' and wait_event = 'ClientWrite'`,
    );
    return rows[0]?.count === 1;
  });
  expect(file.readableLength).toBeLessThan(1_000_000);
  file.destroy();
  await until(async () => (await copies()).length === 0);
});

test('a reader who leaves gives back what the file took, and is no alarm', async () => {
  const files = openReportFiles({ pool, log });
  for (let reader = 0; reader < 12; reader += 1) {
    const file = await (await download(files)).open();
    let read = 0;
    for await (const chunk of file) {
      read += chunk.length;
      if (read > 100_000) break;
    }
    expect(read).toBeGreaterThan(100_000);
    expect(file.destroyed).toBe(true);
  }
  await until(async () => (await copies()).length === 0);
  expect((await textOf(await download(files))).split('\n')).toHaveLength(count + 3);
  expect(lines).toEqual([]);
});

test('a third of one tenant at a time is put off, and served when one has ended', async () => {
  const files = openReportFiles({ pool, log });
  const open = [1, 2].map(async () => (await download(files)).open());
  const [first, second] = await Promise.all(open);
  const third = await download(files);
  await expect(third.open()).rejects.toMatchObject({ status: 429, retryAfterSeconds: 1 });
  first?.destroy();
  await until(() => first?.closed ?? false);
  const served = await third.open();
  for (const file of [served, second]) file?.destroy();
  await until(async () => (await copies()).length === 0);
});

test('a file whose database goes away breaks off without its totals, with an alarm', async () => {
  const file = await (await download()).open();
  const chunks: Buffer[] = [];
  const reading = (async () => {
    for await (const chunk of file) {
      chunks.push(Buffer.from(chunk));
      for (const pid of await copies()) await pool.query('select pg_terminate_backend($1)', [pid]);
    }
  })();
  await expect(reading).rejects.toThrow();
  const text = Buffer.concat(chunks).toString();
  expect(text).toMatch(/^posting_id,/);
  expect(text).not.toContain('#TOTALS');
  expect(lines.map((line) => JSON.parse(line).alarm)).toEqual(['file']);
  expect(lines.join()).not.toContain('dl_');
});

test('a file with other rows than its report counts breaks off without its totals', async () => {
  const change = (by: number) =>
    pool.query('update reconciliation_reports set postings_count = postings_count + $1', [by]);
  await change(1);
  await expect(textOf(await download())).rejects.toThrow('the file has the rows');
  await change(-1);
  expect(lines.map((line) => JSON.parse(line).alarm)).toEqual(['file']);
});
