import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { atRest } from './readable.ts';

/** A desk, a small laptop, a phone and the narrowest one. */
const widths = [1_440, 1_024, 390, 320];

/** Finds each visible list that is wider than its frame, and its times that do not show whole. */
const faults = `[...document.querySelectorAll('.list, .scrolling')].flatMap((frame) => {
  const edge = frame.getBoundingClientRect().right;
  const cut = [...frame.querySelectorAll('time')].filter((time) => {
    const { width, right } = time.getBoundingClientRect();
    const cell = time.closest('td, dd')?.getBoundingClientRect().right ?? edge;
    return width > 0 && right > Math.min(cell, edge) + 1;
  });
  const wider = frame.scrollWidth - frame.clientWidth;
  const label = frame.getAttribute('aria-label');
  return [
    ...(wider > 0 ? [label + ' is ' + wider + ' px wider than its frame'] : []),
    ...cut.map((time) => label + ' cuts ' + time.textContent),
  ];
})`;

/** The next picture of the page is drawn: lists have measured their place. */
const drawn = `new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(end)))`;

/**
 * Proves at every width that no list of the page is wider than its frame, and that each time shows
 * whole.
 */
export async function proveFits(page: Page, name: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(drawn);
    // The menu gives its place to the page, or takes it, in some steps.
    await page.evaluate(atRest);
    await page.evaluate(drawn);
    expect([name, width, await page.evaluate(faults)]).toEqual([name, width, []]);
  }
}

/** Waits until nothing of the page is being loaded: every list shows its rows, or why it has none. */
export const settled = (page: Page) =>
  expect
    .poll(() => page.evaluate("document.querySelectorAll('main [aria-label^=Loading]').length"))
    .toBe(0);

/** The pages of the navigation, by their addresses and names. */
export const pagesOf = (page: Page) =>
  page.evaluate<[path: string, name: string][]>(
    `[...document.querySelectorAll('nav a')].map((link) => [link.href, link.textContent])`,
  );
