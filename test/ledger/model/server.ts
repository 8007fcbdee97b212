import type { Inbound } from '../../../service/rails/facts.ts';
import { startTestReceiver } from '../../kit/http/receiver.ts';
import { until } from '../../kit/wait.ts';
import { startModelBank } from './bank/process.ts';
import { openWire } from './client.ts';
import { openLeaseRecovery } from './lease_recovery.ts';
import { openCellPlaces, openOnePlace } from './places.ts';

/** The machine's clock stands still: a tenant's clock moves only by an advance. */
export const startMs = Date.UTC(2026, 10, 20, 15);
const realNow = () => startMs;

const settleMs = 45_000;
/** The looks after which jobs whose retry was put off by a fault are made due. */
const looksBeforeRetry = 20;

/** Many at a time, or one alone. */
function openGate() {
  const inside = new Set<Promise<unknown>>();
  let closed: Promise<void> = Promise.resolve();
  return {
    /** No fault is caused while this runs. */
    async withoutFaults<T>(work: () => Promise<T>): Promise<T> {
      for (let seen: unknown = null; seen !== closed; ) {
        seen = closed;
        await closed;
      }
      const running = work();
      const ended = running.catch(() => {});
      inside.add(ended);
      try {
        return await running;
      } finally {
        inside.delete(ended);
      }
    },
    /** Runs when nothing runs without faults, and before more does. */
    async causeFault(fault: () => Promise<void>): Promise<void> {
      const before = closed;
      let open = () => {};
      closed = new Promise((resolve) => {
        open = resolve;
      });
      try {
        await before;
        while (inside.size > 0) await Promise.all(inside);
        await fault();
      } finally {
        open();
      }
    },
  };
}

/** One first attempt in so many is answered 500; the next of the same event is not. */
const failsEvery = 8;

/** Receives the webhooks of all tenants. */
async function openReceiver() {
  const receiver = await startTestReceiver();
  const refused = new Set<string>();
  const came = new Set<string>();
  let firsts = 0;
  receiver.answer(({ event: { id } }, response) => {
    const isFirst = !refused.has(id);
    if (isFirst) firsts += 1;
    const isRefused = isFirst && firsts % failsEvery === 0;
    (isRefused ? refused : came).add(id);
    receiver.received.length = 0;
    response.writeHead(isRefused ? 500 : 200).end();
  });
  return { url: receiver.url, came, close: receiver.close };
}

/** Makes due the jobs that failed by a fault and were put off to a real time, which does not come here. */
const makeDue = `update jobs set wake_at = $3
  where tenant_id = $1 and not real and due_at <= $2 and lease_until is null and wake_at > $3`;

/** The line of a service about a job that a reply did not wait for: a machine with too much to do lets it fail. */
const putOff = /"msg":"(?:a job (?:failed|was refused|cannot be released)|jobs cannot be run)"/;

export interface ModelServerOptions {
  readonly faults: boolean;
  /** By which the bank draws, where it is a process of its own; absent: the sandbox's own bank, which simulate plays. */
  readonly bankSeed?: number;
  /** Names of cells; none: one cell, and nobody is moved. */
  readonly cells?: readonly string[];
}

/** Two processes on one database, reached over HTTP, and a connection to the database beside them. */
export async function openModelServer({ faults, bankSeed, cells = [] }: ModelServerOptions) {
  let isPutOff = false;
  const onLog = (line: string) => {
    isPutOff ||= putOff.test(line);
  };
  let tells: Inbound | null = null;
  const bank =
    bankSeed === undefined
      ? null
      : await startModelBank(bankSeed, async (tenantId, fact) => {
          if (!tells) throw new Error('nobody listens to the bank yet');
          return tells.bank(tenantId, fact);
        });
  const options = { workers: false, realNow, onLog, ...(bank && { bank: bank.bank }) };
  const places = await (cells.length > 0 ? openCellPlaces(cells, options) : openOnePlace(options));
  const { processes, controls } = places;
  tells = places.inbound;
  const wire = openWire(processes.map(({ baseUrl }) => baseUrl));
  const receiver = await openReceiver();
  const all = processes.flatMap((one) => one.cells);
  for (const { workers } of processes[0]?.cells ?? []) workers.dispatcher.start();
  // A clock whose lease is lost is moved on by another service.
  if (faults) for (const { workers } of all) workers.advance.start();
  const recoveries = faults ? controls.map(openLeaseRecovery) : [];

  /** Runs the due jobs of a tenant whose clock shows this. @throws when one stays */
  async function settle(tenantId: string, nowMs: number): Promise<void> {
    const now = new Date(nowMs).toISOString();
    let looks = 0;
    async function isSettled(): Promise<boolean> {
      const { cell, control } = await places.homeOf(tenantId);
      await cell.workers.jobs.runDueJobs(tenantId);
      const { rowCount } = await control.query({
        name: 'still due',
        text: 'select 1 from jobs where tenant_id = $1 and due_at <= $2 and not real',
        values: [tenantId, now],
      });
      looks += 1;
      if (rowCount === 0) return true;
      if ((faults || isPutOff) && looks > looksBeforeRetry)
        await control.query(makeDue, [tenantId, now, new Date(startMs).toISOString()]);
      for (const { workers } of all) workers.jobs.forget();
      return false;
    }
    await until(isSettled, { what: 'the end of all due jobs', withinMs: settleMs });
  }

  /** Asks the Tenant's cell, again where the Tenant was moved meanwhile. */
  async function query<Row>(
    tenantId: string,
    text: string,
    values: readonly unknown[],
  ): Promise<Row[]> {
    for (;;) {
      const { control } = await places.homeOf(tenantId);
      const { rows } = await control.query(text, [tenantId, ...values]);
      if ((await places.homeOf(tenantId)).control === control) return rows as Row[];
    }
  }

  /** @throws when the ledger violates an invariant */
  async function stop(): Promise<void> {
    await wire.close();
    for (const recovery of recoveries) await recovery.stop();
    try {
      await places.stop();
    } finally {
      await bank?.stop();
      await receiver.close();
    }
  }
  const recovered = () => recoveries.reduce((sum, recovery) => sum + recovery.count(), 0);
  /** Whether replies may come before all that is due. */
  const mayLeaveJobs = () => faults || isPutOff;
  return {
    faults,
    mayLeaveJobs,
    bank,
    places,
    wire,
    receiver,
    query,
    ...openGate(),
    settle,
    recovered,
    stop,
  };
}
export type ModelServer = Awaited<ReturnType<typeof openModelServer>>;
