import type { Decided } from '../core/batch/batch.ts';
import { epochMs } from '../core/instant.ts';
import { type JobKey, jobKey } from './job_runner.ts';
import type { Outlook } from './job_store.ts';

const maximumNoted = 10_000;
/** Other processes stage rows too: what is known is asked again when it is older. */
const defaultFreshMs = 500;

/**
 * What this process knows of jobs without asking the database: those that its own commits made
 * and whose time had come, whose rows were due when it last asked, and before when nothing else
 * wakes. It keeps the simulate path, which runs what is due before each reply, free of queries.
 */
export function openJobWatch(
  realNow: () => number,
  onNews: (wakeMs: number) => void,
  freshMs = defaultFreshMs,
) {
  const noted = new Map<string, Map<string, JobKey>>();
  let notedCount = 0;
  let waiting: Set<string> | 'many' = 'many';
  let nextWakeMs = Number.NEGATIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;
  /** The earliest wake that commits brought while `learn` asked. */
  let sinceMs = Number.POSITIVE_INFINITY;
  let learning: Promise<void> | null = null;

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
    noted.clear();
    notedCount = 0;
    waiting = 'many';
    nextWakeMs = Number.NEGATIVE_INFINITY;
  }

  async function ask(read: () => Promise<Outlook>): Promise<void> {
    sinceMs = Number.POSITIVE_INFINITY;
    askedAt = performance.now();
    const found = await read();
    nextWakeMs = Math.min(found.nextWakeMs, sinceMs);
    waiting = found.waiting === 'many' ? 'many' : new Set(found.waiting);
  }

  const isKnown = () => nextWakeMs > realNow() && performance.now() - askedAt < freshMs;

  return {
    /** Takes in what a commit has staged. */
    see({ staged }: Pick<Decided, 'staged'>): void {
      let newsMs = Number.POSITIVE_INFINITY;
      for (const { tenantId, name, ref, time } of staged.jobs) {
        remove({ tenantId, name, ref });
        if (time === null) continue;
        const wakeMs = epochMs(time.wakeAt);
        if (wakeMs <= realNow()) add({ tenantId, name, ref });
        else nextWakeMs = Math.min(nextWakeMs, wakeMs);
        sinceMs = Math.min(sinceMs, wakeMs);
        newsMs = Math.min(newsMs, wakeMs);
      }
      if (newsMs < Number.POSITIVE_INFINITY) onNews(newsMs);
    },
    remove,
    notedOf: (tenantId: string): JobKey[] => [...(noted.get(tenantId)?.values() ?? [])],
    /** Something of this tenant is due, as far as is known. */
    mayBeDue: (tenantId: string): boolean =>
      noted.has(tenantId) || waiting === 'many' || waiting.has(tenantId),
    /** This tenant's rows are being claimed: what is due after that is news. */
    claiming(tenantId: string): void {
      if (waiting !== 'many') waiting.delete(tenantId);
    },
    nextWakeMs: (): number => nextWakeMs,
    /** Asks what is due and what wakes next, unless that is known; callers at a time share it. */
    learn(read: () => Promise<Outlook>): Promise<void> {
      if (isKnown()) return Promise.resolve();
      learning ??= ask(read).finally(() => {
        learning = null;
      });
      return learning;
    },
    forget,
  };
}
