import type { Locator, Page } from 'playwright-core';

/** The acts of a person on a hosted page. */
export interface Hands {
  readonly page: Page;
  /** Presses a button: the last of this name, or the one that was found. */
  press(button: string | Locator): Promise<void>;
  /** Fills in fields, by their names. */
  fill(values: Readonly<Record<string, string>>): Promise<void>;
  /** Presses Enter where the focus is. */
  enter(): Promise<void>;
  /** Chooses a radio or checks a box, by its name and, of a radio, its value. */
  choose(name: string, value?: string): Promise<void>;
}

/** The last button of a name, or the one that was found. */
export const buttonOf = (page: Page, button: string | Locator): Locator =>
  typeof button === 'string'
    ? page.getByRole('button', { name: button, exact: true }).last()
    : button;

/** The sample that an individual opens before consenting to electronic records. */
export const sampleOf = (page: Pick<Page, 'locator'>): Locator => page.locator('a[data-sample]');

/** A page that loads, or works on what it was asked: its answer may still clear what is typed. */
const atWork = '.waiting, [aria-busy="true"], [aria-disabled="true"]';

/** Each act waits until the page has done what the act before asked of it. */
export function patient<H extends Hands>(hands: H): H {
  const after =
    <Given extends readonly unknown[]>(act: (...given: Given) => Promise<void>) =>
    async (...given: Given): Promise<void> => {
      await hands.page.locator(atWork).first().waitFor({ state: 'hidden' });
      await act(...given);
    };
  const { press, fill, enter, choose } = hands;
  return {
    ...hands,
    press: after(press),
    fill: after(fill),
    enter: after(enter),
    choose: after(choose),
  };
}

/** Fills in a field: a choice by its key, a date, `1987-03-14`, as a whole into its first part. */
export async function fillIn(field: Locator, value: string): Promise<void> {
  const kind = await field.evaluate(({ tagName }) => tagName);
  if (kind === 'SELECT') await field.selectOption(value);
  else await (kind === 'FIELDSET' ? field.locator('input').first() : field).fill(value);
}

export const handsOf = (page: Page): Hands =>
  patient({
    page,
    press: (button) => buttonOf(page, button).click(),
    enter: () => page.keyboard.press('Enter'),
    async fill(values) {
      for (const [name, value] of Object.entries(values))
        await fillIn(page.locator(`#field-${name}`), value);
    },
    async choose(name, value) {
      await page.locator(`input[name="${name}"]${value ? `[value="${value}"]` : ''}`).check();
    },
  });
