import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { type ProofContext, proofTest, type Verdict } from '../../prove/proof.ts';
import { openSmallDisk, proveDiskFull } from '../database/disk_full.ts';
import { type StartServer, startPostgres } from '../database/postgres.ts';
import { bin } from '../patroni/settings.ts';
import { proveClockJumps } from './clock.ts';
import { startDebian } from './debian.ts';
import { proveManyJobs } from './jobs.ts';
import { proveLittleMemory } from './memory.ts';
import { proveNamesGone } from './names.ts';
import { missing } from './needs.ts';
import type { Host, Outcome } from './stage.ts';

const jobs = 10_000;

const inStage =
  (prove: (host: Host) => Promise<Outcome>) =>
  async (start: StartServer | undefined, { seed }: ProofContext): Promise<Outcome> => {
    const postgres = await startPostgres(undefined, { start });
    return prove({ postgres, seed }).finally(() => postgres.stop());
  };

/** Each fault, by the name that its figures have. */
const faults = {
  disk: async (start: StartServer | undefined, context: ProofContext): Promise<Outcome> => {
    const { violations, figures = {} } = await proveDiskFull(
      await openSmallDisk(),
      { ...context, rounds: 3 },
      start,
    );
    return { violations, figures };
  },
  memory: inStage(proveLittleMemory),
  clock: inStage(proveClockJumps),
  names: inStage(proveNamesGone),
  jobs: inStage((host) => proveManyJobs(host, jobs)),
} as const;
type Fault = keyof typeof faults;

/** The servers that are there, by their major version. */
const servers: readonly [string, StartServer | undefined][] = [
  ['18', undefined],
  ...(existsSync(join(bin, 'postgres')) ? [['15', startDebian] as [string, StartServer]] : []),
];

/** The figures that a row of the table has room for. */
const shown: Readonly<Record<Fault, readonly string[]>> = {
  disk: ['slowestRecoveryMs'],
  memory: ['peakMegabytes'],
  clock: ['noticedMs'],
  names: ['recoveryMs'],
  jobs: ['doneMs', 'slowestWhileDoneMs'],
};

async function prove(context: ProofContext): Promise<Verdict> {
  const plays = servers.flatMap(([version, start]) =>
    (Object.keys(faults) as Fault[]).map((fault) => ({ version, start, fault })),
  );
  const violations: string[] = [];
  const figures: Record<string, number> = { payments: 0 };
  for (let round = 0; round < context.rounds; round += 1) {
    const play = plays[round % plays.length];
    if (!play) break;
    const { version, start, fault } = play;
    const outcome = await faults[fault](start, context);
    violations.push(...outcome.violations.map((one) => `${fault} on ${version}: ${one}`));
    process.stderr.write(`${fault} on ${version}: ${JSON.stringify(outcome.figures)}\n`);
    figures.payments = (figures.payments ?? 0) + (outcome.figures.payments ?? 0);
    for (const name of shown[fault])
      figures[`${fault}${version}_${name}`] = outcome.figures[name] ?? 0;
    context.progress(round + 1);
  }
  return { rounds: context.rounds, violations, figures };
}

const name =
  'a machine without disk, memory, name server or a right clock loses nothing that was acknowledged';
const without = missing();
if (without.length > 0) test.skip(`${name} (skipped: without ${without.join(', ')})`);
else if (process.env.ROUNDS) proofTest(name, 1, prove);
else test.skip(`${name} (npm run prove -- --only faults)`);
