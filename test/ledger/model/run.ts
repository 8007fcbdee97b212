import { choicesOf } from '../../kit/seed.ts';
import type { ProofContext, Verdict } from '../../prove/proof.ts';
import { openFaults } from './faults.ts';
import { playToTheEnd } from './finish.ts';
import { type ModelHouse, openModelHouse } from './server.ts';
import { openLife, playStep, weightOf } from './tenant.ts';

/** How many tenants are played at once, and about how many operations each is played. */
const livesAtOnce = 32;
const operationsOfLife = 640;
const movesTold = 15;
/** A run that has met so many goes no further. */
const violationsAtMost = 3;

export interface ModelRun extends ProofContext {
  /** So many, spread over the run; 0: none, and then one service alone. */
  readonly faults: number;
  /** Only this life, to look at a violation; absent: all of them. */
  readonly life?: number;
}

/**
 * Plays as many lives as `rounds` operations take, each in the order that the seed decides and many
 * at once. An operation is a request over HTTP; one sent again for want of an answer counts once.
 */
export async function playModel(run: ModelRun): Promise<Verdict> {
  const { seed, rounds, progress } = run;
  const house = await openModelHouse({ faults: run.faults > 0 });
  const faults = openFaults(house, seed);
  const violations: string[] = [];
  const count = Math.ceil(rounds / operationsOfLife);
  const all = Array.from({ length: count }, (_, number) => number);
  const weights = all.reduce((sum, number) => sum + weightOf(number), 0);
  const numbers = run.life === undefined ? [...all] : [run.life];
  const isOver = () => violations.length >= violationsAtMost;
  const { traffic } = house.wire;
  const operations = () => traffic.requests - traffic.retries;

  function advanceRun(): void {
    const done = Math.min(operations(), rounds);
    progress(done);
    if (run.faults * done > rounds * faults.struck()) faults.strikeSoon();
  }

  async function playLife(number: number): Promise<void> {
    const told: string[] = [];
    const share = (rounds * weightOf(number)) / weights;
    let step = 0;
    try {
      const life = await house.calmly(() => openLife(house, number, viaOf(run, number)));
      faults.born(life);
      for (; life.hand.count() < share && !isOver(); step += 1) {
        const move = await playStep(house, life, seed, step);
        if (move !== null) told.push(move);
        advanceRun();
      }
      await faults.died(life);
      if (!isOver()) await playToTheEnd(house, life, seed);
    } catch (error) {
      const { message } = error as Error;
      const story = told.slice(-movesTold).join('\n  ');
      violations.push(`SEED=${seed} LIFE=${number} step ${step}: ${message}\n  ${story}`);
    }
  }
  const lane = async () => {
    for (let number = numbers.shift(); number !== undefined; number = numbers.shift())
      if (!isOver()) await playLife(number);
  };
  await Promise.all(Array.from({ length: livesAtOnce }, lane));
  await faults.end();
  await stop(house, violations);
  const figures = { lives: count, ...traffic, ...faults.count(), relieved: house.relieved() };
  return { rounds: operations(), violations, figures };
}

/** With one service alone a reply waits for what its own process has to do; with two it may not. */
function viaOf({ seed, faults }: ModelRun, number: number): () => number {
  const choices = choicesOf(seed, `services of life ${number}`);
  return faults > 0 ? () => choices.below(2) : () => 0;
}

async function stop(house: ModelHouse, violations: string[]): Promise<void> {
  try {
    await house.stop();
  } catch (error) {
    violations.push((error as Error).message);
  }
}

const faultEvery = 300;

/** The long proof: with faults from the first operation to the last. */
export const proveModel = (context: ProofContext): Promise<Verdict> =>
  playModel({ ...context, faults: Math.ceil(context.rounds / faultEvery) });
