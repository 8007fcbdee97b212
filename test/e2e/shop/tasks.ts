import type { FrameLocator, Locator, Page } from 'playwright-core';
import { en } from '../../../examples/corner-shop/page/texts/en.ts';
import { es } from '../../../examples/corner-shop/page/texts/es.ts';
import type { Texts } from '../../../web/flows/texts/en.ts';
import { textsIn } from '../../../web/flows/texts/texts_in.ts';
import type { Locale } from '../../../web/ui/texts/locale.ts';
import { fillIn } from '../../kit/pages/browser/hands.ts';

/** The presses and fields that a task takes. */
export interface Effort {
  /** Buttons, links, choices and boxes. */
  presses: number;
  /** Fields that were filled in; a date has three. */
  fields: number;
}

/** Somebody who does a task in a browser, and what it has taken so far. */
export interface Person {
  readonly page: Page;
  readonly hosted: FrameLocator | Page;
  readonly t: Texts;
  readonly shop: typeof en;
  /** The language's own: what was changed in one may not be given again in the other. */
  readonly mobile: string;
  readonly effort: Effort;
  readonly phone: Locator;
  readonly till: Locator;
  /** Presses a button of the phone, or what was found. */
  press(button: string | Locator): Promise<void>;
  /** Fills in a hosted page by the names of its fields, and presses its button. */
  answer(values: Readonly<Record<string, string>>, button: string): Promise<void>;
  /** Fills in what was found. */
  write(field: Locator, value: string): Promise<void>;
}

export function openPerson(page: Page, locale: Locale, isInShop: boolean): Person {
  const t = textsIn[locale];
  const hosted = isInShop ? page.frameLocator('iframe') : page;
  const shop = locale === 'en' ? en : es;
  const column = (name: string) => page.getByRole('region', { name, exact: true });
  const phone = column(shop.column.phone);
  const effort: Effort = { presses: 0, fields: 0 };
  async function press(button: string | Locator): Promise<void> {
    const found =
      typeof button === 'string'
        ? phone.getByRole('button', { name: button, exact: true }).first()
        : button;
    await found.click();
    effort.presses += 1;
  }
  async function write(field: Locator, value: string): Promise<void> {
    await field.waitFor();
    await fillIn(field, value);
    effort.fields += Math.max(1, await field.locator('input').count());
  }
  return {
    page,
    hosted,
    t,
    shop,
    phone,
    till: column(shop.column.till),
    mobile: locale === 'en' ? '2125550167' : '2125550168',
    effort,
    press,
    write,
    async answer(values, button) {
      for (const [name, value] of Object.entries(values))
        await write(hosted.locator(`#field-${name}`), value);
      await press(hosted.getByRole('button', { name: button, exact: true }).last());
    },
  };
}
