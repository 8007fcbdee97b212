import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { disputeCorruptions } from '../../test/harness/dispute_corruptions.ts';
import type { House } from '../../test/harness/people.ts';
import { openSampleBook } from '../../test/harness/sample_book.ts';
import { checks, inspectBook } from './verify.ts';

let house: House;
let client: pg.PoolClient;

beforeAll(async () => {
  house = await openSampleBook();
  client = await house.test.service.pool.connect();
  await client.query('begin');
  await client.query('set local session_replication_role = replica');
});
beforeEach(() => client.query('savepoint intact'));
afterEach(() => client.query('rollback to savepoint intact'));
afterAll(async () => {
  await client.query('rollback');
  client.release();
  await house.test.stop();
});

/** That one check alone: the whole book is asked in corruptions.test.ts often enough. */
test.each(disputeCorruptions)('%s finds %s', async (invariant, _deed, sql) => {
  await client.query(sql);
  const check = checks.find(({ name }) => name === invariant);
  const { rows } = await client.query(check?.sql ?? '');
  expect(rows.length).toBeGreaterThan(0);
});

test('nothing is found where nothing was corrupted', async () => {
  expect((await inspectBook(client)).violations).toEqual([]);
});
