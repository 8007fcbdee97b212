import type { Decided } from '../core/batch.ts';
import { epochMs } from '../core/instant.ts';
import { type DueKey, dueKey } from './due_runner.ts';

const maximumNoted = 10_000;

/**
 * What this process knows of due rows without asking the database: those that its own commits made
 * and whose time had come, and before when nothing else wakes. It keeps the simulate path, which
 * runs what is due before each reply, free of queries.
 */
export function openDueWatch(realNow: () => number, onNews: (wakeMs: number) => void) {
  const noted = new Map<string, Map<string, DueKey>>();
  let notedCount = 0;
  let nextWakeMs = Number.NEGATIVE_INFINITY;
  /** The earliest wake that commits brought while `learn` asked. */
  let sinceMs = Number.POSITIVE_INFINITY;
  let learning: Promise<void> | null = null;

  function remove(row: DueKey): void {
    const rows = noted.get(row.tenantId);
    if (!rows?.delete(dueKey(row))) return;
    notedCount -= 1;
    if (rows.size === 0) noted.delete(row.tenantId);
  }

  function add(row: DueKey): void {
    if (notedCount >= maximumNoted) forget();
    const rows = noted.get(row.tenantId) ?? new Map<string, DueKey>();
    if (!rows.has(dueKey(row))) notedCount += 1;
    noted.set(row.tenantId, rows.set(dueKey(row), row));
  }

  function forget(): void {
    noted.clear();
    notedCount = 0;
    nextWakeMs = Number.NEGATIVE_INFINITY;
  }

  async function ask(read: () => Promise<number>): Promise<void> {
    sinceMs = Number.POSITIVE_INFINITY;
    const foundMs = await read();
    nextWakeMs = Math.min(foundMs, sinceMs);
  }

  return {
    /** Takes in what a commit has staged. */
    see({ staged, wakeAt }: Pick<Decided, 'staged' | 'wakeAt'>): void {
      let newsMs = Number.POSITIVE_INFINITY;
      for (const { tenantId, what, ref, at } of staged.dues) {
        remove({ tenantId, what, ref });
        if (at === null) continue;
        const wakeMs = epochMs(wakeAt(tenantId, at));
        if (wakeMs <= realNow()) add({ tenantId, what, ref });
        else nextWakeMs = Math.min(nextWakeMs, wakeMs);
        sinceMs = Math.min(sinceMs, wakeMs);
        newsMs = Math.min(newsMs, wakeMs);
      }
      if (newsMs < Number.POSITIVE_INFINITY) onNews(newsMs);
    },
    remove,
    notedOf: (tenantId: string): DueKey[] => [...(noted.get(tenantId)?.values() ?? [])],
    /** Something of this tenant may be due. */
    mayBeDue: (tenantId: string): boolean => noted.has(tenantId) || nextWakeMs <= realNow(),
    nextWakeMs: (): number => nextWakeMs,
    /** Asks when the next row wakes, unless that is known; callers at the same time share it. */
    learn(read: () => Promise<number>): Promise<void> {
      if (nextWakeMs > realNow()) return Promise.resolve();
      learning ??= ask(read).finally(() => {
        learning = null;
      });
      return learning;
    },
    forget,
  };
}
