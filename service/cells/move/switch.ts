import { setTimeout as sleep } from 'node:timers/promises';
import pg, { type Client } from 'pg';
import { CopyDiffers, copyRest, proveBalances } from './copy.ts';
import { deleteServed } from './leave.ts';
import { leaveBehind, type Route } from './route.ts';
import type { MovedTable } from './tables.ts';
import { stopTimes } from './timing.ts';

/** A stop that took longer than the longest one; the Tenant goes on where it was. */
export class StopTooLong extends Error {}

/** What runs at once in both cells, such as a deadlock with a delivery, may be tried again. */
const mayTryAgain = (error: unknown): boolean =>
  error instanceof CopyDiffers ||
  (error instanceof pg.DatabaseError && ['40P01', '40001', '55P03'].includes(error.code ?? ''));

/** Waits for commits that are under way, and holds those that come (rules/cells#18). */
const lockTenant = (cell: string) =>
  `select stopped_until > clock_timestamp() as stopped from ${cell}.tenants where tenant_id = $1 for update`;

/** With less of the stop left nothing is tried again. */
const leastMs = 1_000;

interface Switch {
  readonly route: Route;
  readonly tables: readonly MovedTable[];
  readonly since: string;
  readonly moveId: string;
  readonly cell: string;
  /** In `performance.now` time. */
  readonly deadlineMs: number;
  /** What is written besides, before the commit. */
  readonly also: () => Promise<void>;
}

async function tryOnce(client: Client, given: Switch): Promise<number> {
  const { route, tables, since, moveId, cell, deadlineMs, also } = given;
  const leftMs = Math.floor(deadlineMs - performance.now());
  if (leftMs <= 0) throw new StopTooLong('no time is left');
  await client.query('begin');
  try {
    await client.query(`set local statement_timeout = ${leftMs};
      set local idle_in_transaction_session_timeout = ${leftMs}`);
    const { rows: locked } = await client.query<{ stopped: boolean | null }>(
      lockTenant(route.from),
      [route.tenantId],
    );
    if (locked[0]?.stopped !== true) throw new StopTooLong('the stop is over');
    await client.query(leaveBehind, [route.tenantId]);
    const rows = await copyRest(client, route, tables, since);
    await proveBalances(client, route);
    await client.query(`update ${route.to}.tenants set stopped_until = null where tenant_id = $1`, [
      route.tenantId,
    ]);
    await client.query('update control.tenants set cell = $2 where tenant_id = $1', [
      route.tenantId,
      cell,
    ]);
    await deleteServed(client, route, tables);
    await client.query(
      `update control.moves set state = 'switched', switched_at = clock_timestamp() where id = $1`,
      [moveId],
    );
    await also();
    if (performance.now() > deadlineMs) throw new StopTooLong('it took too long');
    await client.query('commit');
    return rows;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    // `statement_timeout` is the rest of the stop.
    if (error instanceof pg.DatabaseError && error.code === '57014')
      throw new StopTooLong(error.message);
    throw error;
  }
}

/**
 * Copies what is left and makes the new cell the Tenant's, in one transaction.
 * @returns the rows that were copied in it
 * @throws StopTooLong when the deadline comes first, and nothing has changed
 */
export async function switchOver(client: Client, given: Switch): Promise<number> {
  for (;;) {
    try {
      return await tryOnce(client, given);
    } catch (error) {
      const leftMs = given.deadlineMs - performance.now();
      if (!mayTryAgain(error) || leftMs < leastMs) throw error;
      await sleep(stopTimes.poll);
    }
  }
}
