import { page } from '../kit/pages/browser/web.ts';

const filters = () => page.getByRole('search', { name: 'Filters' });

/** Opens the field of a filter of the page's list. */
export async function openFilter(name: string) {
  await filters().getByRole('button', { name: 'Add filter' }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
  const field = filters().getByLabel(name, { exact: true });
  await field.first().waitFor();
  return field.first();
}

/** Adds a filter to the list of the page: a choice by its words, a text or a time as it is typed. */
export async function addFilter(name: string, value: string): Promise<void> {
  const field = await openFilter(name);
  if ((await field.and(page.locator('select')).count()) > 0)
    return void (await field.selectOption({ label: value }));
  await field.fill(value);
  // A Tenant whose name is whole is found at once, and its field is gone.
  await page.keyboard.press('Enter');
}
