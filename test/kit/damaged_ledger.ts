import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { openSampleLedger } from './sample_ledger.ts';
import type { TestServer } from './server.ts';

/** In the one transaction that sees what a test has done to the book. */
export let client: pg.PoolClient;

/**
 * Opens the sample book for the tests of a file; what one does to it is undone after it.
 * @param goOn what happens in the book before the first of them
 */
export function openDamagedLedger(goOn?: (server: TestServer) => Promise<unknown>): void {
  let server: TestServer;
  beforeAll(async () => {
    server = await openSampleLedger();
    await goOn?.(server);
    client = await server.owner.connect();
    await client.query('begin');
    // Only a superuser can: with the triggers off, entries and events are no longer append-only.
    await client.query('set local session_replication_role = replica');
  });
  beforeEach(() => client.query('savepoint intact'));
  afterEach(() => client.query('rollback to savepoint intact'));
  afterAll(async () => {
    await client.query('rollback');
    client.release();
    await server.stop();
  });
}
