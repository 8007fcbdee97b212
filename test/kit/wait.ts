import { setTimeout as sleep } from 'node:timers/promises';

export interface WaitOptions {
  /** The name in the error of what is waited for. */
  readonly what?: string;
  /** Absent: 60 s. */
  readonly withinMs?: number;
  /** Absent: 10 ms. */
  readonly everyMs?: number;
}

/**
 * Looks again until `look` gives something truthy.
 * @returns what it gave
 * @throws after `withinMs`
 */
export async function until<T>(
  look: () => T | Promise<T>,
  { what = 'it', withinMs = 60_000, everyMs = 10 }: WaitOptions = {},
): Promise<NonNullable<T>> {
  const giveUpAt = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found) return found as NonNullable<T>;
    if (performance.now() > giveUpAt) throw new Error(`${what} did not happen in ${withinMs} ms`);
    await sleep(everyMs);
  }
}
