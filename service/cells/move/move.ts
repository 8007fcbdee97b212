import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Actor } from '../../core/actor.ts';
import { fail } from '../../core/fail.ts';
import { type AuditRow, appendAuditRows } from '../../core/write/flush_audit.ts';
import { openClient } from '../../db/pool.ts';
import { platform } from '../../people/scope.ts';
import { copyAhead } from './copy.ts';
import { clearNew, clearOld } from './leave.ts';
import type { Route } from './route.ts';
import { StopTooLong, switchOver } from './switch.ts';
import { type MovedTable, movedTables } from './tables.ts';
import { stopTimes } from './timing.ts';

/** Where a move is. It may be killed at each of these, and the Tenant is in one cell. */
export type MoveStep = 'begun' | 'copied' | 'stopped' | 'ready' | 'switched' | 'cleared';

export interface MoveRequest {
  readonly tenantId: string;
  readonly to: string;
  readonly actor: Actor;
}

/** Who is told what happens. */
export interface MoveWatch {
  /** Told of each step before the next one begins. */
  readonly at?: (step: MoveStep) => void | Promise<void>;
  /** Told of the row of the audit, once it is there. */
  readonly audited?: (rows: readonly AuditRow[]) => void;
}

export interface Moved {
  readonly tenant_id: string;
  readonly from: string;
  readonly to: string;
  /** All rows, and those that were copied while the Tenant was stopped. */
  readonly rows: number;
  readonly rows_in_stop: number;
  /** From the stop to the switch, in milliseconds. */
  readonly stopped_ms: number;
}

/** Rounds of copying go on until one finds so few rows, or this many rounds were made. */
const fewRows = 2_000;
const maximumRounds = 8;

/**
 * Tables that a move has just filled or cleared have statistics of before: with a loop for each row, one
 * statement took ten seconds for 6,000 rows.
 */
const wholeTables = 'set enable_nestloop = off';

/** Late lines of logs are written within this time after the switch. */
const lateMs = 1_500;

interface Placed {
  readonly cell: string;
  /** A move that was ended half-way; null: none. */
  readonly open: {
    readonly id: string;
    readonly from_cell: string;
    readonly to_cell: string;
  } | null;
}

const placeOf = `select t.cell, to_jsonb(m) as open from control.tenants t
  left join control.moves m on m.tenant_id = t.tenant_id and m.state in ('copying', 'stopped', 'switched')
  where t.tenant_id = $1`;

/** Of all moves of a Tenant one runs at a time; the lock ends with the session. */
const lockMove = `select pg_try_advisory_lock(hashtextextended('tenant_payments.move.' || $1, 0)) as held`;

async function lockedPlace(client: Client, tenantId: string): Promise<Placed> {
  const { rows } = await client.query<{ held: boolean }>(lockMove, [tenantId]);
  if (!rows[0]?.held)
    throw fail('invalid_state', {
      details: { reason: 'moving' },
      message: 'another command moves this Tenant now',
    });
  const [place] = (await client.query<Placed>(placeOf, [tenantId])).rows;
  if (!place) throw fail('not_found', { details: { reason: 'unknown_tenant' } });
  return place;
}

const endMove = (client: Client, id: string, state: 'done' | 'undone', rows: number | null) =>
  client.query(
    `update control.moves set state = $2, rows = $3, ended_at = clock_timestamp() where id = $1`,
    [id, state, rows],
  );

interface Started {
  readonly client: Client;
  readonly route: Route;
  readonly tables: readonly MovedTable[];
}

async function routeOf(client: Client, tenantId: string, from: string, to: string) {
  const tables = await movedTables(client, from, to);
  const quoted = (cell: string) => client.escapeIdentifier(cell);
  return { client, tables, route: { tenantId, from: quoted(from), to: quoted(to) } };
}

/** Lets the Tenant go on at once; where its row is locked for long, the stop ends by itself. */
async function goOn({ client, route }: Started): Promise<void> {
  await client.query('begin');
  await client.query(`set local lock_timeout = ${stopTimes.poll}`);
  const freed = `update ${route.from}.tenants set stopped_until = null where tenant_id = $1`;
  const done = await client.query(freed, [route.tenantId]).then(
    () => 'commit',
    () => 'rollback',
  );
  await client.query(done);
}

/** Ends a move that was killed: the Tenant stays where it is, and the other cell is cleared. */
async function endLeftover(client: Client, tenantId: string, { cell, open }: Placed) {
  if (open === null) return;
  const started = await routeOf(client, tenantId, open.from_cell, open.to_cell);
  const { route, tables } = started;
  if (cell === open.to_cell) await clearOld(client, route, tables);
  else {
    await goOn(started);
    await clearNew(client, route, tables);
  }
  await endMove(client, open.id, cell === open.to_cell ? 'done' : 'undone', null);
}

/** Stops the Tenant: from now on nothing is begun for it. @throws ApiError while its clock is moved */
async function stop({ client, route }: Started, moveId: string): Promise<void> {
  await client.query('begin');
  const until = `clock_timestamp() + $2 * interval '1 ms'`;
  const { rowCount } = await client.query(
    `update ${route.from}.tenants set stopped_until = ${until}
      where tenant_id = $1 and clock_target is null`,
    [route.tenantId, stopTimes.lease],
  );
  if (rowCount !== 1) {
    await client.query('rollback');
    throw fail('invalid_state', {
      details: { reason: 'clock_advancing' },
      message: 'the clock of the Tenant is being moved; move it when that is over',
    });
  }
  await client.query(
    `update control.moves set state = 'stopped', stopped_until = ${until} where id = $1`,
    [moveId, stopTimes.lease],
  );
  await client.query('commit');
}

/** Copies while the Tenant is served, until little is written between two rounds. */
async function copyWhileServed({ client, route, tables }: Started) {
  let { rows, horizon } = await copyAhead(client, route, tables, null);
  for (let round = 1; round < maximumRounds; round += 1) {
    const next = await copyAhead(client, route, tables, horizon);
    rows += next.rows;
    horizon = next.horizon;
    if (next.rows <= fewRows) break;
  }
  return { rows, horizon };
}

const tooLong = () =>
  fail('invalid_state', {
    details: { reason: 'stop_too_long', longest_ms: stopTimes.longest },
    message:
      'the stop would have taken more than 5 seconds, so the Tenant stays; try at a quieter hour, while no dump or other long transaction is open',
  });

/** @throws ApiError where one of the cells is in another database */
async function assertBothHere(client: Client, from: string, to: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_namespace where nspname in ($1, $2)', [
    from,
    to,
  ]);
  if (rowCount !== 2)
    throw fail('parameter_invalid', {
      param: 'to',
      details: { reason: 'other_database' },
      message: `a Tenant moves within one database, and ${from} and ${to} are not both in that of DATABASE_URL`,
    });
}

/**
 * Moves a Tenant to another cell of its database while it is served, but for a short stop (rules/cells#15).
 * Whenever it is killed, the Tenant is whole in one cell; the next move of it clears the other one.
 * @param url the database, as the owner of its tables
 * @throws ApiError not_found; parameter_invalid, param `to`, reason `same_cell` or `other_database`;
 *   invalid_state, reason `moving`, `clock_advancing` or `stop_too_long`
 */
export async function moveTenant(
  url: string,
  { tenantId, to, actor }: MoveRequest,
  watch: MoveWatch = {},
): Promise<Moved> {
  const client = await openClient(url);
  try {
    await client.query(wholeTables);
    const place = await lockedPlace(client, tenantId);
    await endLeftover(client, tenantId, place);
    const { cell: from } = place;
    if (from === to)
      throw fail('parameter_invalid', {
        param: 'to',
        details: { reason: 'same_cell' },
        message: `the Tenant is in ${to}`,
      });
    await assertBothHere(client, from, to);
    const started = await routeOf(client, tenantId, from, to);
    return await run(started, { from, to, actor, watch });
  } finally {
    await client.end();
  }
}

interface Run extends Pick<Moved, 'from' | 'to'>, Pick<MoveRequest, 'actor'> {
  readonly watch: MoveWatch;
}

/** In the transaction of the switch: a Tenant is never moved without its row of the audit. */
async function writeAudit(
  client: Client,
  record: string,
  { actor, from, to }: Run,
): Promise<readonly AuditRow[]> {
  const after = { from, to };
  const { text, values } = appendAuditRows([
    { scope: platform, actor, act: 'moveTenant', record, outcome: 'done', after },
  ]);
  return (await client.query<AuditRow>(text, values)).rows;
}

async function run(started: Started, given: Run): Promise<Moved> {
  const { client, route, tables } = started;
  const { from, to, watch } = given;
  const { at = () => {}, audited = () => {} } = watch;
  const { tenantId } = route;
  let written: readonly AuditRow[] = [];
  const moveId = randomUUID();
  await client.query(
    `insert into control.moves (id, tenant_id, from_cell, to_cell, state, started_at)
      values ($1, $2, $3, $4, 'copying', clock_timestamp())`,
    [moveId, tenantId, from, to],
  );
  await at('begun');
  let isSwitched = false;
  try {
    const copied = await copyWhileServed(started);
    await at('copied');
    const stoppedMs = performance.now();
    await stop(started, moveId);
    await at('stopped');
    await sleep(stopTimes.settle);
    const inStop = await switchOver(client, {
      ...{ route, tables, moveId, since: copied.horizon, cell: to },
      deadlineMs: stoppedMs + stopTimes.longest,
      also: async () => {
        written = await writeAudit(client, tenantId, given);
        await at('ready');
      },
    });
    isSwitched = true;
    audited(written);
    const stopped_ms = Math.round(performance.now() - stoppedMs);
    await at('switched');
    await sleep(lateMs);
    await clearOld(client, route, tables);
    const rows = copied.rows + inStop;
    await endMove(client, moveId, 'done', rows);
    await at('cleared');
    return { tenant_id: tenantId, from, to, rows, rows_in_stop: inStop, stopped_ms };
  } catch (error) {
    if (!isSwitched) await undo(started, moveId).catch(() => {});
    throw error instanceof StopTooLong ? tooLong() : error;
  }
}

async function undo(started: Started, moveId: string): Promise<void> {
  await goOn(started);
  await clearNew(started.client, started.route, started.tables);
  await endMove(started.client, moveId, 'undone', null);
}
