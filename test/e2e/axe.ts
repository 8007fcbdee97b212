import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * Axe on a page, which is asked for faults alone: what passes takes most of its time. A page without frames
 * is checked within itself; otherwise axe opens a second page to join what each frame found.
 */
export async function axeOn(page: Page): Promise<AxeBuilder> {
  // Half a megabyte: brought to each document once.
  const isThere = await page.evaluate<boolean>('typeof axe === "object"');
  const isAlone = page.frames().length === 1;
  const axe = new AxeBuilder({ page, ...(isThere && isAlone ? { axeSource: ';' } : {}) });
  axe.options({ resultTypes: ['violations'] });
  return isAlone ? axe.setLegacyMode() : axe;
}

/** The rules of axe that colors can break; all others say the same in the light and in the dark. */
export const colorRules = ['color-contrast', 'link-in-text-block'];
