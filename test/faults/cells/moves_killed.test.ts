import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { ApiError } from '../../../engine/fail.ts';
import { type MoveStep, moveSteps, moveTenant } from '../../../fleet/move/move.ts';
import { commandLine } from '../../../scripts/operate/actor.ts';
import { openCells } from '../../kit/cells.ts';
import { bundleProgram } from '../../kit/processes/bundle.ts';
import { choicesOf } from '../../kit/seed.ts';
import { until } from '../../kit/wait.ts';
import { type ProofContext, proofTest } from '../../prove/proof.ts';
import { openPayments } from './moving.ts';

const names = ['cell_a', 'cell_b', 'cell_c', 'cell_d'];
const remote = ['cell_c', 'cell_d'];
const { cells, apiOf, asOwner, owners } = await openCells(names, { remote });

/** Steps of a move between two databases alone. */
const apart: readonly MoveStep[] = ['arrived', 'departed'];
/** From then on the Tenant is in the new cell. */
const after: readonly MoveStep[] = ['departed', 'switched', 'cleared'];

const isApart = (...pair: readonly string[]) => pair.some((cell) => remote.includes(cell));
const child = await bundleProgram(fileURLToPath(new URL('move_child.ts', import.meta.url)));
afterAll(() => rm(child));

/** Moves in a process that is killed at a step. @returns false: its stop was too long, so it never got there */
async function killedMove(tenantId: string, to: string, step: MoveStep): Promise<boolean> {
  const places = [owners.control, JSON.stringify([...owners.remote])];
  const argv = [child, ...places, tenantId, to, step];
  const mover = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'pipe'] });
  const said = text(mover.stderr);
  const [, signal] = await once(mover, 'exit');
  if (signal === 'SIGKILL') return true;
  if ((await said).includes('stop_too_long')) return false;
  throw new Error(`the mover was not killed at ${step}: ${await said}`);
}

/** The cells that may serve the Tenant, and the one that the directory names first. */
async function placesOf(tenantId: string): Promise<readonly string[]> {
  const own = `tenant_id = '${tenantId}'`;
  const places = await asOwner<{ cell: string }>(`select cell from control.tenants where ${own}`);
  const served = await Promise.all(
    names.map((cell) =>
      asOwner<{ cell: string }>(
        `select '${cell}' as cell from ${cell}.tenants
          where ${own} and (stopped_until is null or stopped_until < '9999-01-01')`,
        cell,
      ),
    ),
  );
  return [...places, ...served.flat()].map(({ cell }) => cell);
}

/** How often a stop was too long, which a busy machine may cause, and nothing was moved. */
const mostUndone = 5;

/** The track of what one Tenant has met. */
interface Track {
  readonly tenantId: string;
  readonly violations: string[];
  undone: number;
}

async function expectPlace({ tenantId, violations }: Track, cell: string, when: string) {
  const places = await placesOf(tenantId);
  if (places.join() !== `${cell},${cell}`)
    violations.push(`${when}: it is in ${places.join(', ')}`);
}

/** A process finishes a move whose Tenant had left. */
const isPlaced = (tenantId: string, cell: string) =>
  until(async () => (await placesOf(tenantId)).join() === `${cell},${cell}`).catch(() => {});

/** Moves, again where the stop was too long. */
async function moveInTime(track: Track, from: string, to: string): Promise<void> {
  const { tenantId } = track;
  for (let undone = 0; ; undone += 1) {
    const refusal = await moveTenant(owners, { tenantId, to, actor: commandLine() }).then(
      () => null,
      (error: unknown) => error,
    );
    if (refusal === null) return expectPlace(track, to, `moved to ${to}`);
    const isLong = refusal instanceof ApiError && refusal.details?.reason === 'stop_too_long';
    if (!isLong || undone === mostUndone) throw refusal;
    track.undone += 1;
    await expectPlace(track, from, 'undone');
  }
}

async function moveOnce(track: Track, to: string, killedAt: MoveStep | null): Promise<void> {
  const [from = ''] = await placesOf(track.tenantId);
  const isKilled = killedAt !== null && (await killedMove(track.tenantId, to, killedAt));
  const isMoved = isKilled && after.includes(killedAt);
  if (isKilled && killedAt === 'departed') await isPlaced(track.tenantId, to);
  if (isKilled) await expectPlace(track, isMoved ? to : from, `killed at ${killedAt}`);
  if (!isMoved) await moveInTime(track, from, to);
}

/** A Tenant is moved so often; then another takes its place, whose tables are small again. */
const movesOfTenant = 15;

interface Life extends ProofContext {
  /** The number of the Tenant among those side by side, and the round that it begins with. */
  readonly lane: number;
  readonly from: number;
  readonly done: () => void;
}

/** Moves one Tenant to and fro while it takes payments. */
async function moveUnderLoad({ seed, rounds, lane, from: begin, done }: Life) {
  const home = cells[lane % cells.length] ?? cells[0];
  const { tenantId, token } = await home.anotherTenant({ name: `Moved ${lane} ${begin}` });
  const track: Track = { tenantId, violations: [], undone: 0 };
  const api = apiOf({ token });
  const load = await openPayments(api);
  for (let round = begin; round < begin + rounds; round += 1) {
    const choices = choicesOf(seed, `${lane} ${round}`);
    const [from = ''] = await placesOf(tenantId);
    // The first rounds die at each step once, the others in two of three.
    const first = moveSteps[round * lanes + lane];
    const step = first ?? (choices.percent(66) ? choices.pick(moveSteps) : null);
    const others = names.filter((name) => name !== from);
    const isOfTwo = step !== null && apart.includes(step);
    const to = choices.pick(isOfTwo ? others.filter((name) => isApart(from, name)) : others);
    await moveOnce(track, to, step);
    await load.more(2);
    done();
  }
  const { longestMs, payer } = await load.end();
  const { available } = await api.balance(payer);
  const paid = load.completed.length;
  if (available !== 500_00 - paid)
    track.violations.push(`${paid} payments were acknowledged, and ${available} is left of 50000`);
  return { ...track, longestMs, paid };
}

async function runLane(life: Omit<Life, 'from'>) {
  const lives: Awaited<ReturnType<typeof moveUnderLoad>>[] = [];
  for (let from = 0; from < life.rounds; from += movesOfTenant) {
    const rounds = Math.min(movesOfTenant, life.rounds - from);
    lives.push(await moveUnderLoad({ ...life, rounds, from }));
  }
  return lives;
}

/** Tenants that are moved side by side. */
const lanes = 3;

proofTest(
  'a move that is killed at any step leaves the Tenant whole in one cell, where it goes on',
  9,
  async (context) => {
    const rounds = Math.ceil(context.rounds / lanes);
    let done = 0;
    const ended = () => {
      done += 1;
      context.progress(done);
    };
    const ran = await Promise.all(
      Array.from({ length: lanes }, (_, lane) =>
        runLane({ ...context, rounds, lane, done: ended }),
      ),
    );
    const lives = ran.flat();
    return {
      rounds: done,
      violations: lives.flatMap(({ violations }) => violations),
      figures: {
        payments: lives.reduce((sum, { paid }) => sum + paid, 0),
        undone: lives.reduce((sum, { undone }) => sum + undone, 0),
        longestStopMs: Math.round(Math.max(...lives.map(({ longestMs }) => longestMs))),
      },
    };
  },
);
