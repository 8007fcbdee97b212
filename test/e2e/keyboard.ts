import type { Locator, Page } from 'playwright-core';
import { contrast } from '../../contract/core/contrast.ts';
import { patienceMs } from '../kit/pages/browser/browser.ts';
import { buttonOf, patient } from '../kit/pages/browser/hands.ts';
import { type Focus, focusProbe, type Stop, stopProbe } from './keyboard_probes.ts';
import type { Walker } from './states/walker.ts';

/** A walker that uses the keyboard alone, and collects the faults on its way. */
export interface KeyboardWalker extends Walker {
  /** The faults of the focus since the last call, and now. */
  faults(): Promise<string[]>;
}

/** The presses after which a search for an element gives up: no page has so many stops. */
const mostPresses = 60;
/** The contrast that an outline of the focus needs at least (WCAG 1.4.11). */
const leastOutlineContrast = 3;
const leastOutlinePixels = 2;

/** A computed color, `rgb(27, 94, 69)` or, of a mixed one, `color(srgb 0.1 0.4 0.3)`, as hexadecimal digits. */
function hexOf(color: string): string {
  const whole = color.startsWith('color(srgb') ? 255 : 1;
  const parts = (color.match(/\d+(\.\d+)?/g) ?? []).slice(0, 3);
  const digits = parts.map((part) => Math.round(Number(part) * whole).toString(16));
  return `#${digits.map((one) => one.padStart(2, '0')).join('')}`;
}

/** Finds the faults of a stop of the focus (WCAG 2.4.3, 2.4.7, 2.4.11). */
function faultsOf({ name, outline, behind, isInSight, isAfter, isAbove }: Stop): string[] {
  const isSeen =
    outline.style !== 'none' &&
    outline.pixels >= leastOutlinePixels &&
    contrast(hexOf(outline.color), hexOf(behind)) >= leastOutlineContrast;
  return [
    isSeen ? '' : `${name}: does not show the focus (${JSON.stringify(outline)} on ${behind})`,
    isInSight ? '' : `${name}: is not in sight`,
    isAfter && isAbove ? `${name}: stands above the stop before it` : '',
  ].filter(Boolean);
}

/** Reads the stop at which the focus is now; null: nothing has it. */
export const stopAt = (page: Page): Promise<Stop | null> => page.evaluate(stopProbe);

/**
 * Presses the tabulator until the target, or one of its group, has the focus; it may stand in a
 * frame of the page.
 */
export async function tabTo(page: Page, target: Locator, faults?: string[]): Promise<void> {
  await target.first().waitFor();
  const isBefore = await target.first().evaluate((element) => {
    const { activeElement, body } = element.ownerDocument;
    const from = activeElement ?? body;
    return from !== body && Boolean(from.compareDocumentPosition(element) & 2);
  });
  for (let presses = 0; presses < mostPresses; presses += 1) {
    const isThere = await target.evaluateAll((all) =>
      all.some((element) => element === element.ownerDocument.activeElement),
    );
    if (isThere) return;
    await page.keyboard.press(isBefore ? 'Shift+Tab' : 'Tab');
    const stop = await stopAt(page);
    if (stop) faults?.push(...faultsOf(stop));
  }
  throw new Error(`the tabulator does not reach ${target}`);
}

async function typeInto(page: Page, field: Locator, value: string): Promise<void> {
  if ((await field.evaluate(({ tagName }) => tagName)) === 'SELECT') {
    const label = await field.locator(`option[value="${value}"]`).textContent();
    return page.keyboard.type(label ?? '');
  }
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await page.keyboard.type(value);
}

/** The inputs of a field with their values: a date, `1987-03-14`, has a month, a day and a year. */
async function partsOf(field: Locator, value: string): Promise<[Locator, string][]> {
  if ((await field.evaluate(({ tagName }) => tagName)) !== 'FIELDSET') return [[field, value]];
  const [year = '', month = '', day = ''] = value.split('-');
  return [month, day, year].map((part, index) => [field.locator('input').nth(index), part]);
}

/** Checks a choice by arrows inside its group, and by the space bar. */
async function check(page: Page, wanted: Locator, faults: string[]): Promise<void> {
  const group = page.locator(`input[name="${await wanted.getAttribute('name')}"]`);
  const all = await group.count();
  const checked = group.and(page.locator(':checked'));
  await tabTo(page, (await checked.count()) > 0 ? checked : group, faults);
  for (let presses = 0; presses <= all; presses += 1) {
    if (await wanted.isChecked()) return;
    const isHere = (await wanted.and(page.locator(':focus')).count()) > 0;
    await page.keyboard.press(isHere ? 'Space' : 'ArrowDown');
  }
  throw new Error(`the arrows do not reach ${wanted}`);
}

/**
 * Finds the fault of the focus once a step has changed: it must be on the new heading or field, on
 * the first fault, or in the dialog, and never nowhere (WCAG 2.4.3).
 * @param before the heading when a key was last pressed
 */
async function focusFaults(page: Page, before: string): Promise<string[]> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const { heading, on, holds } = await page.evaluate<Focus>(focusProbe);
    const wanted = holds ?? (heading === before ? 'something' : 'h1');
    const isNew = wanted === 'h1' && on === 'first field';
    if (isNew || (wanted === 'something' ? on !== 'nothing' : on === wanted)) return [];
    if (performance.now() > deadline) return [`the focus is on ${on}, and not on ${wanted}`];
    await page.waitForTimeout(20);
  }
}

export function byKeyboard(walker: Walker): KeyboardWalker {
  const { page } = walker;
  const faults: string[] = [];
  let presses = 0;
  let heading = '';
  const readHeading = async () => {
    heading = (await page.evaluate<Focus>(focusProbe)).heading;
  };
  return patient<KeyboardWalker>({
    ...walker,
    async press(button) {
      const target = buttonOf(page, button);
      await tabTo(page, target, faults);
      await readHeading();
      presses += 1;
      // The space bar follows no link.
      const isLink = (await target.and(page.getByRole('link')).count()) > 0;
      await page.keyboard.press(isLink || presses % 2 === 0 ? 'Enter' : 'Space');
    },
    async enter() {
      await readHeading();
      await page.keyboard.press('Enter');
    },
    async fill(values) {
      for (const [name, value] of Object.entries(values)) {
        const field = page.locator(`#field-${name}`);
        for (const [at, part] of await partsOf(field, value)) {
          await tabTo(page, at, faults);
          await typeInto(page, at, part);
          const typed = await at.inputValue();
          const isTyped = typed === part || typed.replaceAll('-', '') === part;
          if (!isTyped) faults.push(`${name}: cannot be typed`);
        }
      }
      await readHeading();
    },
    async choose(name, value) {
      const wanted = page.locator(`input[name="${name}"]${value ? `[value="${value}"]` : ''}`);
      await check(page, wanted, faults);
      await readHeading();
    },
    async open(token, path) {
      heading = '';
      await walker.open(token, path);
    },
    async faults() {
      const now = await focusFaults(page, heading);
      return [...new Set([...faults.splice(0), ...now])];
    },
  });
}
