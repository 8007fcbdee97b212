import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Api } from '../../kit/api.ts';
import { page, useOneWindow, useWeb } from '../../kit/pages/browser/web.ts';
import { countPresses } from '../../kit/pages/presses.ts';
import { proveReadable } from '../readable.ts';
import { heading, newTenant, open, signInAsStaff } from './pages.ts';

/** The desk by keyboard, with every key counted. */

useWeb();
useOneWindow();

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = (name: string) => page.getByRole('dialog', { name });
const confirm = (name: string) => dialog(name).locator('button[type=submit]');
const status = () => page.getByRole('status');
const hasFocus = (what: Locator) => () =>
  what.evaluate((element) => element === element.ownerDocument.activeElement);
const ready = (name: string) => expect.poll(() => confirm(name).isEnabled()).toBe(true);

async function inReview(api: Api, email: string): Promise<string> {
  const { id } = await api.applied('individual', { email });
  await api.simulate('customer.in_review', id);
  return id;
}

async function statusOf(api: Api, id: string): Promise<string> {
  const { verification } = await api.get(`/v1/customers/${id}`);
  return verification.status;
}

test('an approval takes four keys from the list of the desk, and three for each case that follows', async () => {
  const { tenantId, api } = await newTenant('Four Keys');
  const first = await inReview(api, 'first@example.com');
  const second = await inReview(api, 'second@example.com');
  await signInAsStaff();
  await open(`/desk?tenant_id=${tenantId}`, 'Review desk');
  await page.getByRole('link', { name: 'second@example.com' }).waitFor();
  const presses = await countPresses(page);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await heading('first@example.com').waitFor();
  await button('Approve').waitFor();
  await page.keyboard.press('a');
  await ready('Approve');
  expect(await hasFocus(confirm('Approve'))()).toBe(true);
  await page.keyboard.press('Control+Enter');
  await status().getByText('Done: Approve').waitFor();
  expect(await presses()).toEqual({ clicks: 0, keys: 4, fields: 0 });
  await page.keyboard.press('n');
  await heading('second@example.com').waitFor();
  await button('Reject').waitFor();
  await page.keyboard.press('r');
  await ready('Reject');
  await page.keyboard.press('Control+Enter');
  await status().getByText('Done: Reject').waitFor();
  expect(await presses()).toEqual({ clicks: 0, keys: 3, fields: 0 });
  expect([await statusOf(api, first), await statusOf(api, second)]).toEqual([
    'approved',
    'rejected',
  ]);
});

test('a case is taken by a key, a field keeps its keys, and the keys are shown and read out', async () => {
  const { tenantId, api } = await newTenant('Own Keys');
  const id = await inReview(api, 'keys@example.com');
  await signInAsStaff();
  await open(`/case/${tenantId}/customers/${id}`, 'keys@example.com');
  expect(await button('Approve').getAttribute('aria-keyshortcuts')).toBe('a');
  await page.keyboard.press('t');
  await button('Give it back').waitFor();
  await page.getByLabel('New note').focus();
  await page.keyboard.type('art');
  expect(await page.getByLabel('New note').inputValue()).toBe('art');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.getByLabel('New note').blur();
  await page.keyboard.press('?');
  await dialog('Keys').getByText('Go to the next case of the desk').waitFor();
  await proveReadable(page, 'case_keys');
  await page.keyboard.press('a');
  expect(await page.getByRole('dialog').count()).toBe(1);
  await page.keyboard.press('Escape');
  await dialog('Keys').waitFor({ state: 'detached' });
  expect(await statusOf(api, id)).toBe('in_review');
});

test('the form opens in the first field that must be filled', async () => {
  const { tenantId, api } = await newTenant('First Field');
  const ana = await api.funded('individual', 80_00);
  const { id } = await api.dispute(ana, { type: 'unauthorized_transfer' });
  await signInAsStaff();
  await open(`/case/${tenantId}/disputes/${id}`, 'Unauthorized transfer');
  await button('Start the investigation').waitFor();
  await page.keyboard.press('i');
  await ready('Start the investigation');
  await page.keyboard.press('Control+Enter');
  await status().getByText('Done: Start the investigation').waitFor();
  await button('Give provisional credit').waitFor();
  await page.keyboard.press('c');
  const amount = dialog('Give provisional credit').getByLabel('Amount in dollars');
  await expect.poll(hasFocus(amount)).toBe(true);
  await dialog('Give provisional credit').getByText('Fill in the fields').waitFor();
  expect(await dialog('Give provisional credit').getByText('cannot be done').count()).toBe(0);
  await page.keyboard.type('80');
  await dialog('Give provisional credit')
    .getByRole('button', { name: 'Give $80.00 provisional credit' })
    .waitFor();
  await ready('Give provisional credit');
  await page.keyboard.press('Control+Enter');
  await status().getByText('Done: Give provisional credit').waitFor();
});
