import pg from 'pg';
import { columnTypes } from '../../../service/db/column_types.ts';
import { testDatabase } from '../../kit/database/database.ts';
import { startTestReceiver } from '../../kit/http/receiver.ts';
import { startTestServer } from '../../kit/server.ts';
import { until } from '../../kit/wait.ts';
import { openWire } from './client.ts';
import { openLeaseRecovery } from './lease_recovery.ts';

/** The machine's clock stands still: a tenant's clock moves only by an advance. */
export const startMs = Date.UTC(2026, 10, 20, 15);
const realNow = () => startMs;

const settleMs = 45_000;
/** After so many looks, jobs whose retry was put off by a fault are made due. */
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

/** What a fault made fail is put off to a real time, which does not come here. */
const makeDue = `update jobs set wake_at = $3
  where tenant_id = $1 and not real and due_at <= $2 and lease_until is null and wake_at > $3`;

/** Two services on one database, reached over HTTP, and a connection to the database beside them. */
export async function openModelServer({ faults }: { readonly faults: boolean }) {
  const database = await testDatabase();
  const shared = { database, workers: false, realNow, onLog: () => {} };
  const first = await startTestServer(shared);
  const second = await startTestServer({ ...shared, secrets: first.service.config });
  const services = [first, second] as const;
  const wire = openWire(services.map(({ baseUrl }) => baseUrl));
  const receiver = await openReceiver();
  const control = new pg.Pool({
    connectionString: database.url,
    application_name: 'model-control',
    types: columnTypes,
    max: 4,
  });
  first.workers.dispatcher.start();
  // A clock whose lease is lost is moved on by another service.
  if (faults) for (const { workers } of services) workers.advance.start();
  const recovery = faults ? openLeaseRecovery(control) : null;

  /** Runs the due jobs of a tenant whose clock shows this. @throws when one stays */
  async function settle(tenantId: string, nowMs: number): Promise<void> {
    const now = new Date(nowMs).toISOString();
    let looks = 0;
    async function isSettled(): Promise<boolean> {
      await first.workers.jobs.runDueJobs(tenantId);
      const { rowCount } = await control.query({
        name: 'still due',
        text: 'select 1 from jobs where tenant_id = $1 and due_at <= $2 and not real',
        values: [tenantId, now],
      });
      looks += 1;
      if (rowCount === 0) return true;
      if (faults && looks > looksBeforeRetry)
        await control.query(makeDue, [tenantId, now, new Date(startMs).toISOString()]);
      for (const { workers } of services) workers.jobs.forget();
      return false;
    }
    await until(isSettled, { what: 'the end of all due jobs', withinMs: settleMs });
  }

  /** @throws when the ledger violates an invariant */
  async function stop(): Promise<void> {
    await wire.close();
    await recovery?.stop();
    try {
      await second.stop();
      await first.stop();
    } finally {
      await receiver.close();
      await control.end();
      await database.drop();
    }
  }
  const recovered = () => recovery?.count() ?? 0;
  return { faults, services, wire, control, receiver, ...openGate(), settle, recovered, stop };
}
export type ModelServer = Awaited<ReturnType<typeof openModelServer>>;
