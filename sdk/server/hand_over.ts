import type { Event } from './events.ts';

/** Handlers that run at a time, and events that may wait for one in the memory of this process. */
const mostAtOnce = 16;
const mostWaiting = 1_000;

/** Handles events that were answered before, in the order in which they came. */
export interface HandOver {
  /** False: too many wait, and the event was not taken. */
  take(event: Event): boolean;
  /** Resolves once nothing waits or runs. */
  idle(): Promise<void>;
}

/** @param handle never rejects */
export function openHandOver(handle: (event: Event) => Promise<unknown>): HandOver {
  const waiting: Event[] = [];
  const whenIdle: (() => void)[] = [];
  let running = 0;

  function begin(): void {
    while (running < mostAtOnce) {
      const event = waiting.shift();
      if (event === undefined) break;
      running += 1;
      handle(event).finally(() => {
        running -= 1;
        begin();
      });
    }
    if (running === 0) for (const resolve of whenIdle.splice(0)) resolve();
  }

  return {
    take(event) {
      if (waiting.length >= mostWaiting) return false;
      waiting.push(event);
      // After the reply: it is written before the next turn of the event loop.
      (globalThis.setImmediate ?? setTimeout)(begin);
      return true;
    },
    idle: () =>
      running + waiting.length === 0
        ? Promise.resolve()
        : new Promise((resolve) => whenIdle.push(resolve)),
  };
}
