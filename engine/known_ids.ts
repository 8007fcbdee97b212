import { setTimeout as sleep } from 'node:timers/promises';

/** New ids are known within this time. */
const believedMs = 1_000;

/**
 * Opens a look-up of values by id. All are read again when an id is not among them, once a second at most, so that
 * made-up ids cost no query of their own; whoever asks for one that is new waits for that.
 * @param read all ids with what they lead to
 */
export function openKnownIds<T>(
  read: () => Promise<ReadonlyMap<string, T>>,
): (id: string) => Promise<T | undefined> {
  let known: ReadonlyMap<string, T> = new Map();
  let next: Promise<void> | null = null;
  let readAtMs = Number.NEGATIVE_INFINITY;

  async function readAgain(): Promise<void> {
    await sleep(Math.max(readAtMs + believedMs - performance.now(), 0), undefined, { ref: false });
    // A value made from now on may be missing from this read, so who asks now waits for the next.
    next = null;
    readAtMs = performance.now();
    known = await read();
  }

  return async (id) => {
    const before = known.get(id);
    if (before !== undefined) return before;
    next ??= readAgain();
    await next;
    return known.get(id);
  };
}
