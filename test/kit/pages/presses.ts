import type { Page } from 'playwright-core';

/** Presses of a person on a page: clicks, and keys but for those of a text that is typed. */
export interface Presses {
  readonly clicks: number;
  readonly keys: number;
}

/** A script of the page: what is typed into a field is no press. */
const counting = `
  const counted = (globalThis.countedPresses = { clicks: 0, keys: 0 });
  document.addEventListener('pointerdown', (event) => event.isTrusted && counted.clicks++, true);
  document.addEventListener('keydown', ({ isTrusted, target }) => {
    if (isTrusted && !target.matches('input, textarea')) counted.keys++;
  }, true);
`;

/** Counts what a person does on a page from now on; it is lost where the page is loaded anew. */
export async function countPresses(page: Page): Promise<() => Promise<Presses>> {
  await page.evaluate(counting);
  return () => page.evaluate<Presses>('globalThis.countedPresses');
}
