import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { axeViolations, colorRules } from './axe.ts';
import { chosenOf, schemes } from './chosen.ts';

/** Colors and places that are still changing are judged neither as they were nor as they will be. */
export const atRest = `Promise.all(document.getAnimations()
  .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
  .map(({ finished }) => finished.catch(() => {}))).then(() => {})`;

/**
 * On the narrowest window, in the chosen scheme: nothing that axe finds, nothing wider than the window.
 * @param name of the state; it chooses the scheme, and names the pictures
 */
export async function proveReadable(where: Page, name: string): Promise<void> {
  for (const [index, colorScheme] of chosenOf(schemes, name).entries()) {
    await where.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await where.setViewportSize({ width: 320, height: 640 });
    await where.evaluate(atRest);
    const violations = await axeViolations(where, index > 0 ? colorRules : undefined);
    expect(
      violations.map(({ id, nodes }) => [name, id, nodes.slice(0, 4).map(({ html }) => html)]),
    ).toEqual([]);
    const wide = await where.evaluate('document.documentElement.scrollWidth');
    expect([name, wide]).toEqual([name, 320]);
    const shots = process.env.PAGE_SHOTS;
    if (!shots) continue;
    await where.screenshot({ path: `${shots}/${name}.${colorScheme}.png`, fullPage: true });
    await where.setViewportSize({ width: 1440, height: 900 });
    await where.screenshot({ path: `${shots}/${name}.${colorScheme}.wide.png`, fullPage: true });
  }
}
