import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { pino } from 'pino';
import { buildService, closeService } from '../../../service/app.ts';
import { sinceMorning } from '../../kit/clock.ts';
import { testDatabase } from '../../kit/database.ts';
import { startTestServer } from '../../kit/server.ts';
import { openSender, type Sender } from '../sender.ts';

/** Two services on one database: engine 0 and engine 1 of the sender. */
export interface RaceHouse extends Sender {
  /** Another tenant of the same two services, with settings of its own. */
  anotherTenant(settings: Partial<Settings>): Promise<Sender>;
  /** Resolves when nothing is due at once of these records any more; uuids. */
  settled(...refs: readonly string[]): Promise<void>;
  /** Ends both. @throws when the whole book does not hold */
  stop(): Promise<void>;
}

/** What a command leaves to be done within the second (decisions 1.0, Cascades). */
const dueAtOnce = [
  'refund_queue',
  'account_closing',
  'account_restricted',
  'requests_closing',
  'payment_request_ended',
  'dispute_follow',
  'dispute_reserve',
];
const glanceMs = 25;
const patienceMs = 30_000;

/** Rounds that run at once wait together: one question tells whose records are still due. */
function openWaiting(left: (refs: readonly string[]) => Promise<Set<string>>) {
  const waiting = new Set<{
    refs: readonly string[];
    done: () => void;
    fail: (e: Error) => void;
  }>();
  let until = 0;

  async function look(): Promise<void> {
    while (waiting.size > 0) {
      const asked = [...waiting];
      const due = await left(asked.flatMap(({ refs }) => refs));
      for (const one of asked) {
        if (one.refs.some((ref) => due.has(ref))) continue;
        waiting.delete(one);
        one.done();
        until = performance.now() + patienceMs;
      }
      if (performance.now() > until)
        for (const one of waiting) {
          waiting.delete(one);
          one.fail(new Error(`still due: ${one.refs}`));
        }
      await sleep(glanceMs);
    }
  }

  return (...refs: readonly string[]): Promise<void> =>
    new Promise((done, fail) => {
      if (waiting.size === 0) {
        until = performance.now() + patienceMs;
        queueMicrotask(() => void look().catch((error: Error) => fail(error)));
      }
      waiting.add({ refs, done, fail });
    });
}

/**
 * Starts both services, the first with its workers, for one tenant with the settings of the sample
 * tenant: no grace, so a record ends with its session. They share nothing but the database and the
 * secrets.
 */
export async function openRaceHouse(settings: Partial<Settings> = {}): Promise<RaceHouse> {
  const database = await testDatabase();
  const realNow = sinceMorning();
  const first = await startTestServer({ database, realNow, tenant: { sample: true, settings } });
  const { service, workers, tenant } = first;
  const second = await buildService(service.config, {
    databaseUrl: database.url,
    realNow,
    log: pino({ level: 'error' }),
  });
  const sender = openSender([service, second], tenant.tenantId);

  const left = async (refs: readonly string[]): Promise<Set<string>> => {
    // The second service has no workers: the first looks for what it left.
    workers.jobs.forget();
    const rows = await sender.query<{ ref: string }>(
      'select ref from jobs where tenant_id = $1 and ref = any($2) and name = any($3)',
      refs,
      dueAtOnce,
    );
    return new Set(rows.map(({ ref }) => ref));
  };

  return {
    ...sender,
    settled: openWaiting(left),
    async anotherTenant(others) {
      const { tenantId } = await first.anotherTenant({ sample: true, settings: others });
      return openSender([service, second], tenantId);
    },
    async stop() {
      await closeService(second);
      await first.stop();
      await database.drop();
    },
  };
}
