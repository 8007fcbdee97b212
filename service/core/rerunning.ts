const attempts = 5;
/** A row of control was changed since the snapshot; only a remote cell has one for a whole transaction. */
const changedSince = '40001';

/** Runs a transaction, again where another one changed what it read (rules/cells#23). */
export async function rerunning<T>(run: () => Promise<T>): Promise<T> {
  for (let left = attempts - 1; ; left -= 1)
    try {
      return await run();
    } catch (error) {
      if (left === 0 || (error as { code?: string }).code !== changedSince) throw error;
    }
}
