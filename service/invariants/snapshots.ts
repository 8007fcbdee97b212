import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@tenant-payments/engine/fail.ts';
import type pg from 'pg';

/** A whole ledger may take longer than any other query, but not for ever. */
export const deadlineMs = 600_000;

/** One processor at a time, since it runs beside payments. */
export const settings =
  `set local statement_timeout = ${deadlineMs}; set local work_mem = '64MB'; ` +
  'set local max_parallel_workers_per_gather = 0';

const begin = `begin isolation level repeatable read read only; ${settings}`;

/** Works with a connection of the pool. @throws what the work does, and when the signal ends it */
export async function withPoolClient<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const client = await pool.connect();
  let released = false;
  // A client whose transaction is still open must not return to the pool.
  const release = (failure?: Error) => {
    if (!released) client.release(failure);
    released = true;
  };
  const onAbort = () => release(new Error('the verification was ended'));
  try {
    signal?.throwIfAborted();
    signal?.addEventListener('abort', onAbort);
    const result = await work(client);
    release();
    return result;
  } catch (error) {
    release(error instanceof Error ? error : new Error(String(error)));
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Reads in one snapshot, without writing. */
export async function inSnapshot<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query(begin);
  const result = await work();
  await client.query('commit');
  return result;
}

/** The Tenant was moved to another cell, which proves its rows. 503: the caller is led there next time. */
export class TenantLeft extends ApiError {
  constructor() {
    super('internal_error', {
      status: 503,
      message: 'the Tenant is in another cell',
      retryAfter: 1,
      details: { reason: 'cell' },
    });
  }
}

/** Once the move has switched, the rows of this cell are cleared table by table. */
async function assertStays(client: pg.ClientBase, tenantId: string): Promise<void> {
  const { rowCount } = await client.query('select from departures where tenant_id = $1', [
    tenantId,
  ]);
  if (rowCount !== 0) throw new TenantLeft();
}

/** A snapshot of so short a time harms nobody, so small steps share one. */
const shortMs = 20;

export interface Pace {
  readonly tenantId: string;
  /** How long it rests after each step, as a multiple of the time that the step took. */
  readonly rests: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads one Tenant in many snapshots, a step or some small ones in each, and rests between them. A snapshot
 * that is held keeps every version of every row that is changed, so payments become slower and slower.
 * @param work is given what ends a step and begins the next
 * @throws TenantLeft
 */
export async function inSnapshots<T>(
  client: pg.ClientBase,
  { tenantId, rests, signal }: Pace,
  work: (pause: () => Promise<void>) => Promise<T>,
): Promise<T> {
  let sinceMs = performance.now();
  async function pause(): Promise<void> {
    const tookMs = performance.now() - sinceMs;
    if (tookMs < shortMs) return;
    await client.query('commit');
    await sleep(tookMs * rests, undefined, signal && { signal });
    sinceMs = performance.now();
    await client.query(begin);
    await assertStays(client, tenantId);
  }
  return inSnapshot(client, async () => {
    await assertStays(client, tenantId);
    return work(pause);
  });
}
