import { setTimeout as sleep } from 'node:timers/promises';
import pg, { type Client } from 'pg';
import { type Carrier, CopyDiffers, firstRow } from './carry.ts';
import { copyRest, proveBalances } from './copy.ts';
import { depart } from './depart.ts';
import { deleteServed } from './leave.ts';
import { inBoth, isBeside, type Route } from './route.ts';
import type { MovedTable } from './tables.ts';
import { stopTimes } from './timing.ts';

/** A stop that took longer than the longest one; the Tenant goes on where it was. */
export class StopTooLong extends Error {}

/** Whether an error is of work that runs at once in both cells, such as a deadlock with a delivery. */
const metOthers = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && ['40P01', '40001', '55P03'].includes(error.code ?? '');

/** Waits for commits that are under way, and holds those that come (rules/cells#18). */
const lockTenant = (schema: string) =>
  `select stopped_until > clock_timestamp() as stopped from ${schema}.tenants where tenant_id = $1 for update`;

/** With less of the stop left nothing is tried again. */
const leastMs = 1_000;

/** One side waits so much longer for the other, whose statement ends first; all is over with the lease. */
const graceMs = stopTimes.lease - stopTimes.longest;

interface Switch {
  readonly route: Route;
  readonly carrier: Carrier;
  readonly tables: readonly MovedTable[];
  readonly since: string;
  readonly moveId: string;
  /** In `performance.now` time. */
  readonly deadlineMs: number;
  /** The further writes in control, before the commit. */
  readonly also: (control: Client) => Promise<void>;
  /** The callback of `inBoth`. */
  readonly arrived: () => void | Promise<void>;
}

/**
 * Changes the cell where both are in the database of control: the Tenant is served in the new one from the commit on.
 */
async function changeCell({ route, tables, moveId }: Switch): Promise<void> {
  const { tenantId, to, control } = route;
  await control.query(`update ${to.schema}.tenants set stopped_until = null where tenant_id = $1`, [
    tenantId,
  ]);
  await control.query('update control.tenants set cell = $2 where tenant_id = $1', [
    tenantId,
    to.cell,
  ]);
  await control.query(`delete from ${to.schema}.departures where tenant_id = $1`, [tenantId]);
  await deleteServed(route, tables);
  await control.query(
    `update control.moves set state = 'switched', switched_at = clock_timestamp() where id = $1`,
    [moveId],
  );
}

function tryOnce(given: Switch): Promise<number> {
  const { route, carrier, tables, since, moveId, deadlineMs, also, arrived } = given;
  const { from, to, control, tenantId } = route;
  const work = async () => {
    const leftMs = Math.floor(deadlineMs - performance.now());
    if (leftMs <= 0) throw new StopTooLong('no time is left');
    for (const { client } of [from, to])
      await client.query(`set local statement_timeout = ${leftMs};
        set local idle_in_transaction_session_timeout = ${leftMs + graceMs}`);
    const locked = await firstRow<{ stopped: boolean | null }>(
      from.client,
      lockTenant(from.schema),
      [tenantId],
    );
    if (locked?.stopped !== true) throw new StopTooLong('the stop is over');
    const rows = await copyRest(carrier, tables, since);
    await proveBalances(to, tenantId);
    await (isBeside(route) ? changeCell(given) : depart(route, tables, moveId));
    await also(control);
    if (performance.now() > deadlineMs) throw new StopTooLong('it took too long');
    return rows;
  };
  return inBoth(route, work, { arrived });
}

/**
 * Copies what is left and makes the new cell the Tenant's: in one transaction, or, between two databases, in
 * one of each (rules/cells#25).
 * @returns the rows that were copied in it
 * @throws StopTooLong when the deadline comes first, and nothing has changed
 */
export async function switchOver(given: Switch): Promise<number> {
  for (;;) {
    try {
      return await tryOnce(given);
    } catch (error) {
      // `statement_timeout` is the rest of the stop.
      if (error instanceof pg.DatabaseError && error.code === '57014')
        throw new StopTooLong(error.message);
      const mayTryAgain = error instanceof CopyDiffers || metOthers(error);
      if (!mayTryAgain) throw error;
      if (given.deadlineMs - performance.now() >= leastMs) await sleep(stopTimes.poll);
      else throw metOthers(error) ? new StopTooLong((error as Error).message) : error;
    }
  }
}
