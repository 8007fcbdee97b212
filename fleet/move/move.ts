import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { platform } from '@tenant-payments/backoffice/people/scope.ts';
import type { Actor } from '@tenant-payments/engine/actor.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { type AuditRow, appendAuditRows } from '@tenant-payments/engine/write/flush_audit.ts';
import type { Client } from 'pg';
import { type Carrier, firstRow, openCarrier } from './carry.ts';
import { copyAhead } from './copy.ts';
import { finishMove, hasDeparted } from './depart.ts';
import { clearNew, clearOld } from './leave.ts';
import { type Connections, type Owners, withConnections } from './owners.ts';
import { isBeside, type Route } from './route.ts';
import { StopTooLong, switchOver } from './switch.ts';
import { type MovedTable, movedTables } from './tables.ts';
import { stopTimes } from './timing.ts';

/**
 * The steps of a move. It may be killed at each of these, and the Tenant is in one cell. Only between two databases it
 * has `arrived`, when the new cell has it and may not serve it, and `departed`, when the old one has it no more.
 */
export const moveSteps = [
  'begun',
  'copied',
  'stopped',
  'ready',
  'arrived',
  'departed',
  'switched',
  'cleared',
] as const;
export type MoveStep = (typeof moveSteps)[number];

export interface MoveRequest {
  readonly tenantId: string;
  readonly to: string;
  readonly actor: Actor;
}

/** The watcher of a move. */
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

const placeOf = `select t.cell, case when m.id is not null then
    jsonb_build_object('id', m.id, 'from_cell', m.from_cell, 'to_cell', m.to_cell) end as open from control.tenants t
  left join control.moves m on m.tenant_id = t.tenant_id and m.state in ('copying', 'stopped', 'switched')
  where t.tenant_id = $1`;

/** The lock by which one move of a Tenant runs at a time; the lock ends with the session. */
const lockMove = `select pg_try_advisory_lock(hashtextextended('tenant_payments.move.' || $1, 0)) as held`;

/** @throws ApiError not_found */
async function placeIn(control: Client, tenantId: string): Promise<Placed> {
  const place = await firstRow<Placed>(control, placeOf, [tenantId]);
  if (!place) throw fail('not_found', { details: { reason: 'unknown_tenant' } });
  return place;
}

async function lockedPlace(control: Client, tenantId: string): Promise<Placed> {
  const lock = await firstRow<{ held: boolean }>(control, lockMove, [tenantId]);
  if (!lock?.held)
    throw fail('invalid_state', {
      details: { reason: 'moving' },
      message: 'another command moves this Tenant now',
    });
  return placeIn(control, tenantId);
}

const endMove = (client: Client, id: string, state: 'done' | 'undone', rows: number | null) =>
  client.query(
    `update control.moves set state = $2, rows = $3, ended_at = clock_timestamp() where id = $1`,
    [id, state, rows],
  );

interface Started {
  readonly route: Route;
  readonly carrier: Carrier;
  readonly tables: readonly MovedTable[];
}

async function start(route: Route): Promise<Started> {
  return { route, carrier: openCarrier(route), tables: await movedTables(route) };
}

/** Lets the Tenant go on at once; where its row is locked for long, the stop ends by itself. */
async function goOn({ from, control, tenantId }: Route, moveId: string): Promise<void> {
  const { client, schema } = from;
  await client.query('begin');
  await client.query(`set local lock_timeout = ${stopTimes.poll}`);
  const freed = `update ${schema}.tenants set stopped_until = null where tenant_id = $1`;
  const done = await client.query(freed, [tenantId]).then(
    () => 'commit',
    () => 'rollback',
  );
  await client.query(done);
  await control.query('update control.moves set stopped_until = null where id = $1', [moveId]);
}

/** Ends a move whose Tenant stays where it was. */
async function undo({ route, tables }: Started, moveId: string): Promise<void> {
  await goOn(route, moveId);
  await clearNew(route, tables);
  await endMove(route.control, moveId, 'undone', null);
}

/** Whether a Tenant has left for another database, once a commit that is under way there has ended. */
async function hasLeft(route: Route, moveId: string): Promise<boolean> {
  const { from, tenantId } = route;
  if (isBeside(route)) return false;
  await from.client.query(
    `update ${from.schema}.tenants set stopped_until = null where tenant_id = $1`,
    [tenantId],
  );
  return hasDeparted(from, moveId);
}

/** Ends a move that was killed: the Tenant is in one cell, and the other one is cleared. */
async function endLeftover(
  { control, connect }: Connections,
  tenantId: string,
  { cell, open }: Placed,
): Promise<void> {
  if (open === null) return;
  const started = await start(await connect(tenantId, open.from_cell, open.to_cell));
  const { route, carrier, tables } = started;
  const isThere = cell === open.to_cell || (await hasLeft(route, open.id));
  if (!isThere) return undo(started, open.id);
  if (!isBeside(route)) await finishMove(control, route.to, { ...open, tenant_id: tenantId });
  await clearOld(route, carrier, tables);
  await endMove(control, open.id, 'done', null);
}

/** Stops the Tenant: from now on nothing is begun for it. @throws ApiError while its clock is moved */
async function stop({ route }: Started, moveId: string): Promise<void> {
  const { from, control, tenantId } = route;
  const until = `clock_timestamp() + $2 * interval '1 ms'`;
  const { rowCount } = await from.client.query(
    `update ${from.schema}.tenants set stopped_until = ${until}
      where tenant_id = $1 and clock_target is null`,
    [tenantId, stopTimes.lease],
  );
  if (rowCount !== 1)
    throw fail('invalid_state', {
      details: { reason: 'clock_advancing' },
      message: 'the clock of the Tenant is being moved; move it when that is over',
    });
  await control.query(
    `update control.moves set state = 'stopped', stopped_until = ${until} where id = $1`,
    [moveId, stopTimes.lease],
  );
}

/** Copies while the Tenant is served, until little is written between two rounds. */
async function copyWhileServed({ route, carrier, tables }: Started) {
  let { rows, horizon } = await copyAhead(route, carrier, tables, null);
  for (let round = 1; round < maximumRounds; round += 1) {
    const next = await copyAhead(route, carrier, tables, horizon);
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

/**
 * Moves a Tenant to another cell while it is served, but for a short stop (rules/cells#15). Whenever it is
 * killed, the Tenant is whole in one cell; the next move of it clears the other one.
 * @throws ApiError not_found; parameter_invalid, param `to`, reason `same_cell` or `unknown_cell`;
 *   invalid_state, reason `moving`, `clock_advancing` or `stop_too_long`
 */
export function moveTenant(
  owners: Owners,
  { tenantId, to, actor }: MoveRequest,
  watch: MoveWatch = {},
): Promise<Moved> {
  return withConnections(owners, async (connections) => {
    const { control, connect } = connections;
    await endLeftover(connections, tenantId, await lockedPlace(control, tenantId));
    const from = (await placeIn(control, tenantId)).cell;
    if (from === to)
      throw fail('parameter_invalid', {
        param: 'to',
        details: { reason: 'same_cell' },
        message: `the Tenant is in ${to}`,
      });
    const started = await start(await connect(tenantId, from, to));
    return run(started, actor, watch);
  });
}

/** A Tenant is never moved without its row of the audit. */
async function writeAudit(
  client: Client,
  { tenantId, from, to }: Route,
  actor: Actor,
): Promise<readonly AuditRow[]> {
  const after = { from: from.cell, to: to.cell };
  const { text, values } = appendAuditRows([
    { scope: platform, actor, act: 'moveTenant', record: tenantId, outcome: 'done', after },
  ]);
  return (await client.query<AuditRow>(text, values)).rows;
}

async function run(started: Started, actor: Actor, watch: MoveWatch): Promise<Moved> {
  const { route, carrier, tables } = started;
  const { at = () => {}, audited = () => {} } = watch;
  const { tenantId, control } = route;
  const [from, to] = [route.from.cell, route.to.cell];
  let written: readonly AuditRow[] = [];
  const moveId = randomUUID();
  await control.query(
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
    const inStop = await switchOver({
      route,
      carrier,
      tables,
      moveId,
      since: copied.horizon,
      deadlineMs: stoppedMs + stopTimes.longest,
      also: async (client) => {
        written = await writeAudit(client, route, actor);
        await at('ready');
      },
      arrived: () => at('arrived'),
    });
    isSwitched = true;
    audited(written);
    if (!isBeside(route)) {
      await at('departed');
      const move = { id: moveId, tenant_id: tenantId, from_cell: from, to_cell: to };
      await finishMove(control, route.to, move);
    }
    const stopped_ms = Math.round(performance.now() - stoppedMs);
    await at('switched');
    await sleep(lateMs);
    await clearOld(route, carrier, tables);
    const rows = copied.rows + inStop;
    await endMove(control, moveId, 'done', rows);
    await at('cleared');
    return { tenant_id: tenantId, from, to, rows, rows_in_stop: inStop, stopped_ms };
  } catch (error) {
    // Without its connection nobody knows whether the last commit was done: then the next move finds out.
    if (!isSwitched) await undo(started, moveId).catch(() => {});
    throw error instanceof StopTooLong ? tooLong() : error;
  }
}
