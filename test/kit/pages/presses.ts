import type { Page } from 'playwright-core';

/** Presses of a person on a page: clicks, keys but for those of a text that is typed, and the fields that are filled. */
export interface Presses {
  readonly clicks: number;
  readonly keys: number;
  readonly fields: number;
}

/** A script of the page. A chord such as Ctrl+Enter is one key; boxes and radios are clicked, not filled. */
const counting = `
  const none = () => ({ clicks: 0, keys: 0, filled: new Set() });
  let counted = none();
  globalThis.takePresses = () => {
    const { clicks, keys, filled } = counted;
    counted = none();
    return { clicks, keys, fields: filled.size };
  };
  const isField = (target) => target.matches('textarea, input:not([type=checkbox], [type=radio])');
  document.addEventListener('pointerdown', ({ isTrusted }) => isTrusted && counted.clicks++, true);
  document.addEventListener('keydown', ({ isTrusted, target, key }) => {
    const isTyped = isField(target) && key.length === 1;
    if (isTrusted && !isTyped && !['Control', 'Meta', 'Shift', 'Alt'].includes(key)) counted.keys++;
  }, true);
  document.addEventListener('input', ({ target }) => isField(target) && counted.filled.add(target), true);
`;

/** Counts what a person does on a page, since the last call; it is lost where the page is loaded anew. */
export async function countPresses(page: Page): Promise<() => Promise<Presses>> {
  await page.evaluate(`(() => {${counting}})()`);
  return () => page.evaluate<Presses>('globalThis.takePresses()');
}
