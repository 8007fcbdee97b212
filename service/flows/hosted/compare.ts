import { unavailable } from '../../core/fail.ts';
import { isPin } from '../../resources/customers/credentials/pins.ts';

/** Compares are dear by design: two at a time, and a short queue (decisions 1.8, PIN). */
const atOnce = 2;
const maximumWaiting = 64;

export type ComparePin = (pin: string, stored: string) => Promise<boolean>;

/** The one place where a PIN meets what is stored of it: before and outside any batch. */
export function openComparing(pepper: Buffer): ComparePin {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function turn(): Promise<void> {
    if (running < atOnce) {
      running += 1;
      return;
    }
    if (waiting.length >= maximumWaiting) throw unavailable('too many PINs are being compared');
    // Whoever ends hands its turn over, so that nobody takes it in between.
    await new Promise<void>((go) => waiting.push(go));
  }

  function pass(): void {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }

  return async (pin, stored) => {
    await turn();
    try {
      return await isPin(pepper, pin, stored);
    } finally {
      pass();
    }
  };
}
