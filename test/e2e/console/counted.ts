import type { Locator, Page } from 'playwright-core';

/**
 * The effort to reach something: presses of the pointer and of keys, and fields that are filled.
 */
export interface Counted {
  readonly clicks: number;
  readonly keys: number;
  readonly fields: number;
}

/** Hands that count. A chord such as Ctrl+Enter is one key. */
export function countingHands(page: Page) {
  const counted = { clicks: 0, keys: 0, fields: 0 };
  return {
    async click(what: Locator): Promise<void> {
      await what.click();
      counted.clicks += 1;
    },
    async press(key: string): Promise<void> {
      await page.keyboard.press(key);
      counted.keys += 1;
    },
    async fill(field: Locator, text: string): Promise<void> {
      await field.fill(text);
      counted.fields += 1;
    },
    /** Since the last call. */
    taken(): Counted {
      const taken = { ...counted };
      Object.assign(counted, { clicks: 0, keys: 0, fields: 0 });
      return taken;
    },
  };
}
