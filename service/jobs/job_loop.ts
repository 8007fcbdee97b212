import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { sleep } from '@tenant-payments/engine/loop/pulse.ts';
import { runLoop } from '@tenant-payments/engine/loop/run_loop.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '../service.ts';
import { coalesce } from './coalesce.ts';
import { openJobRunner } from './job_runner.ts';
import { type ClaimedJob, openJobStore } from './job_store.ts';
import { openJobWatch } from './job_watch.ts';
import type { Jobs } from './registry.ts';

/** Longer than any command may take; after it, other processes take over jobs of one that died. */
const leaseMs = 30_000;
/** Jobs take a quarter of a batch (rules/engine#12): more at a time would only wait in the queue. */
const claimSize = 64;
const maximumRunning = 256;
const defaultPollMs = 250;
/** Before a reply, jobs that jobs schedule are run too, up to this depth. */
const maximumRounds = 10;
/** How long a reply waits for a job that another process runs, and how often it looks. */
const othersWaitMs = 2_000;
const lookEveryMs = 20;

/** Runs due jobs as commands (rules/records#20). */
export interface JobLoop {
  /** Starts the loop of a worker. Without it, only the two methods below run jobs. */
  start(): void;
  /**
   * Runs the due jobs of this tenant, and the jobs that they schedule for now, before it returns. It
   * needs no query while this process knows that none is due. Never rejects: failed jobs run again.
   */
  runDueJobs(tenantId: string): Promise<void>;
  /**
   * One step of an advance: runs the jobs due where the tenant's clock stands, except those in real
   * time.
   * @returns how many jobs were run
   */
  runDueJobsOfStep(tenantId: string): Promise<number>;
  /** Forgets the known wake times, after a clock was moved. */
  forget(): void;
  /** Claims no more jobs, and resolves when those under way have ended. */
  stop(): Promise<void>;
}

/**
 * The job loop of this process. Jobs are claimed under a lease with SKIP LOCKED: several workers
 * share the table, and one of them runs each job.
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
  /** Some jobs were left where they are, since too many of their kind run. */
  let isHeldBack = false;
  const onScheduled = (wakeMs: number) => loop.wake(wakeMs - clocks.realNow());
  const watch = openJobWatch(clocks.realNow, onScheduled, freshMs);
  service.engine.onCommit(watch.see);
  const learn = () => watch.learn(() => store.dueJobs(instant()));

  async function run(row: ClaimedJob): Promise<void> {
    // Before it runs: its command may schedule the same job again.
    watch.remove(row);
    await runner.run(row);
    meters.jobsRun.inc({ name: row.name });
    if (isFull && runner.count() <= maximumRunning - claimSize) loop.wake();
    if (isHeldBack && runner.heldBack().length === 0) {
      isHeldBack = false;
      loop.wake();
    }
  }

  async function runOf(tenantId: string, which: { reals: boolean }): Promise<number> {
    const rows = await store.claimOf(tenantId, instant(), instant(leaseMs), claimSize, which);
    await Promise.all(rows.map(run));
    return rows.length;
  }

  /** Waits for jobs that were due before and that another process has claimed. */
  async function awaitOthers(tenantId: string, rows: ReturnType<typeof watch.notedOf>) {
    const until = performance.now() + othersWaitMs;
    while (performance.now() < until) {
      if ((await store.heldElsewhere(tenantId, rows, instant())) === 0) break;
      await sleep(lookEveryMs);
    }
    for (const row of rows) watch.remove(row);
  }

  const runAll = coalesce(async (tenantId: string): Promise<void> => {
    const before = new Set(watch.notedOf(tenantId));
    watch.claiming(tenantId);
    while ((await runOf(tenantId, { reals: true })) === claimSize);
    await runner.settled(tenantId);
    const left = watch.notedOf(tenantId).filter((row) => before.has(row));
    if (left.length > 0) await awaitOthers(tenantId, left);
  });

  async function take(room: number): Promise<number> {
    const but = runner.heldBack();
    isHeldBack = but.length > 0;
    const rows = await store.claim(instant(), instant(leaseMs), room, but);
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
        // Jobs that this process's loop has claimed are due too, but no longer in the watch.
        await taking;
        await runner.settled(tenantId);
        for (let round = 0; round < maximumRounds && watch.mayBeDue(tenantId); round += 1)
          await runAll(tenantId);
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
