import type { Page } from 'playwright-core';

/** Presses of a person on a page: clicks, and keys but for those of a text that is typed. */
export interface Presses {
  readonly clicks: number;
  readonly keys: number;
}

/** Counts what a person does on a page from now on; it is lost where the page is loaded anew. */
export async function countPresses(page: Page): Promise<() => Promise<Presses>> {
  await page.evaluate(() => {
    const counted = { clicks: 0, keys: 0 };
    Object.assign(globalThis, { countedPresses: counted });
    document.addEventListener(
      'pointerdown',
      ({ isTrusted }) => isTrusted && counted.clicks++,
      true,
    );
    document.addEventListener(
      'keydown',
      ({ isTrusted, target }) => {
        const isTyped = target instanceof HTMLElement && target.matches('input, textarea');
        if (isTrusted && !isTyped) counted.keys++;
      },
      true,
    );
  });
  return () =>
    page.evaluate(() => (globalThis as unknown as { countedPresses: Presses }).countedPresses);
}
