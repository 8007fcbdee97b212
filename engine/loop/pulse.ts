/** Lets a loop sleep until something happens or its time has come. */
export interface Pulse {
  wake(): void;
  /** Resolves after `ms`, or at once when `wake` was called since the last wait. */
  wait(ms: number): Promise<void>;
}

export function openPulse(): Pulse {
  let isWoken = false;
  let endWait: (() => void) | null = null;
  return {
    wake() {
      isWoken = true;
      endWait?.();
    },
    async wait(ms) {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          endWait = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      endWait = null;
      isWoken = false;
    },
  };
}

/** Resolves after `ms`, or when the signal is aborted. */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
