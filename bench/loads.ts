import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { Bench } from './bench.ts';
import { assertCompleted } from './ledger_check.ts';
import type { LoadPlan, LoadReport } from './load/drive.ts';
import { watch } from './measure/measure.ts';
import type { PaymentsKind, Run } from './measure/runs.ts';
import { assertAll, createPayments, planPairs } from './setup/payments.ts';

export const warmUpSeconds = 1;
export const measuredSeconds = 3;

/** A load, and the check of its replies against the database. */
interface Drive extends Pick<LoadPlan, 'requests' | 'followUps'> {
  readonly prove: (report: LoadReport) => Promise<void>;
}

/** The ports over which the clients of a run are spread evenly. */
function serving({ service, second }: Bench, { processes }: PaymentsKind) {
  if (processes === 1) return [service];
  if (!second) throw new Error('no second process was started');
  return processes === 2 ? [service, second] : [second];
}

async function measured(bench: Bench, kind: PaymentsKind, drive: Drive): Promise<Run> {
  const { database, client, generator } = bench;
  const { prove, ...requests } = drive;
  const services = serving(bench, kind);
  const watched = watch(client, () => ({
    servicePids: services.map(({ pid }) => pid),
    postmasterPid: database.postmasterPid,
    clientPid: generator.pid,
  }));
  const ports = services.map(({ port }) => port);
  const plan = { ...requests, ports, clients: kind.clients, warmUpSeconds, wantsBodies: false };
  const report = await generator.run(plan, watched.events);
  await prove(report);
  const { answered, seconds, p50Ms, p99Ms } = report;
  return watched.result({ operations: answered, seconds, p50Ms, p99Ms });
}

/** A load of this many payments, ready to start. */
export type Load = () => Promise<Run>;

/** Creates the payments first; the load completes them, one request each. */
async function completions(bench: Bench, kind: PaymentsKind, count: number): Promise<Load> {
  const { uuids, completions } = await createPayments(bench.maker, kind.spread, count);
  async function prove(report: LoadReport): Promise<void> {
    assertAll(report, 202, count);
    await assertCompleted(bench, uuids);
  }
  return () => measured(bench, kind, { requests: completions, prove });
}

/** The load creates each payment and completes it: as many are completed as there were pairs. */
async function pairs(bench: Bench, kind: PaymentsKind, count: number): Promise<Load> {
  const planned = planPairs(bench.maker, kind.spread, count);
  async function prove(report: LoadReport): Promise<void> {
    assertAll(report, 201, count);
    assertAll(report, 202, count);
    const uuids = report.ids.map((id) => uuidOf('payment', id) ?? '');
    await assertCompleted(bench, uuids);
  }
  return () => measured(bench, kind, { ...planned, prove });
}

/**
 * Prepares a load, which checks its replies against the database.
 * @throws when a reply is not the wanted one, is a replay, or is not in the database
 */
export const prepareLoad = (bench: Bench, kind: PaymentsKind, count: number): Promise<Load> =>
  ({ payments: completions, pairs })[kind.load](bench, kind, count);

/** TPC-B transactions on the same server. */
export async function runReference(bench: Bench, clients: number): Promise<Run> {
  const { service, database, client, reference } = bench;
  if (!reference) throw new Error('no reference was opened');
  let clientPid = 0;
  const watched = watch(client, () => ({
    servicePids: [service.pid],
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
