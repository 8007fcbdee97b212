const millisecondsPerSecond = 1000;

/** Called when replies begin to count and when they stop, so that all measure the same time. */
export interface WindowEvents {
  readonly onOpen: () => void;
  readonly onClose: () => void;
}

/** @param sorted ascending; 0 of an empty list */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** The time in which replies count. It opens once, after the warm-up, and closes once. */
export function startWindow(warmUpSeconds: number, events: WindowEvents) {
  const begun = performance.now();
  const latencies: number[] = [];
  let openedAt: number | null = null;
  let closedAt: number | null = null;
  return {
    /** @param sentAt when the request was sent, as `performance.now()` */
    answered(sentAt: number): void {
      if (closedAt !== null) return;
      const now = performance.now();
      if (openedAt !== null) {
        latencies.push(now - sentAt);
      } else if (now - begun >= warmUpSeconds * millisecondsPerSecond) {
        openedAt = now;
        events.onOpen();
      }
    },
    close(): void {
      if (closedAt !== null) return;
      closedAt = performance.now();
      events.onClose();
    },
    report() {
      const sorted = [...latencies].sort((a, b) => a - b);
      const milliseconds = openedAt === null || closedAt === null ? 0 : closedAt - openedAt;
      return {
        answered: sorted.length,
        seconds: milliseconds / millisecondsPerSecond,
        p50Ms: percentile(sorted, 0.5),
        p99Ms: percentile(sorted, 0.99),
      };
    },
  };
}
