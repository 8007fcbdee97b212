import { atMost } from '@tenant-payments/engine/at_most.ts';
import { ApiError } from '@tenant-payments/engine/fail.ts';
import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { LRUCache } from 'lru-cache';
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

interface Running {
  readonly tenantId: string;
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
  const failures = new LRUCache<string, number>(atMost(maximumRemembered));

  function delayAfterFailure(row: ClaimedJob): number {
    const before = failures.get(jobKey(row)) ?? 0;
    failures.set(jobKey(row), before + 1);
    return Math.min(firstBackOffMs * 2 ** before, longestBackOffMs);
  }

  async function submit(row: ClaimedJob): Promise<void> {
    const { tenantId, name, ref } = row;
    const facts = { tenant_id: tenantId, name, ref };
    const job = byName.get(name);
    if (!job) {
      log.error({ alarm: 'unknown_job', ...facts }, 'no command for this job');
      return backOff(row, unknownBackOffMs);
    }
    try {
      await engine.submit(job, { tenantId, input: { ref }, lane: 'job', held: row });
      failures.delete(jobKey(row));
    } catch (error) {
      const again_in_ms = delayAfterFailure(row);
      if (error instanceof ApiError)
        log.warn({ ...facts, again_in_ms, code: error.code }, 'a job was refused');
      else
        log.error(
          { alarm: 'job', ...facts, again_in_ms, fault: faultFacts(error) },
          'a job failed',
        );
      await backOff(row, again_in_ms);
    }
  }

  return {
    count: (): number => running.size,
    /** Never rejects: a job that cannot be released is free again when its lease ends. */
    run(row: ClaimedJob): Promise<void> {
      const key = jobKey(row);
      const done = submit(row)
        .catch((error: unknown) =>
          log.error({ fault: faultFacts(error) }, 'a job cannot be released'),
        )
        .finally(() => running.delete(key));
      running.set(key, { tenantId: row.tenantId, done });
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
