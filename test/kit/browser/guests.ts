import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { launchBrowser, type Visit, visit } from './browser.ts';
import { openStage, type Stage } from './stage.ts';

/** The stage and the browser of one test file, and the guest of the test that runs. */

export let stage: Stage;
export let browser: Browser;
export let guest: Visit;
export let page: Page;

/** Opens a stage and a browser for all tests of the file. */
export function setStage(): void {
  beforeAll(async () => {
    [stage, browser] = await Promise.all([openStage(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await stage.stop();
  });
}

/** Opens a visit for each test, which fails when a page that its guest saw was at fault. */
export function receiveGuests(): void {
  beforeEach(async () => {
    guest = await visit(browser);
    page = guest.page;
  });
  afterEach(() => guest.end());
}
