import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { House } from './people.ts';
import { openSampleBook } from './sample_ledger.ts';

/** In the one transaction that sees what a test has done to the book. */
export let client: pg.PoolClient;

/**
 * Opens the sample book for the tests of a file; what one does to it is undone after it.
 * @param goOn what happens in the book before the first of them
 */
export function openDamagedBook(goOn?: (house: House) => Promise<unknown>): void {
  let house: House;
  beforeAll(async () => {
    house = await openSampleBook();
    await goOn?.(house);
    client = await house.test.owner.connect();
    await client.query('begin');
    // Only a superuser can: with the triggers off, entries and events are no longer append-only.
    await client.query('set local session_replication_role = replica');
  });
  beforeEach(() => client.query('savepoint intact'));
  afterEach(() => client.query('rollback to savepoint intact'));
  afterAll(async () => {
    await client.query('rollback');
    client.release();
    await house.test.stop();
  });
}
