import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { locales } from '../../web/flows/texts/locale.ts';
import { browser, useWeb, web } from '../kit/browser/web.ts';
import { byKeyboard, type KeyboardWalker } from './keyboard.ts';
import { walkAll, walks } from './states.ts';
import type { Walker } from './walker.ts';
import { zoomFaults } from './zoom.ts';

/** WCAG 2.2 AA on every state, in a colour that is not the one that the pages were made with. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const schemes = ['light', 'dark'] as const;

useWeb();
beforeAll(async () => {
  const branding = { name: 'Panadería Azúcar', logo_url: null, primary_color: '#8a1c4a' };
  await web.server.call('PUT', '/portal/api/settings', { body: { branding } });
});

/** Every state in every language and scheme; without it every state in one of the four. */
const isWhole = process.env.ALL_STATES === '1';
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
const oneOf = <T>(all: readonly T[], index: number): readonly T[] =>
  isWhole ? all : all.filter((_, at) => at === (seed + index) % all.length);

async function axeFaults(page: Page, index: number): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of oneOf(schemes, index)) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Half a megabyte: brought to each document once.
    const isThere = await page.evaluate<boolean>('typeof axe === "object"');
    const axe = new AxeBuilder({ page, ...(isThere ? { axeSource: ';' } : {}) });
    const { violations } = await axe.setLegacyMode().withTags(tags).analyze();
    for (const { id, nodes } of violations)
      faults.push(
        `${colorScheme} ${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
      );
  }
  return faults;
}

type Kind = 'axe' | 'zoom' | 'keyboard';

describe.each(locales)(`%s, seed ${seed}`, (locale) => {
  const chosen = walks.filter((_, index) => oneOf(locales, index).includes(locale));
  const found: Record<Kind, Record<string, string[]>> = { axe: {}, zoom: {}, keyboard: {} };
  const walkers = new WeakMap<Page, KeyboardWalker>();
  let states = 0;
  let unreached = '';

  const note = (kind: Kind, state: string, faults: string[]) => {
    if (faults.length > 0) found[kind][state] = faults;
  };
  /** Every walk here uses the keyboard alone. */
  const asWalker = (walker: Walker): Walker => {
    const keys = byKeyboard(walker);
    walkers.set(walker.page, keys);
    return keys;
  };
  const look = async (state: string, { page }: Walker) => {
    note('keyboard', state, (await walkers.get(page)?.faults()) ?? []);
    note('axe', state, await axeFaults(page, states));
    note('zoom', state, await zoomFaults(page));
    states += 1;
  };
  beforeAll(async () => {
    const parts = { browser, web, locale, asWalker };
    unreached = await walkAll(parts, look, chosen).then(() => '', String);
  }, 900_000);

  test('every state is reached by keyboard alone', () => {
    expect(unreached).toBe('');
    expect(states).toBe(chosen.flatMap(({ steps }) => steps).length);
  });
  test('the focus is always seen, follows the page, and is nowhere lost', () => {
    expect(found.keyboard).toEqual({});
  });
  test('no state has a fault that axe finds', () => {
    expect(found.axe).toEqual({});
  });
  test('at 400 %, and with wider text, everything is read and reached without scrolling sideways', () => {
    expect(found.zoom).toEqual({});
  });
});
