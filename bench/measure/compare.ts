import type { Bench } from '../bench.ts';
import { runTable } from '../report.ts';
import { runRounds } from './rounds.ts';
import type { RunName } from './runs.ts';

/** Holds two loads in each round. @returns the rate of the second / that of the first, of each round */
export async function compareRates(
  bench: Bench,
  [first, second]: readonly [RunName, RunName],
  rounds: number,
): Promise<number[]> {
  const held = await runRounds(bench, [first, second], rounds);
  bench.say(runTable({ runs: held }));
  const rate = (round: (typeof held)[number], name: RunName) =>
    round[name]?.perSecond ?? Number.NaN;
  return held.map((round) => rate(round, second) / rate(round, first));
}
