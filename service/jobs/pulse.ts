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

export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));
