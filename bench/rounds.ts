import type pg from 'pg';
import type { ServiceDatabase } from './database.ts';
import type { Generator } from './load/generator.ts';
import { walPosition, watch } from './measure.ts';
import { assertCompleted } from './proof.ts';
import { type Round, type Run, type RunKind, type RunName, runKinds } from './runs.ts';
import type { ServiceProcess } from './service_process.ts';
import { assertAll, createPayments, type PaymentMaker, type Spread } from './setup/payments.ts';
import type { Reference } from './tpcb/reference.ts';

export interface Bench {
  readonly service: ServiceProcess;
  readonly database: ServiceDatabase;
  /** To the service's database. */
  readonly client: pg.Client;
  readonly generator: Generator;
  /** Null when no chosen figure needs it. */
  readonly reference: Reference | null;
  readonly maker: PaymentMaker;
  readonly say: (line: string) => void;
}

const warmUpSeconds = 1;
const measuredSeconds = 3;
/** More payments than the fastest run so far would need, so that the window is never too short. */
const spare = 1.15;
/** The first run of a kind, for its rate: it is thrown away. */
const firstGuessPerSecond = 1_000;

async function runPayments(
  bench: Bench,
  kind: RunKind & { load: 'payments' },
  count: number,
): Promise<Run> {
  const { service, database, client, generator, maker } = bench;
  const { uuids, completions } = await createPayments(maker, kind.spread, count);
  const watched = watch(() => ({
    servicePid: service.pid,
    postmasterPid: database.postmasterPid,
    clientPid: generator.pid,
  }));
  const walBefore = await walPosition(client);
  const report = await generator.run(
    {
      port: service.port,
      clients: kind.clients,
      requests: completions,
      warmUpSeconds,
      wantsBodies: false,
    },
    watched.events,
  );
  const walBytes = ((await walPosition(client)) - walBefore) / count;
  assertAll(report, 202, count);
  await assertCompleted(client, uuids);
  const { answered, seconds, p50Ms, p99Ms } = report;
  return watched.result({ operations: answered, seconds, p50Ms, p99Ms, walBytes });
}

async function runReference(bench: Bench, clients: number): Promise<Run> {
  const { service, database, client, reference } = bench;
  if (!reference) throw new Error('no reference was opened');
  let clientPid = 0;
  const watched = watch(() => ({
    servicePid: service.pid,
    postmasterPid: database.postmasterPid,
    clientPid,
  }));
  const walBefore = await walPosition(client);
  const { transactions, seconds } = await reference.run({
    database,
    clients,
    warmUpSeconds,
    seconds: measuredSeconds,
    onStart: (pid) => {
      clientPid = pid;
    },
    window: watched.events,
  });
  // The log of the whole run, so the bytes are of a transaction only roughly.
  const share = seconds / (seconds + warmUpSeconds + 1);
  const walBytes = (((await walPosition(client)) - walBefore) * share) / transactions;
  return watched.result({ operations: transactions, seconds, p50Ms: null, p99Ms: null, walBytes });
}

/** How many payments a run needs, by the fastest of its kind so far. */
function openEstimates(minimumSeconds: number) {
  const fastest = new Map<RunName, number>();
  const countAt = (perSecond: number, seconds: number) => Math.ceil(perSecond * seconds * spare);
  return {
    count(name: RunName): number {
      const known = fastest.get(name);
      return known === undefined
        ? countAt(firstGuessPerSecond, minimumSeconds)
        : countAt(known, minimumSeconds);
    },
    isKnown: (name: RunName) => fastest.has(name),
    note: (name: RunName, run: Run) =>
      fastest.set(name, Math.max(run.perSecond, fastest.get(name) ?? 0)),
  };
}

/**
 * Holds the rounds: every run once in each, in turns forwards and backwards, so that a machine that
 * grows slower or faster meanwhile favours neither side. A run of each kind of payments goes ahead
 * uncounted: it warms the service, and its rate says how many payments a run needs.
 * @throws when an answer is another than wanted, a replay, or not in the database
 */
export async function holdRounds(
  bench: Bench,
  names: readonly RunName[],
  rounds: number,
): Promise<Round[]> {
  const estimates = openEstimates(warmUpSeconds + measuredSeconds);
  async function hold(name: RunName): Promise<Run> {
    const kind: RunKind = runKinds[name];
    if (kind.load === 'tpcb') return runReference(bench, kind.clients);
    const run = await runPayments(bench, kind, estimates.count(name));
    estimates.note(name, run);
    return run;
  }
  for (const name of names) if (runKinds[name].load === 'payments') await hold(name);
  const held: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const runs: Partial<Record<RunName, Run>> = {};
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      runs[name] = await hold(name);
      bench.say(`round ${round + 1}: ${name} ${runs[name].perSecond.toFixed(0)}/s`);
    }
    held.push(runs);
  }
  return held;
}

export type { Spread };
