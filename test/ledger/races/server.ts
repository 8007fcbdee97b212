import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { buildService, closeService } from '../../../start/app.ts';
import { sinceMorning } from '../../kit/clock.ts';
import { type Choices, choicesOf, seedOf } from '../../kit/seed.ts';
import { startTestServer } from '../../kit/server.ts';
import { until } from '../../kit/wait.ts';
import { openSender, type Sender } from '../sender.ts';

const seed = seedOf(process.env);
/** A tenth of a night's. */
export const rounds = Number(process.env.RACE_ROUNDS ?? 100);
export const raceMs = 240_000;

/** The jobs that a command leaves to be done within the second. */
const followUps = [
  'refund_queue',
  'account_closing',
  'account_restricted',
  'requests_closing',
  'payment_request_ended',
  'dispute_follow',
  'dispute_reserve',
];

/**
 * Two services on one database, engine 0 and engine 1 of the sender, for one tenant with the settings of
 * the sample tenant: no grace, so a record ends with its session. The first service has the workers.
 */
async function openRaceServer(settings: Partial<Settings>) {
  const realNow = sinceMorning();
  const first = await startTestServer({ realNow, tenant: { sample: true, settings } });
  const { service, workers, tenant, serviceUrl: databaseUrl, controlUrl } = first;
  const log = pino({ level: 'error' });
  const second = await buildService(service.config, { databaseUrl, controlUrl, realNow, log });
  const sender = openSender([service, second], tenant.tenantId);

  async function isSettled(refs: readonly string[]): Promise<boolean> {
    // The second service has no workers: the first looks for what it left.
    workers.jobs.forget();
    await workers.jobs.runDueJobs(tenant.tenantId);
    const rows = await sender.query(
      'select 1 from jobs where tenant_id = $1 and ref = any($2) and name = any($3) limit 1',
      refs,
      followUps,
    );
    return rows.length === 0;
  }
  return {
    ...sender,
    /** Another tenant of the same two services. */
    async anotherTenant(others: Partial<Settings>): Promise<Sender> {
      const { tenantId } = await first.anotherTenant({ sample: true, settings: others });
      return openSender([service, second], tenantId);
    },
    /** Resolves when nothing is due at once of these records any more; uuids. */
    settled: async (...refs: readonly string[]): Promise<void> =>
      void (await until(() => isSettled(refs), { what: `the follow-ups of ${refs}` })),
    /** @throws when the ledger violates an invariant */
    async stop(): Promise<void> {
      await closeService(second);
      await first.stop();
    },
  };
}

export let server: Awaited<ReturnType<typeof openRaceServer>>;

/**
 * Opens the server of a test file; by default without fees, so that a payment can be refunded from what
 * it brought. After the tests the whole ledger is verified.
 * @param bringPeople runs before the first race
 */
export function raceAmong(
  bringPeople: () => Promise<void>,
  settings: Partial<Settings> = { fees: [] },
): void {
  beforeAll(async () => {
    server = await openRaceServer(settings);
    await bringPeople();
  }, raceMs);
  afterAll(() => server.stop(), raceMs);
}

/** One round of a race: its number and its own choices. */
export interface Round extends Choices {
  readonly number: number;
}

/**
 * Runs its rounds, each lane one after the other and all lanes at once, so that rounds of
 * different people share batches and those of the same people never overlap.
 * @throws the first failure, with its seed and round
 */
export async function playRounds<Lane>(
  name: string,
  lanes: readonly Lane[],
  play: (round: Round, lane: Lane) => Promise<void>,
  count = rounds,
): Promise<void> {
  let failed = false;
  const playLane = async (lane: Lane, first: number) => {
    for (let number = first; number < count && !failed; number += lanes.length) {
      try {
        await play({ number, ...choicesOf(seed, `${name} ${number}`) }, lane);
      } catch (cause) {
        failed = true;
        const { message } = cause as Error;
        throw new Error(`${name}, round ${number}, SEED=${seed}: ${message}`, { cause });
      }
    }
  };
  await Promise.all(lanes.map(playLane));
}
