import type { ProfileOrder } from '../arguments.ts';
import type { Bench } from '../bench.ts';
import { measuredSeconds, prepareLoad, runReference, warmUpSeconds } from '../loads.ts';
import { profiled } from './profile.ts';
import { type PaymentsKind, type Round, type Run, type RunName, runKinds } from './runs.ts';
import { resetStatements, topStatements } from './statements.ts';

/** The factor by which there are more payments than the fastest run of the kind needed. */
const spare = 1.2;
const firstGuessPerSecond = 1_500;
const profiledPayments = 10_000;

/**
 * One more load of 128 clients, with the profiler on, which makes it slower.
 * @returns the service's top functions and the database's top statements, a line each
 */
export async function profileService(
  bench: Bench,
  { file, load }: ProfileOrder,
): Promise<string[]> {
  const { client, inspectPort } = bench;
  const run = await prepareLoad(bench, runKinds[load], profiledPayments);
  await resetStatements(client);
  const functions = await profiled(inspectPort ?? 0, file, run);
  const statements = await topStatements(client, profiledPayments);
  return [`profile of ${load}:`, ...functions, ...statements];
}

/** Runs payments, each run with as many as the fastest of its kind so far would need. */
function openPayments(bench: Bench) {
  const fastest = new Map<RunName, number>();
  async function hold(name: RunName, kind: PaymentsKind): Promise<Run> {
    const perSecond = (fastest.get(name) ?? firstGuessPerSecond) * spare;
    const count = Math.ceil(perSecond * (warmUpSeconds + measuredSeconds));
    const load = await prepareLoad(bench, kind, count);
    const run = await load();
    fastest.set(name, Math.max(run.perSecond, fastest.get(name) ?? 0));
    return run;
  }
  return {
    hold,
    async holdLongEnough(name: RunName, kind: PaymentsKind): Promise<Run> {
      for (;;) {
        const run = await hold(name, kind);
        if (run.seconds >= measuredSeconds) return run;
        bench.say(`${name} was over in ${run.seconds.toFixed(1)} s and is held again`);
      }
    },
  };
}

/**
 * Runs the rounds: every run once in each, alternately forwards and backwards, so that a machine
 * that changes speed favours neither side. One run of each kind of payments comes first and is not
 * counted: it warms up the service, and its rate says how many payments the others need.
 * @throws when a reply is not the wanted one, is a replay, or is not in the database
 */
export async function runRounds(
  bench: Bench,
  names: readonly RunName[],
  rounds: number,
): Promise<Round[]> {
  const payments = openPayments(bench);
  async function hold(name: RunName): Promise<Run> {
    const kind = runKinds[name];
    if (kind.load === 'tpcb') return runReference(bench, kind.clients);
    return payments.holdLongEnough(name, kind);
  }
  for (const name of names) {
    const kind = runKinds[name];
    if (kind.load !== 'tpcb') await payments.hold(name, kind);
  }
  const held: Round[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const runs: Partial<Record<RunName, Run>> = {};
    for (const name of round % 2 === 1 ? names : names.toReversed()) {
      const run = await hold(name);
      runs[name] = run;
      bench.say(`round ${round}: ${name} ${run.perSecond.toFixed(0)} per second`);
    }
    held.push(runs);
  }
  return held;
}
