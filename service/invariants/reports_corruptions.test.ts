import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { House } from '../../test/harness/people.ts';
import { reportCorruptions } from '../../test/harness/report_corruptions.ts';
import { openSampleBook } from '../../test/harness/sample_book.ts';
import { openWire } from '../../test/harness/wire.ts';
import { reportsChecks } from './reports.ts';
import { inspectBook } from './verify.ts';

let house: House;
let client: pg.PoolClient;

/** The sample book, and what comes of it until a month and a day are over. */
beforeAll(async () => {
  house = await openSampleBook();
  await openWire(house.test).post('/portal/api/clock/advance', { to: '2026-03-02T12:00:00Z' });
  client = await house.test.owner.connect();
  await client.query('begin');
  // Only a superuser can: with the triggers off, entries are no longer append-only.
  await client.query('set local session_replication_role = replica');
});

beforeEach(() => client.query('savepoint intact'));
afterEach(() => client.query('rollback to savepoint intact'));

afterAll(async () => {
  await client.query('rollback');
  client.release();
  await house.test.stop();
});

test('the book of a month that is over is intact', async () => {
  const { violations } = await inspectBook(client);
  expect(violations).toEqual([]);
});

test.each(reportCorruptions)('%s finds %s', async (invariant, _, sql) => {
  await client.query(sql);
  const { ok, violations } = await inspectBook(client);
  expect(ok).toBe(false);
  const found = violations.map((violation) => violation.invariant);
  expect(found).toContain(invariant);
});

test('every check of reports has a corruption that it finds', () => {
  const tried = new Set(reportCorruptions.map(([invariant]) => invariant));
  expect(reportsChecks.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([]);
});
