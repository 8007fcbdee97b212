import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { browser, useWeb, web } from '../kit/pages/browser/web.ts';
import { byKeyboard, stopAt } from './keyboard.ts';
import { walkAll, walks } from './states/states.ts';

/** Dialogs by keyboard; whole flows are walked by keyboard in `access.test.ts`. */
useWeb();

/** Walks to a state, and is there. */
async function at(state: string, look: (page: Page) => Promise<void>): Promise<void> {
  const chosen = walks.flatMap(({ name, steps }) => {
    const last = steps.findIndex(([each]) => `${name}.${each}` === state);
    return last < 0 ? [] : [{ name, steps: steps.slice(0, last + 1) }];
  });
  let seen = 0;
  const parts = { browser, web, locale: 'en', asWalker: byKeyboard } as const;
  await walkAll(
    parts,
    async (reached, { page }) => {
      if (reached !== state) return;
      seen += 1;
      await look(page);
    },
    chosen,
  );
  expect(seen).toBe(1);
}

/** Outside of the page a browser has buttons of its own: there the page knows of no focus. */
const placeProbe = `(({ activeElement: at, body }) => at === body ? 'nowhere'
  : document.querySelector('dialog[open]').contains(at) ? 'dialog' : at.textContent)(document)`;
/** Notes where the focus is when a new heading, or a fault, is first there to be seen. */
const watchFocus = `(() => {
  window.focusedOn = [];
  const shown = () => [document.querySelector('h1'), document.querySelector('[aria-invalid="true"]')]
    .map((element) => element && element.id + element.textContent);
  let before = String(shown());
  new MutationObserver(() => {
    if (before === String(shown())) return;
    before = String(shown());
    focusedOn.push(document.activeElement.id);
  }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
})()`;
const openDialogs = "document.querySelectorAll('dialog').length";

test('no key is lost as a page changes: its first field, or its fault, has the focus at once', () =>
  at('pin_reset.send_code', async (page) => {
    await page.evaluate(watchFocus);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByRole('button', { name: 'Verify code' }).click();
    await page.locator('[aria-invalid="true"]').waitFor();
    expect(await page.evaluate('focusedOn')).toEqual(['field-code', 'field-code']);
    // A keyboard on the screen would come up over the page: there the heading has the focus.
    const screen = await page.context().newCDPSession(page);
    await screen.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.locator('#field-code').waitFor();
    expect(await stopAt(page)).toMatchObject({ name: 'h1 title' });
  }));

test('the question about leaving takes the focus, holds it, and gives it back', () =>
  at('confirm_left.question', async (page) => {
    await expect.poll(() => page.evaluate(placeProbe)).toBe('dialog');
    const places: unknown[] = [];
    for (const key of ['Tab', 'Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab']) {
      await page.keyboard.press(key);
      places.push(await page.evaluate(placeProbe));
    }
    expect(places.filter((place) => place !== 'nowhere' && place !== 'dialog')).toEqual([]);
    expect(places.filter((place) => place === 'dialog').length).toBeGreaterThan(3);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(openDialogs)).toBe(0);
    await expect.poll(() => stopAt(page)).toMatchObject({ name: 'button Close' });
  }));

test('a dialog that came before anything had the focus gives it to the heading', () =>
  at('problem.more_time', async (page) => {
    await expect.poll(() => page.evaluate(placeProbe)).toBe('dialog');
    await page.keyboard.press('Enter');
    await page.locator('dialog').waitFor({ state: 'detached' });
    // A quick answer comes before the flow is loaded: its heading takes the focus as it appears.
    await expect.poll(() => stopAt(page)).toMatchObject({ name: 'h1 title' });
  }));
