import type { Browser, FrameLocator, Locator, Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import type { TenantFacts } from '../../../backoffice/tenants/create.ts';
import { createClient } from '../../../sdk/server/index.ts';
import { sharedBrowser, visit } from '../../kit/pages/browser/browser.ts';
import { fillIn } from '../../kit/pages/browser/hands.ts';
import { startSandbox } from '../../kit/processes/sandbox.ts';

/** A sandbox with its shop, and a browser. */
interface Shop {
  readonly facts: TenantFacts;
  readonly shopUrl: string;
  readonly browser: Browser;
  /** The Tenant's own, to compare what the shop's page shows. */
  readonly client: ReturnType<typeof createClient>;
}

/** Opens them for all tests of a file; they stop by themselves. Await it at the top of the file. */
export async function openShop(): Promise<Shop> {
  const [sandbox, browser] = await Promise.all([startSandbox(), sharedBrowser()]);
  afterAll(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    expect(await sandbox.stop()).toBe(0);
  });
  const { base_url, client_id, client_secret } = sandbox.facts;
  return {
    facts: sandbox.facts,
    shopUrl: `${base_url.replace('localhost', '127.0.0.1')}/shop`,
    browser,
    client: createClient({ baseUrl: base_url, clientId: client_id, clientSecret: client_secret }),
  };
}

/** The PIN of everyone whom the sandbox brings. */
export const samplePin = '284617';
export const wide = { viewport: { width: 1440, height: 1000 } };
/** Retries, chaos and a slow machine together: a step ends when the shop's state says so. */
const stepEndsWithinMs = 60_000;

/** The shop's page and its parts. */
interface ShopPage {
  readonly tour: Locator;
  readonly till: Locator;
  readonly phone: Locator;
  readonly inspector: Locator;
  readonly hosted: FrameLocator;
  /** Presses a step of the tour, and enters the PIN where one is given. @returns the step's result */
  press(name: string, pin?: string): Promise<string>;
}

export function shopPage(page: Page): ShopPage {
  const tour = page.getByRole('region', { name: 'Tour' });
  const hosted = page.frameLocator('iframe');
  const result = tour.getByRole('status');
  return {
    tour,
    hosted,
    till: page.getByRole('region', { name: 'Till' }),
    phone: page.getByRole('region', { name: 'Phone' }),
    inspector: page.getByRole('region', { name: 'Inspector' }),
    async press(name, pin) {
      await tour.getByRole('button', { name, exact: true }).click();
      if (pin !== undefined) await confirmByPin(hosted, pin);
      await result.getByText(/./).first().waitFor({ timeout: stepEndsWithinMs });
      return (await result.textContent()) ?? '';
    },
  };
}

/** Enters a PIN on the hosted page, and presses the button that names the amount. */
export async function confirmByPin(hosted: FrameLocator, pin: string): Promise<void> {
  await hosted.getByLabel('PIN', { exact: true }).fill(pin);
  await hosted.getByRole('button', { name: /\$/ }).click();
  await hosted.getByRole('button', { name: 'Done' }).click();
}

/** Opens a shop with one page, which all tests of a file use one after another. */
export async function visitShop() {
  const { browser, shopUrl } = await openShop();
  const { page, end } = await visit(browser, { ...wide, reducedMotion: 'reduce' });
  afterAll(end);
  const shop = shopPage(page);
  const { till, phone, inspector, hosted } = shop;
  await page.goto(shopUrl);
  // The shop opens at its first visit, which takes as long as the busy sandbox has other work.
  await till.waitFor({ timeout: stepEndsWithinMs });

  /** Presses the phone's buttons, one after another. */
  async function tap(...names: string[]): Promise<void> {
    for (const name of names) await phone.getByRole('button', { name, exact: true }).click();
  }
  /** Waits for what the till's live region says of its order. */
  const tillSays = (text: string | RegExp) =>
    till.getByRole('status').getByText(text).waitFor({ state: 'attached' });
  return {
    page,
    shop,
    tap,
    tillSays,
    confirm: (pin: string) => confirmByPin(hosted, pin),
    /** Presses the inspector's buttons, one after another. */
    async play(...names: string[]): Promise<void> {
      await inspector.getByRole('tab', { name: 'Play' }).click();
      for (const name of names)
        await inspector.getByRole('button', { name, exact: true }).first().click();
    },
    /** Waits until the phone says this. */
    reads: (text: string | RegExp) => phone.getByText(text).first().waitFor(),
    /** Waits until the wallet has this available. */
    has: (amount: string) => phone.locator('.big', { hasText: amount }).waitFor(),
    /** Orders one at the till, and shows the order's code. */
    async order(goods: string): Promise<void> {
      await till.getByRole('tab', { name: 'Sell' }).click();
      await till.getByRole('button', { name: new RegExp(`^${goods}`) }).click();
      await till.getByRole('button', { name: /^Charge \$/ }).click();
      await till.getByRole('img', { name: /QR code for order/ }).waitFor();
    },
    /** Pays what the till shows, from the wallet. */
    async pays(pin: string): Promise<void> {
      await tap('Pay', 'Scan the till’s code');
      await confirmByPin(hosted, pin);
      await tillSays(/is paid/);
    },
    /** Fills in the hosted page by the names of its fields, and presses its button. */
    async answer(values: Readonly<Record<string, string>>, press: string): Promise<void> {
      for (const [name, value] of Object.entries(values)) {
        const field = hosted.locator(`#field-${name}`);
        await field.waitFor();
        await fillIn(field, value);
      }
      await hosted.getByRole('button', { name: press, exact: true }).last().click();
    },
  };
}
