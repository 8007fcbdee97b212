import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../test/kit/pages/browser/browser.ts';
import { takePicture } from '../test/kit/pages/browser/pictures.ts';
import { type SandboxProcess, startSandbox } from '../test/kit/processes/sandbox.ts';

/** The pictures of docs/guide that no test takes: a sandbox as `npm start` makes it, with its sample week. */

/** The whole menu fits. */
const screen = { width: 1440, height: 900 };
const shopScreen = { width: 1440, height: 1000 };
const sampleWeek = 'Maple Market';
/** The PIN of everyone whom the sandbox brings. */
const samplePin = '284617';

/** In the place of what has not come yet. */
const loading = '.mantine-Skeleton-root, [role=status][aria-label]';

/** Waits as a person does: the heading is there, and nothing more is loaded. */
async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  // A part that has come may ask for more.
  for (let looks = 0; looks < 3; looks += 1) {
    await page.waitForTimeout(500);
    for (const one of await page.locator(loading).all()) await one.waitFor({ state: 'detached' });
  }
}

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await settle(page);
}

/** The week is made while the sandbox already serves. */
async function enterSampleWeek(page: Page, base: string): Promise<void> {
  for (let tries = 0; tries < 60; tries += 1) {
    await open(page, `${base}/portal`);
    await page.getByTitle('Switch tenant').first().click();
    const item = page.getByRole('menuitem', { name: sampleWeek });
    const isThere = await item.waitFor({ timeout: 2_000 }).then(
      () => true,
      () => false,
    );
    if (isThere) {
      await item.click();
      await page.getByRole('button', { name: sampleWeek }).waitFor();
      return settle(page);
    }
    await page.waitForTimeout(1_000);
  }
  throw new Error(`the sandbox has made no ${sampleWeek}`);
}

type Take = (name: string, page: Page) => Promise<void>;

async function portal(page: Page, base: string, take: Take): Promise<void> {
  await enterSampleWeek(page, base);
  await open(page, `${base}/portal/records/payments`);
  const completed = page.getByRole('row').filter({ hasText: 'completed' });
  await completed.locator('.row-link').first().click();
  await page.waitForURL('**/record/**');
  await settle(page);
  await take('portal-payment', page);
  await open(page, `${base}/portal/reconciliation`);
  await take('portal-reconciliation', page);
}

async function console_(page: Page, base: string, take: Take): Promise<void> {
  await open(page, `${base}/console/desk`);
  await page.getByRole('row').nth(1).waitFor();
  await take('console-desk', page);
  await page.getByRole('link', { name: 'Unauthorized transfer' }).first().click();
  await page.waitForURL('**/case/**');
  await settle(page);
  await take('console-case', page);
}

/** The till, the phone and the inspector of Corner Shop, with a hosted page on the phone. */
async function shop(page: Page, base: string, to: (name: string) => string): Promise<void> {
  await page.goto(`${base.replace('localhost', '127.0.0.1')}/shop`);
  const tour = page.getByRole('region', { name: 'Tour' });
  await tour.getByRole('button', { name: 'Take the 90-second tour' }).click();
  await tour.getByRole('button', { name: 'Ring up a flat white' }).click();
  await tour.getByRole('button', { name: 'Pay on the phone' }).click();
  const hosted = page.frameLocator('iframe[title="Secure window"]');
  await hosted.getByLabel('PIN', { exact: true }).waitFor();
  await takePicture(page, to('hosted-confirm'), hosted.locator('.card'));
  await hosted.getByLabel('PIN', { exact: true }).fill(samplePin);
  await hosted.getByRole('button', { name: /\$/ }).click();
  await hosted.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('region', { name: 'Till' }).getByText('Net to the shop').waitFor();
  await page.waitForTimeout(1_500);
  await takePicture(page, to('shop'));
}

type Facts = Pick<SandboxProcess['facts'], 'base_url' | 'portal_sign_in_url'>;

/** Takes them of a sandbox that runs. @param folder docs/guide/pictures, which is checked in */
export async function shootSandbox(facts: Facts, browser: Browser, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const to = (name: string) => join(folder, name);
  const context = await browser.newContext({ viewport: screen });
  const page = await context.newPage();
  const take: Take = (name, of) => takePicture(of, to(name));
  if (facts.portal_sign_in_url === null) throw new Error('the sandbox has no sign-in link');
  await page.goto(facts.portal_sign_in_url);
  await page.waitForURL(/\/portal$/);
  await portal(page, facts.base_url, take);
  await console_(page, facts.base_url, take);
  await page.setViewportSize(shopScreen);
  await shop(page, facts.base_url, to);
  await context.close();
}

export async function shootGuide(folder: string): Promise<void> {
  const [sandbox, browser] = await Promise.all([startSandbox(), launchBrowser()]);
  try {
    await shootSandbox(sandbox.facts, browser, folder);
  } finally {
    await browser.close();
    await sandbox.stop();
  }
}
