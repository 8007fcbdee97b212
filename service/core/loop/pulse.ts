/** Lets a loop sleep until something happens or its time has come. */
export interface Pulse {
  wake(): void;
  /** Resolves after `ms`, or at once when `wake` was called since the last wait. */
  wait(ms: number): Promise<void>;
}

export function openPulse(): Pulse {
  let rung = false;
  let ring: (() => void) | null = null;
  return {
    wake() {
      rung = true;
      ring?.();
    },
    async wait(ms) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          ring = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      ring = null;
      rung = false;
    },
  };
}

/** Resolves after `ms`, or as soon as the signal says that nobody waits any more. */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
