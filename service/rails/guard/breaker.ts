/** The failures in a row that open it: one order that always fails is not enough. */
const failuresToOpen = 10;
const firstOpenMs = 5_000;
const longestOpenMs = 60_000;

/** Keeps calls from an outside that fails (rules/operations#79). */
export interface Breaker {
  /** How long to wait before a call may be made; 0: it may be made now, and its result must be told. */
  waitMs(): number;
  succeeded(): void;
  failed(): void;
}

/**
 * Closed it lets all calls through. Open it lets none; when its time is over one call tries, and its success
 * closes it. Each failure of such a call doubles the time, up to a minute.
 * @param on called when it opens after having been closed, and when it closes again
 */
export function openBreaker(
  on: (state: 'open' | 'closed') => void,
  nowMs: () => number = () => performance.now(),
): Breaker {
  let failures = 0;
  let openForMs = firstOpenMs;
  /** Null: it is closed. */
  let openUntilMs: number | null = null;
  let isTrying = false;

  return {
    waitMs() {
      if (openUntilMs === null) return 0;
      const leftMs = openUntilMs - nowMs();
      if (leftMs > 0 || isTrying) return Math.max(leftMs, 1_000);
      isTrying = true;
      return 0;
    },
    succeeded() {
      failures = 0;
      openForMs = firstOpenMs;
      const wasOpen = openUntilMs !== null;
      openUntilMs = null;
      isTrying = false;
      if (wasOpen) on('closed');
    },
    failed() {
      failures += 1;
      // Calls that had begun before it opened say nothing new.
      if (openUntilMs !== null && !isTrying) return;
      if (openUntilMs === null && failures < failuresToOpen) return;
      const isFirst = openUntilMs === null;
      if (!isFirst) openForMs = Math.min(openForMs * 2, longestOpenMs);
      openUntilMs = nowMs() + openForMs;
      isTrying = false;
      if (isFirst) on('open');
    },
  };
}
