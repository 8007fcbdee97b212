import type { CDPSession, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { locales } from '../../web/ui/texts/locale.ts';
import { browser, useWeb, web } from '../kit/pages/browser/web.ts';
import { axeViolations, type Chosen, colorRules } from './axe.ts';
import { chosenOf, isWhole, schemes, seed } from './chosen.ts';
import { byKeyboard, type KeyboardWalker } from './keyboard.ts';
import { isInSight } from './keyboard_probes.ts';
import { walkAll, walks } from './states/states.ts';
import type { Walker } from './states/walker.ts';

/** 1280 x 1024 at 400 % (WCAG 1.4.10): so many pixels of the page, and each four of the screen. */
const zoomed = { width: 320, height: 256 };
const scale = 4;

/**
 * The text spacing that a reader may set (WCAG 1.4.12). The page's policy keeps styles out, but not
 * these.
 */
const spacing = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(\`
    * { letter-spacing: 0.12em !important; line-height: 1.5 !important; word-spacing: 0.16em !important }
    p { margin-block-end: 2em !important }
  \`);
  document.adoptedStyleSheets = [sheet];
})()`;
const noSpacing = 'document.adoptedStyleSheets = []';

/**
 * Finds elements that cannot be read or reached: wider than the window, cut off, lying on something
 * else, or a control that is not in sight when it has the focus. The focus and the scroll are as
 * before.
 */
const probe = `(() => {
  const screen = [devicePixelRatio, innerWidth, innerHeight].join();
  const faults = screen === '${scale},${zoomed.width},${zoomed.height}' ? [] : ['the screen is ' + screen];
  const nameOf = ({ tagName, id, className, textContent }) =>
    [tagName.toLowerCase(), id || className, textContent.trim().slice(0, 30)].join(' ');
  const tell = (element, what) => faults.push(nameOf(element) + ' ' + what);
  const root = document.querySelector('dialog[open]') ?? document.body;
  const isShown = (element) =>
    element.checkVisibility({ opacityProperty: true }) && !element.closest('.visually-hidden, option');
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) faults.push('the page is ' + wide + ' px wide');
  for (const element of [root, ...root.querySelectorAll('*')].filter(isShown)) {
    const { position, overflowX, overflowY } = getComputedStyle(element);
    const { left, right } = element.getBoundingClientRect();
    if (element !== root && /fixed|sticky/.test(position)) tell(element, 'does not scroll');
    if (left < -1 || right > innerWidth + 1) tell(element, 'reaches out of the window');
    if (/INPUT|SELECT/.test(element.tagName)) continue;
    if (overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1)
      tell(element, 'is cut off at its side');
    if (/hidden|clip/.test(overflowY) && element.scrollHeight > element.clientHeight + 1)
      tell(element, 'is cut off below');
  }

  const lines = [];
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (!text.data.trim() || !isShown(text.parentElement)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const box of range.getClientRects()) lines.push({ text, box });
  }
  lines.forEach((one, index) => {
    for (const other of lines.slice(index + 1)) {
      if (one.text === other.text) continue;
      const [a, b] = [one.box, other.box];
      const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (width > 1 && height > Math.min(a.height, b.height) / 3)
        tell(one.text.parentElement, 'lies on ' + other.text.data.trim().slice(0, 30));
    }
  });
  for (const reveal of [...root.querySelectorAll('.reveal')]) {
    const input = reveal.parentElement.querySelector('input');
    const end = input.getBoundingClientRect().right - parseFloat(getComputedStyle(input).paddingRight);
    if (reveal.getBoundingClientRect().left < end - 1) tell(reveal, 'lies on what is typed');
  }

  const [had, x, y] = [document.activeElement, scrollX, scrollY];
  for (const control of root.querySelectorAll('a[href], button, input, select, summary')) {
    if (!isShown(control)) continue;
    document.activeElement?.blur();
    control.focus();
    if (document.activeElement !== control) tell(control, 'takes no focus');
    else if (!${isInSight}(control)) tell(control, 'is not in sight with the focus');
  }
  had?.focus({ preventScroll: true });
  scrollTo(x, y);
  return faults;
})()`;

/** The session of each page: with one that is detached its authenticator would go too. */
const screens = new WeakMap<Page, Promise<CDPSession>>();
function screenOf(page: Page): Promise<CDPSession> {
  const screen = screens.get(page) ?? page.context().newCDPSession(page);
  screens.set(page, screen);
  return screen;
}

/** Finds the faults of a state at 400 %, as it is and with the text as a reader may space it. */
async function zoomFaults(page: Page): Promise<string[]> {
  const size = page.viewportSize() ?? zoomed;
  const screen = await screenOf(page);
  const show = (metrics: typeof zoomed, deviceScaleFactor: number) =>
    screen.send('Emulation.setDeviceMetricsOverride', {
      ...metrics,
      deviceScaleFactor,
      mobile: false,
    });
  await show(zoomed, scale);
  const faults = await page.evaluate<string[]>(probe);
  await page.evaluate(spacing);
  const spaced = await page.evaluate<string[]>(probe);
  await page.evaluate(noSpacing);
  await show(size, 1);
  return [...faults, ...spaced.map((fault) => `spaced: ${fault}`)];
}

/** WCAG 2.2 AA on every state, in a color that is not the one that the pages were made with. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

useWeb();
beforeAll(async () => {
  const branding = { name: 'Panadería Azúcar', logo_url: null, primary_color: '#8a1c4a' };
  await web.server.call('PUT', '/portal/api/settings', { body: { branding } });
});

/** A page as axe sees it: its elements with their attributes, but for numbers, and where they have words. */
const form = `(function formOf(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data.trim() ? 'words' : '';
  if (node.nodeType !== Node.ELEMENT_NODE) return '';
  const attributes = [...node.attributes].filter(({ name }) => name !== 'lang').map(({ name, value }) => name + '=' + value.replace(/\\d+/g, '0'));
  return '<' + [node.tagName, ...attributes].join(' ') + '>' + [...node.childNodes].map(formOf).join('') + '</>';
})(document.documentElement)`;
/** The forms that axe has judged, and in which schemes. */
const judged = new Map<string, string[]>();

/** Rules for this state: of one whose form was judged those of colors, in another scheme; null: none. */
async function rulesFor(page: Page, scheme: string): Promise<Chosen | null> {
  const all = { type: 'tag', values: tags } as const;
  if (isWhole) return all;
  const shown = await page.evaluate<string>(form);
  const schemesBefore = judged.get(shown);
  if (schemesBefore?.includes(scheme)) return null;
  judged.set(shown, [...(schemesBefore ?? []), scheme]);
  return schemesBefore ? colorRules : all;
}

/** Many states show the same form with other words; axe judges each form once in each scheme. */
async function axeFaults(page: Page, state: string): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of chosenOf(schemes, state)) {
    const rules = await rulesFor(page, colorScheme);
    if (rules === null) continue;
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const violations = await axeViolations(page, rules);
    for (const { id, nodes } of violations)
      faults.push(
        `${colorScheme} ${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
      );
  }
  return faults;
}

type Kind = 'axe' | 'zoom' | 'keyboard';

describe.each(locales)(`%s, seed ${seed}`, (locale) => {
  const chosen = walks.filter(({ name, steps }) =>
    chosenOf(locales, `${name}.${steps[0]?.[0]}`).includes(locale),
  );
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
    note('axe', state, await axeFaults(page, state));
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
