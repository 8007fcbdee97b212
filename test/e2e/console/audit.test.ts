import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openAuditNightly } from '../../../backoffice/audit/nightly.ts';
import { page, useOneWindow, useWeb, web } from '../../kit/pages/browser/web.ts';
import { proveReadable } from '../readable.ts';
import { colleague, heading, newTenant, open, signInAsStaff } from './pages.ts';

/** The audit of the platform and of each Tenant, in the operations console. */

useWeb();
useOneWindow();

test('an admin reads the chain of the platform and of a Tenant, narrows it, and downloads it', async () => {
  const { tenantId, api } = await newTenant('Audited Market');
  await api.put('/portal/api/settings', { payment_request_expires_in: 1_200 });
  await api.call('PUT', '/portal/api/settings', { body: { payment_request_expires_in: -1 } });
  await openAuditNightly(web.server.service).verifyNow();
  await signInAsStaff();
  await open('/audit', 'Audit');
  await page.getByText(/rows?, all as written$/).waitFor();
  await page.getByLabel('Whose acts').selectOption('Audited Market');
  await page.waitForURL(new RegExp(`tenant=${tenantId}`));
  const acts = page.getByRole('region', { name: 'Acts' });
  await acts.getByText('parameter invalid').waitFor();
  await proveReadable(page, 'console_audit');
  await page.getByLabel('Outcome').selectOption('done');
  await page.waitForURL(/outcome=done/);
  await acts.getByText('parameter invalid').waitFor({ state: 'detached' });
  await acts.getByRole('button', { name: 'putSettings' }).first().press('Enter');
  await page.getByRole('dialog').getByText('payment_request_expires_in').first().waitFor();
  await page.keyboard.press('Escape');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the CSV' }).click(),
  ]);
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
  expect(lines[0]).toMatch(/^number,at,/);
  expect(lines.slice(1).every((line) => line.includes(',done,'))).toBe(true);
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.waitForURL((url) => url.search === '');
});

test('whoever is no admin is told that admins alone read the audit', async () => {
  const support = await colleague('support');
  await support.page.goto(`${web.hosted}/console/audit`);
  await heading('Audit', support.page).waitFor();
  await support.page.getByText('Only admins of the platform read the audit.').waitFor();
  await support.end();
});

test('an admin reads what rests on each key and what to do next', async () => {
  await signInAsStaff();
  await open('/keys', 'Keys');
  await page.getByRole('heading', { level: 2, name: 'PIN_PEPPER' }).waitFor();
  await page.getByText('nothing to do').first().waitFor();
  await proveReadable(page, 'console_keys');
});
