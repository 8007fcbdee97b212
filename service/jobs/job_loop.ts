import { faultFacts } from '../core/fault.ts';
import { instantOf } from '../core/instant.ts';
import { sleep } from '../core/loop/pulse.ts';
import { runLoop } from '../core/loop/run_loop.ts';
import type { Service } from '../service.ts';
import { coalesce } from './coalesce.ts';
import { openJobRunner } from './job_runner.ts';
import { type ClaimedJob, openJobStore } from './job_store.ts';
import { openJobWatch } from './job_watch.ts';
import type { Jobs } from './registry.ts';

/** Longer than any command may take; a process that died is relieved after it. */
const leaseMs = 30_000;
/** A quarter of a batch is for due commands (architecture 3): more at a time would only queue. */
const claimSize = 64;
const maximumRunning = 256;
const defaultPollMs = 250;
/** What due commands bring in turn is run too before a reply, so deep. */
const maximumRounds = 10;
/** How long a reply waits for a row that another process is running, and how often it looks. */
const patienceMs = 2_000;
const glanceMs = 20;

/** What time brings, run as commands (architecture 3, Due). */
export interface JobLoop {
  /** Starts the loop of a worker. Without it only `runDueNow` and `runDueOf` run anything. */
  start(): void;
  /**
   * Runs what is due for this tenant, and what that brings, before it returns. It costs no query
   * while this process knows that nothing is due, and never rejects: what fails is tried again.
   */
  runDueJobs(tenantId: string): Promise<void>;
  /**
   * One look of an advance: runs what is due where the tenant's clock stands, but not what real
   * time brings.
   * @returns how many rows were run
   */
  runDueJobsOfStep(tenantId: string): Promise<number>;
  /** A clock was moved: what is known of wake times is no longer so. */
  forget(): void;
  /** Claims nothing more, and resolves when what runs has ended. */
  stop(): Promise<void>;
}

/**
 * The jobs of this process. Rows are claimed under a lease with SKIP LOCKED, so that several
 * workers share them and each row is run by one.
 */
export function openJobLoop(
  service: Pick<Service, 'engine' | 'clocks' | 'pool' | 'log' | 'meters'>,
  jobs: Jobs,
  { pollMs = defaultPollMs, freshMs }: { pollMs?: number; freshMs?: number } = {},
): JobLoop {
  const { clocks, log, meters } = service;
  const store = openJobStore(service.pool);
  const instant = (aheadMs = 0) => instantOf(clocks.realNow() + aheadMs);
  const runner = openJobRunner(service, jobs, (row, delayMs) => {
    meters.jobsFailed.inc({ name: row.name });
    return store.backOff(row, instant(), delayMs);
  });
  const loop = runLoop({
    pauseMs: () => pollMs,
    turn,
    failure: 'jobs cannot be claimed',
    log,
  });
  /** The loop waits for commands under way to end. */
  let isFull = false;
  const onNews = (wakeMs: number) => loop.wake(wakeMs - clocks.realNow());
  const watch = openJobWatch(clocks.realNow, onNews, freshMs);
  service.engine.onCommit(watch.see);
  const learn = () => watch.learn(() => store.outlook(instant()));

  async function run(row: ClaimedJob): Promise<void> {
    // Before it runs: its command may stage the same row anew.
    watch.remove(row);
    await runner.run(row);
    meters.jobsRun.inc({ name: row.name });
    if (isFull && runner.count() <= maximumRunning - claimSize) loop.wake();
  }

  async function runOf(tenantId: string, which: { reals: boolean }): Promise<number> {
    const rows = await store.claimOf(tenantId, instant(), instant(leaseMs), claimSize, which);
    await Promise.all(rows.map(run));
    return rows.length;
  }

  /** Rows that were due before, and that another process took. */
  async function awaitOthers(tenantId: string, rows: ReturnType<typeof watch.notedOf>) {
    const until = performance.now() + patienceMs;
    while (performance.now() < until) {
      if ((await store.heldElsewhere(tenantId, rows, instant())) === 0) break;
      await sleep(glanceMs);
    }
    for (const row of rows) watch.remove(row);
  }

  const sweep = coalesce(async (tenantId: string): Promise<void> => {
    const before = new Set(watch.notedOf(tenantId));
    watch.claiming(tenantId);
    while ((await runOf(tenantId, { reals: true })) === claimSize);
    await runner.settled(tenantId);
    const left = watch.notedOf(tenantId).filter((row) => before.has(row));
    if (left.length > 0) await awaitOthers(tenantId, left);
  });

  async function take(room: number): Promise<number> {
    const rows = await store.claim(instant(), instant(leaseMs), room);
    for (const row of rows) void run(row);
    return rows.length;
  }
  let taking: Promise<unknown> = Promise.resolve();

  /** @returns whether there may be more to claim at once */
  async function look(): Promise<boolean> {
    const room = Math.min(claimSize, maximumRunning - runner.count());
    const taken = take(room);
    taking = taken.catch(() => {});
    if ((await taken) === room) return true;
    await learn();
    return false;
  }

  /** @returns how long to sleep, in milliseconds */
  async function turn(): Promise<number> {
    isFull = runner.count() >= maximumRunning;
    if (isFull) return pollMs;
    if (await look()) return 0;
    return Math.min(pollMs, Math.max(0, watch.nextWakeMs() - clocks.realNow()));
  }

  return {
    start: loop.start,
    async runDueJobs(tenantId) {
      try {
        await learn();
        // What the loop of this process has taken is due too, though nobody is told of it any more.
        await taking;
        await runner.settled(tenantId);
        for (let round = 0; round < maximumRounds && watch.mayBeDue(tenantId); round += 1)
          await sweep(tenantId);
      } catch (error) {
        log.error({ tenant_id: tenantId, fault: faultFacts(error) }, 'jobs cannot be run');
      }
    },
    runDueJobsOfStep: (tenantId) => runOf(tenantId, { reals: false }),
    forget() {
      watch.forget();
      loop.wake();
    },
    async stop() {
      await loop.stop();
      await runner.settled(null);
    },
  };
}
