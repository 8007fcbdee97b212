import type { Page } from 'playwright-core';
import { confirmByPin, type ShopPage, shopPage } from './shop_stage.ts';

/** The one visitor of the shop, whose tests go on where the one before ended. */

export let page: Page;
export let shop: ShopPage;

/** From now on this page is the visitor's. */
export function visitOn(opened: Page): void {
  page = opened;
  shop = shopPage(opened);
}

/** Of everybody whom the sandbox brings. */
export const samplePin = '284617';

/** Presses the phone's buttons, one after another. */
export async function tap(...names: string[]): Promise<void> {
  for (const name of names) await shop.phone.getByRole('button', { name, exact: true }).click();
}

/** Plays somebody in the inspector. */
export async function play(...names: string[]): Promise<void> {
  await shop.inspector.getByRole('tab', { name: 'Play' }).click();
  for (const name of names)
    await shop.inspector.getByRole('button', { name, exact: true }).first().click();
}

/** What the phone says somewhere. */
export const reads = (text: string | RegExp) => shop.phone.getByText(text).first().waitFor();

/** What the wallet says is available, once it does. */
export const has = (amount: string) => shop.phone.locator('.big', { hasText: amount }).waitFor();

/** Rings up one of these on the till, and opens its code on the phone. */
export async function order(goods: string): Promise<void> {
  await shop.till.getByRole('tab', { name: 'Sell' }).click();
  await shop.till.getByRole('button', { name: new RegExp(`^${goods}`) }).click();
  await shop.till.getByRole('button', { name: /^Charge \$/ }).click();
  await shop.till.getByRole('img', { name: /QR code for order/ }).waitFor();
}

/** What the till's live region says of its order. */
export const tillSays = (text: string | RegExp) =>
  shop.till.getByRole('status').getByText(text).waitFor({ state: 'attached' });

/** Pays what the till shows, from the wallet. */
export async function pays(pin: string): Promise<void> {
  await tap('Pay', 'Scan the till’s code');
  await confirmByPin(shop.hosted, pin);
  await tillSays(/is paid/);
}
