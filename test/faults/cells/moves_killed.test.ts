import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { commandLine } from '../../../scripts/operate/actor.ts';
import { type MoveStep, moveTenant } from '../../../service/cells/move/move.ts';
import { openCells } from '../../kit/cells.ts';
import { choicesOf } from '../../kit/seed.ts';
import { type ProofContext, proofTest } from '../../prove/proof.ts';
import { openPayments } from './moving.ts';

const names = ['cell_a', 'cell_b', 'cell_c'];
const { cells, apiOf, asOwner, ownerUrl } = await openCells(names);

const steps: readonly MoveStep[] = ['begun', 'copied', 'stopped', 'ready', 'switched', 'cleared'];
const child = fileURLToPath(new URL('move_child.ts', import.meta.url));

/** Moves in a process that is killed at a step. */
async function killedMove(tenantId: string, to: string, step: MoveStep): Promise<void> {
  const argv = ['--import', 'tsx', child, ownerUrl, tenantId, to, step];
  const mover = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [, signal] = await once(mover, 'exit');
  if (signal !== 'SIGKILL') throw new Error(`the mover was not killed at ${step}`);
}

/** The cells that have the Tenant's own row, and the one that the directory names first. */
async function placesOf(tenantId: string): Promise<readonly string[]> {
  const own = names.map(
    (cell) => `select '${cell}' as cell from ${cell}.tenants where tenant_id = '${tenantId}'`,
  );
  const rows = (await asOwner(
    [`select cell from control.tenants where tenant_id = '${tenantId}'`, ...own].join(
      ' union all ',
    ),
  )) as readonly { cell: string }[];
  return rows.map(({ cell }) => cell);
}

/** What a round did, in words, where it is wrong; null: all held. */
async function moveOnce(tenantId: string, to: string, killedAt: MoveStep | null) {
  if (killedAt !== null) {
    await killedMove(tenantId, to, killedAt);
    const places = await placesOf(tenantId);
    const isMoved = killedAt === 'switched' || killedAt === 'cleared';
    if (places.length !== 2 || places[0] !== places[1] || (places[0] === to) !== isMoved)
      return `killed at ${killedAt}: ${places.join(', ')}`;
    if (isMoved) return null;
  }
  await moveTenant(ownerUrl, { tenantId, to, actor: commandLine() });
  const places = await placesOf(tenantId);
  return places.join() === `${to},${to}` ? null : `moved to ${to}: ${places.join(', ')}`;
}

/** Moves one Tenant to and fro while it takes payments. */
async function moveUnderLoad({ seed, rounds }: ProofContext, track: number, done: () => void) {
  const home = cells[track % cells.length] ?? cells[0];
  const { tenantId, token } = await home.anotherTenant({ name: `Moved ${track}` });
  const api = apiOf({ token });
  const load = await openPayments(api);
  const violations: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const choices = choicesOf(seed, `${track} ${round}`);
    const [from = ''] = await placesOf(tenantId);
    const to = choices.pick(names.filter((name) => name !== from));
    // The first rounds die at each step once, the others in two of three.
    const first = steps[round * tracks + track];
    const killedAt = first ?? (choices.percent(66) ? choices.pick(steps) : null);
    const fault = await moveOnce(tenantId, to, killedAt);
    if (fault !== null) violations.push(fault);
    await load.more(2);
    done();
  }
  const { longestMs, payer } = await load.end();
  const { available } = await api.balance(payer);
  const paid = load.completed.length;
  if (available !== 500_00 - paid)
    violations.push(`${paid} payments were acknowledged, and ${available} is left of 50000`);
  return { violations, longestMs, paid };
}

/** Tenants that are moved side by side. */
const tracks = 3;

proofTest(
  'a move that is killed at any step leaves the Tenant whole in one cell, where it goes on',
  6,
  async (context) => {
    const rounds = Math.ceil(context.rounds / tracks);
    let done = 0;
    const ended = () => {
      done += 1;
      context.progress(done);
    };
    const ran = await Promise.all(
      Array.from({ length: tracks }, (_, track) =>
        moveUnderLoad({ ...context, rounds }, track, ended),
      ),
    );
    return {
      rounds: done,
      violations: ran.flatMap(({ violations }) => violations),
      figures: {
        payments: ran.reduce((sum, { paid }) => sum + paid, 0),
        longestStopMs: Math.round(Math.max(...ran.map(({ longestMs }) => longestMs))),
      },
    };
  },
);
