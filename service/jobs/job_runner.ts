import { serviceActorIn } from '@tenant-payments/engine/actor.ts';
import { atMost } from '@tenant-payments/engine/at_most.ts';
import { ApiError } from '@tenant-payments/engine/fail.ts';
import { faultFacts } from '@tenant-payments/engine/fault.ts';
import type { ServiceJobName } from '@tenant-payments/engine/job_names.ts';
import { traceFact } from '@tenant-payments/engine/trace.ts';
import { LRUCache } from 'lru-cache';
import { causeOf } from '../operations/causes.ts';
import { openLineLimit } from '../operations/line_limit.ts';
import { RailsFault } from '../rails/guard/rails_fault.ts';
import type { Service } from '../service.ts';
import type { ClaimedJob } from './job_store.ts';
import type { Job, Jobs } from './registry.ts';

const firstBackOffMs = 1_000;
const longestBackOffMs = 3_600_000;
/** A job without a command here waits for a release that has one. */
const unknownBackOffMs = 3_600_000;
/** Jobs whose failures are counted; of others the next failure counts as the first. */
const maximumRemembered = 10_000;

export type JobKey = Pick<ClaimedJob, 'tenantId' | 'name' | 'ref'>;
export const jobKey = ({ tenantId, name, ref }: JobKey): string => `${tenantId} ${name} ${ref}`;

/** Jobs that call the outside, whose end nobody here decides; so do those that rails bring. */
const outside: readonly string[] = [
  'instruction',
  'order_hand_over',
  'order_cancel',
  'order_query',
  'customer_check',
  'owner_check',
  'link_check',
  'customer_message',
  'return_answer',
] satisfies ServiceJobName[];
/** The most jobs claimed at a time of one of these names, and of all together (rules/operations#80). */
const outsideOfName = 32;
const outsideInAll = 128;

interface Running {
  readonly tenantId: string;
  readonly name: string;
  readonly done: Promise<void>;
}

/** Runs claimed jobs. One that fails is released, and retried after longer and longer delays. */
export function openJobRunner(
  { engine, log }: Pick<Service, 'engine' | 'log'>,
  jobs: Jobs,
  backOff: (row: ClaimedJob, delayMs: number) => Promise<void>,
) {
  const byName = new Map<string, Job | undefined>(Object.entries(jobs));
  const running = new Map<string, Running>();
  const limitRefused = openLineLimit();
  const failures = new LRUCache<string, number>(atMost(maximumRemembered));

  const outsideNames = [...byName.keys()].filter(
    (name) => outside.includes(name) || name.startsWith('rails.'),
  );

  /** Names of jobs of which enough run that wait for the outside: others must not wait for them. */
  function heldBack(): readonly string[] {
    const counts = new Map(outsideNames.map((name) => [name, 0]));
    let inAll = 0;
    for (const { name } of running.values()) {
      const count = counts.get(name);
      if (count === undefined) continue;
      counts.set(name, count + 1);
      inAll += 1;
    }
    return outsideNames.filter(
      (name) => inAll >= outsideInAll || (counts.get(name) ?? 0) >= outsideOfName,
    );
  }

  function delayAfterFailure(row: ClaimedJob): number {
    const before = failures.get(jobKey(row)) ?? 0;
    failures.set(jobKey(row), before + 1);
    return Math.min(firstBackOffMs * 2 ** before, longestBackOffMs);
  }

  async function submit(row: ClaimedJob): Promise<void> {
    const { tenantId, name, ref, trace, isAgain = false } = row;
    const job = byName.get(name);
    if (!job) {
      const facts = { tenant_id: tenantId, job: name, ref };
      log.error({ alarm: 'unknown_job', ...facts }, 'no command for this job');
      return backOff(row, unknownBackOffMs);
    }
    try {
      const input = { ref, isAgain };
      const actor = serviceActorIn(trace);
      await engine.submit(job, { tenantId, actor, input, lane: 'job', held: row });
      failures.delete(jobKey(row));
    } catch (error) {
      await failed(row, error);
    }
  }

  async function failed(row: ClaimedJob, error: unknown): Promise<void> {
    const { tenantId, name: job, ref, trace } = row;
    const facts = { tenant_id: tenantId, job, ref, ...traceFact(trace) };
    // Nobody was called, so that the job has not failed: it comes again when the outside may be called.
    if (error instanceof RailsFault && !error.wasCalled)
      return backOff(row, (error.retryAfterSeconds ?? 1) * 1_000 * (1 + Math.random()));
    const again_in_ms = delayAfterFailure(row);
    const { cause, reason } = error instanceof RailsFault ? error : { cause: error, reason: null };
    if (reason !== null || !(error instanceof ApiError)) {
      const said = { ...facts, again_in_ms, cause: reason ?? causeOf(cause) };
      log.error({ alarm: 'job', ...said, fault: faultFacts(cause) }, 'a job failed');
    } else {
      const left_out = limitRefused();
      if (left_out !== null)
        log.warn({ ...facts, again_in_ms, code: error.code, left_out }, 'a job was refused');
    }
    await backOff(row, again_in_ms);
  }

  return {
    count: (): number => running.size,
    heldBack,
    /** Never rejects: a job that cannot be released is free again when its lease ends. */
    run(row: ClaimedJob): Promise<void> {
      const key = jobKey(row);
      const done = submit(row)
        .catch((error: unknown) =>
          log.error({ fault: faultFacts(error) }, 'a job cannot be released'),
        )
        .finally(() => running.delete(key));
      running.set(key, { tenantId: row.tenantId, name: row.name, done });
      return done;
    },
    /** Resolves when the jobs under way have ended: of this tenant, or of all for null. */
    async settled(tenantId: string | null): Promise<void> {
      const mine = [...running.values()].filter(
        (one) => tenantId === null || one.tenantId === tenantId,
      );
      await Promise.all(mine.map((one) => one.done));
    },
  };
}
