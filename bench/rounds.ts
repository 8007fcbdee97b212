import type { Bench } from './bench.ts';
import { watch } from './measure.ts';
import { profiled } from './profile.ts';
import { assertCompleted } from './proof.ts';
import { type Round, type Run, type RunKind, type RunName, runKinds } from './runs.ts';
import { assertAll, createPayments, type OpenPayments } from './setup/payments.ts';
import { resetStatements, topStatements } from './statements.ts';

const warmUpSeconds = 1;
const measuredSeconds = 3;
/** More payments than the fastest run of the kind would have needed. */
const spare = 1.2;
const firstGuessPerSecond = 1_500;
const profiledPayments = 10_000;

type PaymentsKind = RunKind & { readonly load: 'payments' };

/** Completes payments, each with a request of its own, and holds the answers to what is stored. */
async function completePayments(
  bench: Bench,
  clients: number,
  { uuids, completions }: OpenPayments,
): Promise<Run> {
  const { service, database, client, generator } = bench;
  const watched = watch(client, () => ({
    servicePid: service.pid,
    postmasterPid: database.postmasterPid,
    clientPid: generator.pid,
  }));
  const plan = { port: service.port, clients, requests: completions, wantsBodies: false };
  const report = await generator.run({ ...plan, warmUpSeconds }, watched.events);
  assertAll(report, 202, completions.length);
  await assertCompleted(client, uuids);
  const { answered, seconds, p50Ms, p99Ms } = report;
  return watched.result({ operations: answered, seconds, p50Ms, p99Ms });
}

/**
 * One more load of 128 clients with the profiler on, which slows it.
 * @returns the service's top functions and the database's top statements, a line each
 */
export async function profileTheService(bench: Bench, file: string): Promise<string[]> {
  const { client, maker, inspectPort } = bench;
  const { clients, spread } = runKinds.payments_c128;
  const open = await createPayments(maker, spread, profiledPayments);
  await resetStatements(client);
  const complete = () => completePayments(bench, clients, open);
  const functions = await profiled(inspectPort ?? 0, file, complete);
  return [...functions, ...(await topStatements(client, profiledPayments))];
}

async function runReference(bench: Bench, clients: number): Promise<Run> {
  const { service, database, client, reference } = bench;
  if (!reference) throw new Error('no reference was opened');
  let clientPid = 0;
  const watched = watch(client, () => ({
    servicePid: service.pid,
    postmasterPid: database.postmasterPid,
    clientPid,
  }));
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
  return watched.result({ operations: transactions, seconds, p50Ms: null, p99Ms: null });
}

/** Holds runs of payments, each with as many as the fastest of its kind so far would need. */
function openPayments(bench: Bench) {
  const fastest = new Map<RunName, number>();
  async function hold(name: RunName, { clients, spread }: PaymentsKind): Promise<Run> {
    const perSecond = (fastest.get(name) ?? firstGuessPerSecond) * spare;
    const count = Math.ceil(perSecond * (warmUpSeconds + measuredSeconds));
    const open = await createPayments(bench.maker, spread, count);
    const run = await completePayments(bench, clients, open);
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
 * Holds the rounds: every run once in each, in turns forwards and backwards, so that a machine that
 * grows slower or faster meanwhile favours neither side. A run of each kind of payments goes ahead
 * uncounted: it warms the service up, and its rate says how many payments the others need.
 * @throws when an answer is another than wanted, a replay, or not in the database
 */
export async function holdRounds(
  bench: Bench,
  names: readonly RunName[],
  rounds: number,
): Promise<Round[]> {
  const payments = openPayments(bench);
  async function hold(name: RunName): Promise<Run> {
    const kind: RunKind = runKinds[name];
    if (kind.load === 'tpcb') return runReference(bench, kind.clients);
    return payments.holdLongEnough(name, kind);
  }
  for (const name of names) {
    const kind: RunKind = runKinds[name];
    if (kind.load === 'payments') await payments.hold(name, kind);
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
