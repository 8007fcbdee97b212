import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { columnTypes } from '../../../service/db/column_types.ts';
import { testDatabase } from '../../kit/database.ts';
import { startTestServer, type TestServer } from '../../kit/server.ts';
import { openWire, type Wire } from './client.ts';
import { openRelief } from './lease_recovery.ts';
import { openReceivers, type Receivers } from './receivers.ts';

/** The machine's clock stands still, so that a tenant's clock goes only where an advance moves it. */
export const startMs = Date.UTC(2026, 10, 20, 15);
const realNow = () => startMs;

/** Two services on one database, reached over HTTP, and a hand in the database beside them. */
export interface ModelHouse {
  /** Whether faults are to be reckoned with. */
  readonly faults: boolean;
  readonly services: readonly [TestServer, TestServer];
  readonly wire: Wire;
  readonly control: pg.Pool;
  readonly receivers: Receivers;
  /** Faults wait until what runs in it has ended, and it waits for them. */
  calmly<T>(work: () => Promise<T>): Promise<T>;
  /** Runs when nothing runs calmly. */
  strike(fault: () => Promise<void>): Promise<void>;
  /** Resolves when nothing of a tenant is due whose clock shows this. @throws when something stays */
  settle(tenantId: string, nowMs: number): Promise<void>;
  /** How many leases were ended whose holder a fault had taken. */
  relieved(): number;
  /** @throws when the whole book does not hold */
  stop(): Promise<void>;
}

const controlName = 'model-control';
const settleMs = 45_000;
/** What was put off once is not waited for in vain. */
const looksBeforeHelp = 20;
const glanceMs = 10;

/** Many at a time, or one alone. */
function openGate() {
  const inside = new Set<Promise<unknown>>();
  let closed: Promise<void> = Promise.resolve();
  return {
    async calmly<T>(work: () => Promise<T>): Promise<T> {
      for (let seen: unknown = null; seen !== closed; ) {
        seen = closed;
        await closed;
      }
      const running = work();
      const ended = running.then(
        () => {},
        () => {},
      );
      inside.add(ended);
      try {
        return await running;
      } finally {
        inside.delete(ended);
      }
    },
    async strike(fault: () => Promise<void>): Promise<void> {
      await closed;
      let open = () => {};
      closed = new Promise((resolve) => {
        open = resolve;
      });
      try {
        while (inside.size > 0) await Promise.all(inside);
        await fault();
      } finally {
        open();
      }
    },
  };
}

/** What a fault made fail was put off until a real time which does not come here. */
const passBackOff = `update jobs set wake_at = $3
  where tenant_id = $1 and not real and due_at <= $2 and lease_until is null and wake_at > $3`;

export async function openModelHouse({ faults }: { faults: boolean }): Promise<ModelHouse> {
  const database = await testDatabase();
  const shared = { database, workers: false, realNow, onLog: () => {} };
  const first = await startTestServer(shared);
  const { pinPepper, sealingKey, qrSigningKey } = first.service.config;
  const secrets = { pinPepper, sealingKey, qrSigningKey };
  const second = await startTestServer({ ...shared, secrets });
  const services = [first, second] as const;
  const wire = openWire(services.map(({ baseUrl }) => baseUrl));
  const receivers = await openReceivers();
  const control = new pg.Pool({
    connectionString: database.url,
    application_name: controlName,
    types: columnTypes,
    max: 4,
  });
  first.workers.dispatcher.start();
  // A clock whose holder is lost is taken up by another.
  if (faults) for (const { workers } of services) workers.advance.start();
  const relief = faults ? openRelief(control) : null;

  async function settle(tenantId: string, nowMs: number): Promise<void> {
    const now = new Date(nowMs).toISOString();
    const until = performance.now() + settleMs;
    for (let look = 0; ; look += 1) {
      await first.workers.jobs.runDueJobs(tenantId);
      const { rows } = await control.query<{ name: string }>({
        name: 'still due',
        text: 'select name from jobs where tenant_id = $1 and due_at <= $2 and not real',
        values: [tenantId, now],
      });
      if (rows.length === 0) return;
      if (faults && look > looksBeforeHelp)
        await control.query(passBackOff, [tenantId, now, new Date(startMs).toISOString()]);
      for (const { workers } of services) workers.jobs.forget();
      if (look > 0) await sleep(glanceMs);
      if (performance.now() > until) throw new Error(`still due: ${rows.map(({ name }) => name)}`);
    }
  }

  async function stop(): Promise<void> {
    await wire.close();
    await relief?.stop();
    try {
      await second.stop();
      await first.stop();
    } finally {
      await receivers.close();
      await control.end();
      await database.drop();
    }
  }
  const relieved = () => relief?.count() ?? 0;
  return { faults, services, wire, control, receivers, ...openGate(), settle, relieved, stop };
}
