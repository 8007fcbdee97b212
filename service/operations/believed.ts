/** A scrape never waits longer for the database. */
const queryWaitMs = 2_000;
/** How long a read is believed, however many scrapers there are. */
const freshMs = 5_000;

/**
 * Shares a read of the database between scrapes; null when the database does not answer.
 * @param goodMs how long a result is believed
 */
export function openBelieved<T>(
  read: () => Promise<T>,
  goodMs: number = freshMs,
): () => Promise<T | null> {
  let held: Promise<T | null> = Promise.resolve(null);
  let untilMs = Number.NEGATIVE_INFINITY;

  async function readNow(): Promise<T | null> {
    const found = await read().catch(() => null);
    if (found !== null) untilMs = Math.max(untilMs, performance.now() + goodMs);
    return found;
  }

  const tooLate = () =>
    new Promise<null>((resolve) => setTimeout(() => resolve(null), queryWaitMs).unref());

  return () => {
    if (performance.now() >= untilMs) {
      untilMs = performance.now() + freshMs;
      held = Promise.race([readNow(), tooLate()]);
    }
    return held;
  };
}
