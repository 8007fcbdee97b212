import { expect, test } from 'vitest';
import { page, useOneWindow, useWeb, visitor } from '../../kit/pages/browser/web.ts';
import { newTenant, open, signInAsStaff } from './pages.ts';

/** The documents of a Tenant in the console of a sandbox, where one admin publishes alone. */

useWeb();
useOneWindow();

test('an admin publishes a version, which begins with the text in force, and sees its progress', async () => {
  const { tenantId, api } = await newTenant('Lone Shop');
  await api.approved('individual');
  await signInAsStaff();
  await open(`/tenants/${tenantId}?part=documents`, 'Lone Shop');
  await page.getByRole('button', { name: 'Publish a new version' }).press('Enter');
  await page.getByLabel('Document', { exact: true }).selectOption('esign_consent');
  const text = page.getByLabel('Text in English');
  await expect.poll(() => text.inputValue()).toContain('**Sample text.**');
  const version = page.getByRole('textbox', { name: 'Version' });
  await version.fill('next');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Write a month or a day, such as 2026-02 or 2026-02-15.').waitFor();
  visitor.forgive(/status of 400/);
  await version.fill('2026-02-15');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page
    .getByText('Version 2026-02-15 is in force. 1 customer must accept it again.')
    .waitFor();
  const row = page.getByRole('row').filter({ hasText: '2026-02-15' });
  await row.getByText('0 of 1 customer, 1 to accept').waitFor();
});
