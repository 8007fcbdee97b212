import { choicesOf } from '../../kit/seed.ts';
import type { ProofContext, Verdict } from '../../prove/proof.ts';
import { openFaults } from './faults.ts';
import { playToTheEnd } from './finish.ts';
import { openModelServer } from './server.ts';
import { openTenantRun, playStep, weightOf } from './tenant.ts';

/** How many tenants run at once, and about how many operations each has. */
const tenantsAtOnce = 32;
const operationsOfTenant = 640;
const movesShown = 15;
/** A run with so many violations goes no further. */
const violationsAtMost = 3;

export interface ModelRun extends ProofContext {
  /** The number of faults, spread over the run; 0: none, and then only one service. */
  readonly faults: number;
  /** The bank is a process of its own, and all that it does is drawn. */
  readonly isBank?: boolean;
  /** Only the tenant of this number, to look at a violation; absent: all. */
  readonly only?: number;
  /** Cells between which tenants are moved; absent: there is one. */
  readonly cells?: readonly string[];
}

/**
 * Runs as many tenants as `rounds` operations take, each in the order that the seed decides and many
 * at once. An operation is a request over HTTP; a retry for want of an answer is not counted.
 */
export async function playModel(given: ModelRun): Promise<Verdict> {
  const { seed, rounds, progress } = given;
  const server = await openModelServer({
    faults: given.faults > 0,
    ...(given.isBank && { bankSeed: seed }),
    ...(given.cells ? { cells: given.cells } : {}),
  });
  const faults = openFaults(server, seed);
  const violations: string[] = [];
  const compared = { quiet: 0, booked: 0 };
  const all = Array.from({ length: Math.ceil(rounds / operationsOfTenant) }, (_, number) => number);
  const weights = all.reduce((sum, number) => sum + weightOf(number), 0);
  const numbers = given.only === undefined ? [...all] : [given.only];
  const isOver = () => violations.length >= violationsAtMost;
  const { traffic } = server.wire;
  const operations = () => traffic.requests - traffic.retries;

  function report(): void {
    const done = Math.min(operations(), rounds);
    progress(done);
    if (given.faults * done > rounds * faults.count()) faults.causeSoon();
  }
  /** Without faults one service alone: a reply waits only for jobs of its own process. */
  function viaOf(number: number): () => number {
    const choices = choicesOf(seed, `services of tenant ${number}`);
    return given.faults > 0 ? () => choices.below(2) : () => 0;
  }

  async function runTenant(number: number): Promise<void> {
    const moves: string[] = [];
    const share = (rounds * weightOf(number)) / weights;
    let step = 0;
    try {
      const run = await server.withoutFaults(() => openTenantRun(server, number, viaOf(number)));
      faults.begin(run);
      for (; run.client.count() < share && !isOver(); step += 1) {
        const move = await playStep(server, run, seed, step);
        if (move !== null) moves.push(move);
        report();
      }
      await faults.finish(run);
      if (!isOver()) await playToTheEnd(server, run, seed);
      compared.quiet += run.process?.quiet ?? 0;
      compared.booked += run.process?.booked ?? 0;
    } catch (error) {
      const { message } = error as Error;
      const before = moves.slice(-movesShown).join('\n  ');
      violations.push(`SEED=${seed} TENANT=${number} step ${step}: ${message}\n  ${before}`);
    }
  }
  const lane = async () => {
    for (let number = numbers.shift(); number !== undefined; number = numbers.shift())
      if (!isOver()) await runTenant(number);
  };
  await Promise.all(Array.from({ length: tenantsAtOnce }, lane));
  await faults.end();
  await server.stop().catch((error: Error) => violations.push(error.message));
  const { figures } = faults;
  const recovered = server.recovered();
  return {
    rounds: operations(),
    violations,
    figures: {
      tenants: all.length,
      ...traffic,
      ...figures(),
      recovered,
      ...(server.bank && { ...server.bank.figures, ...compared }),
    },
  };
}

/** One fault for so many operations; few operations take faults close together. */
const faultEvery = process.env.PROOF_RESULT ? 300 : 50;

/** @param rounds operations */
export const faultsIn = (rounds: number): number => Math.ceil(rounds / faultEvery);
