import type { DecidedBatch } from '@tenant-payments/engine/batch/batch.ts';
import { epochMs } from '@tenant-payments/engine/time/instant.ts';
import { type JobKey, jobKey } from './job_runner.ts';
import type { DueJobs } from './job_store.ts';

const maximumNoted = 10_000;
/** Other processes schedule jobs too: older knowledge is read again. */
const defaultFreshMs = 500;

/**
 * This process's knowledge of jobs without a query: due jobs of its own commits, tenants that had due jobs at the last
 * query, and the time before which no other becomes due. So the simulate path, which runs due jobs before each reply,
 * usually needs no query.
 */
export function openJobWatch(
  realNow: () => number,
  onScheduled: (wakeMs: number) => void,
  freshMs = defaultFreshMs,
) {
  const noted = new Map<string, Map<string, JobKey>>();
  let notedCount = 0;
  let waiting: Set<string> | 'many' = 'many';
  let nextWakeMs = Number.NEGATIVE_INFINITY;
  let queriedAt = Number.NEGATIVE_INFINITY;
  /** The earliest wake time of commits during the query of `learn`. */
  let sinceMs = Number.POSITIVE_INFINITY;
  let learning: Promise<void> | null = null;
  /** A query that began before the last `forget` may have missed a job that was noted since. */
  let forgotten = 0;

  function remove(row: JobKey): void {
    const rows = noted.get(row.tenantId);
    if (!rows?.delete(jobKey(row))) return;
    notedCount -= 1;
    if (rows.size === 0) noted.delete(row.tenantId);
  }

  function add(row: JobKey): void {
    if (notedCount >= maximumNoted) forget();
    const rows = noted.get(row.tenantId) ?? new Map<string, JobKey>();
    if (!rows.has(jobKey(row))) notedCount += 1;
    noted.set(row.tenantId, rows.set(jobKey(row), row));
  }

  function forget(): void {
    forgotten += 1;
    noted.clear();
    notedCount = 0;
    waiting = 'many';
    nextWakeMs = Number.NEGATIVE_INFINITY;
  }

  async function query(read: () => Promise<DueJobs>): Promise<void> {
    sinceMs = Number.POSITIVE_INFINITY;
    queriedAt = performance.now();
    const before = forgotten;
    const found = await read();
    if (forgotten !== before) return;
    nextWakeMs = Math.min(found.nextWakeMs, sinceMs);
    waiting = found.waiting === 'many' ? 'many' : new Set(found.waiting);
  }

  const isKnown = () => nextWakeMs > realNow() && performance.now() - queriedAt < freshMs;

  return {
    /** Notes the jobs of a commit. */
    see({ staged }: Pick<DecidedBatch, 'staged'>): void {
      let earliestMs = Number.POSITIVE_INFINITY;
      for (const { tenantId, name, ref, time } of staged.jobs) {
        remove({ tenantId, name, ref });
        if (time === null) continue;
        const wakeMs = epochMs(time.wakeAt);
        if (wakeMs <= realNow()) add({ tenantId, name, ref });
        else nextWakeMs = Math.min(nextWakeMs, wakeMs);
        sinceMs = Math.min(sinceMs, wakeMs);
        earliestMs = Math.min(earliestMs, wakeMs);
      }
      if (earliestMs < Number.POSITIVE_INFINITY) onScheduled(earliestMs);
    },
    remove,
    notedOf: (tenantId: string): JobKey[] => [...(noted.get(tenantId)?.values() ?? [])],
    /** Whether this tenant may have a due job. */
    mayBeDue: (tenantId: string): boolean =>
      noted.has(tenantId) || waiting === 'many' || waiting.has(tenantId),
    /** This tenant's jobs are being claimed: forget that it had due ones. */
    claiming(tenantId: string): void {
      if (waiting !== 'many') waiting.delete(tenantId);
    },
    nextWakeMs: (): number => nextWakeMs,
    /** Reads what is due and when the next job is, unless that is known; concurrent calls share it. */
    learn(read: () => Promise<DueJobs>): Promise<void> {
      if (isKnown()) return Promise.resolve();
      learning ??= query(read).finally(() => {
        learning = null;
      });
      return learning;
    },
    forget,
  };
}
