import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { unpackEvent } from '../../../engine/packed_text/event_text.ts';
import { sealProven } from '../../../service/invariants/sealed/seal.ts';
import type { TestServer } from '../server.ts';
import { openSampleLedger } from './sample_ledger.ts';

const folder = new URL('../../../service/invariants/', import.meta.url);

/** The single faults that a file of `service/invariants` lists: invariant, what was done, SQL. */
export function corruptionsIn(file: string): [invariant: string, deed: string, sql: string][] {
  const text = readFileSync(new URL(file, folder), 'utf8');
  const faults = text.matchAll(/^-- (\S+): (.+)\n((?:(?!-- ).+\n)+)/gm);
  return [...faults].map(([, invariant = '', deed = '', sql = '']) => [invariant, deed, sql]);
}

/** In the one transaction that sees what a test has done to the ledger. */
export let client: pg.PoolClient;
export let tenantId: string;

/** Corruptions change single words of events, which a text that is not packed holds. */
async function unpackEvents(): Promise<void> {
  const { rows } = await client.query('select id, created_at, object_id, body from events');
  await client.query(
    `update events e set body = x.body from unnest($1::uuid[], $2::text[]) x(id, body)
     where e.id = x.id`,
    [rows.map(({ id }) => id), rows.map(unpackEvent)],
  );
}

/** The end of the sealed part, by the Tenant's clock. */
export const sealedUntil = { all: '2099-01-01T00:00:00.000Z', nothing: '2000-01-01T00:00:00.000Z' };

/**
 * Opens the sample ledger for the tests of a file; what one does to it is undone after it.
 * @param goOn what happens in the ledger before the first of them
 * @param limit until when it is sealed
 */
export function openDamagedLedger(
  goOn?: (server: TestServer) => Promise<unknown>,
  limit: string = sealedUntil.all,
): void {
  let server: TestServer;
  beforeAll(async () => {
    server = await openSampleLedger();
    await goOn?.(server);
    client = await server.owner.connect();
    tenantId = server.tenant.tenantId;
    await sealProven(client, tenantId, { limit, provenAt: limit });
    await client.query('begin');
    // Only a superuser can: with the triggers off, entries and events are no longer append-only.
    await client.query('set local session_replication_role = replica');
    await unpackEvents();
  });
  beforeEach(() => client.query('savepoint intact'));
  afterEach(() => client.query('rollback to savepoint intact'));
  afterAll(async () => {
    await client.query('rollback');
    client.release();
    await server.stop();
  });
}
