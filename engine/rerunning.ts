import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from './fail.ts';
import { sessionStale } from './lost.ts';

const attempts = 10;
const firstPauseMs = 10;
/** A row of control was changed since the snapshot; only a remote cell has one for a whole transaction. */
const changedSince = '40001';

/** A database that has become read-only has done nothing of a transaction. */
const readOnly = '25006';

/**
 * Runs a transaction, again where another one changed what it read (rules/cells#23), and in another session where
 * this one was stale or, once, took no writes (rules/engine#39).
 * @throws ApiError 503 where each time one did
 */
export async function rerunning<T>(run: () => Promise<T>): Promise<T> {
  let wasReadOnly = false;
  for (let attempt = 1; ; attempt += 1)
    try {
      return await run();
    } catch (error) {
      const { code } = error as { code?: string };
      const needsSession = sessionStale(error) || (code === readOnly && !wasReadOnly);
      if (!needsSession && code !== changedSince) throw error;
      if (attempt === attempts)
        throw unavailable('too many changes at once; try again', 1, 'contention');
      wasReadOnly ||= code === readOnly;
      if (needsSession) continue;
      // One of many goes on: the others must not meet again.
      await sleep(Math.random() * firstPauseMs * 2 ** attempt);
    }
}
