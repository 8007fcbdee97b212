import type { FrameLocator, Locator, Page } from 'playwright-core';
import { createClient } from '../../sdk/server/index.ts';
import { type SandboxProcess, startSandbox } from '../journeys/sandbox_process.ts';
import { buildPages } from '../kit/browser/web_build.ts';

/** A sandbox as `npm start` runs it, with its shop, and one visitor. */
export interface ShopStage {
  readonly sandbox: SandboxProcess;
  readonly shopUrl: string;
  /** The tenant's own, to see whether the shop's page tells the truth. */
  readonly client: ReturnType<typeof createClient>;
}

export async function openShopStage(): Promise<ShopStage> {
  await buildPages();
  const sandbox = await startSandbox();
  const { base_url, client_id, client_secret } = sandbox.facts;
  const shopUrl = `${base_url.replace('localhost', '127.0.0.1')}/shop`;
  const client = createClient({
    baseUrl: base_url,
    clientId: client_id,
    clientSecret: client_secret,
  });
  return { sandbox, shopUrl, client };
}

/** Retries, chaos and a slow machine together: a step ends when the shop's state says so. */
const stepEndsWithinMs = 60_000;

/** The shop's page and its parts. */
export interface ShopPage {
  readonly tour: Locator;
  readonly till: Locator;
  readonly phone: Locator;
  readonly inspector: Locator;
  readonly hosted: FrameLocator;
  /** Presses a step of the tour, and the PIN where it asks; what the step then says. */
  press(name: string, pin?: string): Promise<string>;
}

export function shopPage(page: Page): ShopPage {
  const tour = page.getByRole('region', { name: 'Tour' });
  const hosted = page.frameLocator('iframe');
  const said = tour.getByRole('status');
  return {
    tour,
    hosted,
    till: page.getByRole('region', { name: 'Till' }),
    phone: page.getByRole('region', { name: 'Phone' }),
    inspector: page.getByRole('region', { name: 'Inspector' }),
    async press(name, pin) {
      await tour.getByRole('button', { name, exact: true }).click();
      if (pin !== undefined) await confirmByPin(hosted, pin);
      await said.getByText(/./).first().waitFor({ timeout: stepEndsWithinMs });
      return (await said.textContent()) ?? '';
    },
  };
}

/** Fills in the hosted page that is open, by the names of its fields, and presses its button. */
export async function answer(
  hosted: FrameLocator,
  values: Readonly<Record<string, string>>,
  press: string,
): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const field = hosted.locator(`#field-${name}`);
    await field.waitFor();
    if ((await field.evaluate(({ tagName }) => tagName)) === 'SELECT')
      await field.selectOption(value);
    else await field.fill(value);
  }
  await hosted.getByRole('button', { name: press, exact: true }).last().click();
}

/** Somebody's six digits on the hosted page, and the button that names the amount. */
export async function confirmByPin(hosted: FrameLocator, pin: string): Promise<void> {
  await hosted.getByLabel('PIN', { exact: true }).fill(pin);
  await hosted.getByRole('button', { name: /\$/ }).click();
  await hosted.getByRole('button', { name: 'Done' }).click();
}
