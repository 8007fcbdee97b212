import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openAuditNightly } from '../../../backoffice/audit/nightly.ts';
import { page, useOneWindow, useWeb, web } from '../../kit/pages/browser/web.ts';
import { portalPerson } from '../../kit/people.ts';
import { addFilter, openFilter } from '../filters.ts';
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
  const acts = page.getByRole('region', { name: 'Acts' });
  await acts.getByRole('row').filter({ hasText: 'Audited Market' }).first().waitFor();
  await proveReadable(page, 'console_audit_all');
  await addFilter('Tenant', 'Audited Market');
  await page.getByText(/rows?, all as written$/).waitFor();
  await page.waitForURL(new RegExp(`tenant=${tenantId}`));
  await acts.getByText('parameter invalid').waitFor();
  await proveReadable(page, 'console_audit');
  await addFilter('Outcome', 'Done');
  await page.waitForURL(/outcome=done/);
  await acts.getByText('parameter invalid').waitFor({ state: 'detached' });
  const sentence = 'Lengthened the expiry of payment requests, 15 minutes to 20 minutes';
  await acts.getByRole('button', { name: sentence }).press('Enter');
  const changed = page.getByRole('dialog').getByRole('region', { name: 'What it changed' });
  await changed.getByRole('row').filter({ hasText: '15 minutes' }).waitFor();
  await proveReadable(page, 'console_audit_act');
  await page.keyboard.press('Escape');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
  expect(lines[0]).toMatch(/^number,at,/);
  expect(lines.slice(1).every((line) => line.includes(',done,'))).toBe(true);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await page.waitForURL((url) => url.search === '');
});

test('whoever acted is found by a part of the name, and a filter of nobody says so', async () => {
  const { tenantId } = await newTenant('Searched Market');
  const owner = await portalPerson(web.server, tenantId, ['owner']);
  await owner.ask('POST', '/my-recovery-codes');
  await signInAsStaff();
  await open('/audit', 'Audit');
  const by = await openFilter('By');
  await by.fill('nobody-of-this-name');
  await page.getByText('No person is called “nobody-of-this-name”').waitFor();
  await by.fill(owner.email.slice(0, -4));
  await page.getByRole('option', { name: owner.email }).click();
  await page.waitForURL(new RegExp(`actor=${owner.id}`));
  const acts = page.getByRole('region', { name: 'Acts' });
  await acts.getByRole('button', { name: 'Replaced the recovery codes' }).waitFor();
  await addFilter('Act', 'Reset the sandbox');
  await page.getByText('No act “Reset the sandbox” by this person').waitFor();
  await proveReadable(page, 'console_audit_none');
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
