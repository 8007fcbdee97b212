import { AxeBuilder } from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Locale, locales } from '../../web/flows/texts/locale.ts';
import { launchBrowser } from './browser.ts';
import { openStage, type Stage } from './stage.ts';
import { walkAll, walks } from './states.ts';
import type { Walker } from './walker.ts';

/** WCAG 2.2 AA on every state, in a colour that is not the one that the pages were made with. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];
const schemes = ['light', 'dark'] as const;
const narrow = { width: 320, height: 640 };

let stage: Stage;
let browser: Browser;
beforeAll(async () => {
  [stage, browser] = await Promise.all([openStage(), launchBrowser()]);
  const branding = { name: 'Panadería Azúcar', logo_url: null, primary_color: '#8a1c4a' };
  await stage.house.test.call('PUT', '/portal/api/settings', { body: { branding } });
});
afterAll(async () => {
  await browser.close();
  await stage.stop();
});

/** Every state in every language and scheme; without it a third of the walks, in one of the four. */
const isWhole = process.env.ALL_STATES === '1';
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
const share = 3;

const isChosen = (index: number, locale: Locale): boolean =>
  isWhole || locales.indexOf(locale) * share === (seed + index) % (share * locales.length);

/** What is wrong with the state that the page is in. */
async function faultsOf({ page }: Walker, index: number): Promise<string[]> {
  const faults: string[] = [];
  const [size, scheme] = [page.viewportSize(), schemes[(seed + index) % schemes.length]];
  for (const colorScheme of isWhole ? schemes : [scheme ?? 'light']) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
    for (const { id, nodes } of violations)
      faults.push(
        `${colorScheme} ${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
      );
  }
  await page.setViewportSize(narrow);
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
  if (wide > narrow.width) faults.push(`${wide} px wide at ${narrow.width}`);
  if (size) await page.setViewportSize(size);
  return faults;
}

describe.each(locales)(`%s, seed ${seed}`, (locale) => {
  const chosen = walks.filter((_, index) => isChosen(index, locale));
  test('no state has a fault that axe finds, nor a sideways scroll at 320 px', async () => {
    const found: Record<string, string[]> = {};
    let states = 0;
    const unreached = await walkAll(
      { browser, stage, locale },
      async (state, walker) => {
        const faults = await faultsOf(walker, states);
        states += 1;
        if (faults.length > 0) found[state] = faults;
      },
      chosen,
    ).then(() => '', String);
    expect({ unreached, found }).toEqual({ unreached: '', found: {} });
    expect(states).toBe(chosen.flatMap(({ steps }) => steps).length);
  }, 300_000);
});
