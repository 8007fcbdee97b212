import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from './fail.ts';

const attempts = 10;
const firstPauseMs = 10;
/** A row of control was changed since the snapshot; only a remote cell has one for a whole transaction. */
const changedSince = '40001';

/**
 * Runs a transaction, again where another one changed what it read (rules/cells#23).
 * @throws ApiError 503 where each time one did
 */
export async function rerunning<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await run();
    } catch (error) {
      if ((error as { code?: string }).code !== changedSince) throw error;
      if (attempt === attempts) throw unavailable('too many changes at once; try again');
      // Of many at once one goes on: the others must not meet again.
      await sleep(Math.random() * firstPauseMs * 2 ** attempt);
    }
}
