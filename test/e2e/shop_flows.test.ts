import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { launchBrowser, type Visit, visit } from '../kit/browser/browser.ts';
import { visitOn } from './shop_hands.ts';
import { openShopStage, type ShopStage } from './shop_stage.ts';
import './shop_cleo.ts';
import './shop_ana.ts';

/** One shop, one browser, one page: the tests of the files above go through it one after another. */

let stage: ShopStage;
let browser: Browser;
let visiting: Visit;
beforeAll(async () => {
  [stage, browser] = await Promise.all([openShopStage(), launchBrowser()]);
  visiting = await visit(browser, {
    viewport: { width: 1440, height: 1000 },
    reducedMotion: 'reduce',
  });
  visitOn(visiting.page);
  await visiting.page.goto(stage.shopUrl);
}, 60_000);
afterAll(async () => {
  await visiting?.end();
  await browser?.close();
  expect(await stage?.sandbox.stop()).toBe(0);
});
