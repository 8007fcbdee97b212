import { expect, test } from 'vitest';
import { page, useOneWindow, useWeb, visitor, web } from '../../kit/pages/browser/web.ts';
import { portalPerson } from '../../kit/people.ts';
import { shootAtDesk } from '../portal/desk.ts';
import { proveReadable } from '../readable.ts';
import { colleague, newTenant, open, signInAsStaff } from './pages.ts';

/** The documents of a Tenant in the operations console, where a publication needs a second admin. */

useWeb({ config: { approvals: true } });
useOneWindow();

const button = (name: string) => page.getByRole('button', { name, exact: true });
const row = () => page.getByRole('row').filter({ hasText: 'Privacy notice' });

async function fill(version: string): Promise<void> {
  await button('Publish a new version').click();
  await page.getByLabel('Document', { exact: true }).selectOption('privacy_notice');
  await page.getByText('later than 2026-01').waitFor();
  await page.getByRole('textbox', { name: 'Version' }).fill(version);
  await page.getByLabel('Title in English').fill('Our privacy notice');
  await page.getByLabel('Title in Spanish').fill('Nuestro aviso');
  await page.getByLabel('Text in English').fill('## What is new\n\n**Less** data.\n\n<img src=x>');
  await page.getByLabel('Text in Spanish').fill('## Lo nuevo\n\n**Menos** datos.');
}

test('a version is previewed, refused at its field, asked for, and in force once a second admin approves', async () => {
  const { tenantId, api } = await newTenant('Notice Shop');
  await api.approved('individual');
  await api.approved('individual');
  await signInAsStaff();
  await open(`/tenants/${tenantId}`, 'Notice Shop');
  await page.getByRole('link', { name: 'Documents' }).press('Enter');
  await row().getByText('2 of 2 customers').waitFor();
  await fill('2025-01');
  const preview = page.getByRole('region', { name: 'Text of the preview' });
  await preview.getByRole('heading', { name: 'What is new' }).waitFor();
  await preview.getByText('<img src=x>').waitFor();
  expect(await preview.locator('img').count()).toBe(0);
  expect(await preview.locator('strong').textContent()).toBe('Less');
  await button('Spanish').press('Enter');
  await preview.getByRole('heading', { name: 'Lo nuevo' }).waitFor();
  expect(await preview.getAttribute('lang')).toBe('es');
  await page.getByText('2 customers must accept it again.', { exact: false }).waitFor();
  await proveReadable(page, 'console_documents_form');
  await shootAtDesk(page, 'console_documents_form');
  await page.getByText('This must be later than 2026-01.').waitFor();
  expect(await button('Publish').isDisabled()).toBe(true);
  await page.getByRole('textbox', { name: 'Version' }).fill('2026-02');
  await button('Publish').click();
  await page.getByText('This needs a second admin').waitFor();
  visitor.forgive(/status of 409/);
  await proveReadable(page, 'console_documents_second');
  await page.getByLabel('Reason for the second admin').fill('The law of March');
  await button('Ask a second admin').click();
  await page.getByText('It waits for a second admin').waitFor();
  await row().getByText('2026-01').waitFor();

  const headers = { 'tenant-id': tenantId };
  const otto = await portalPerson(web.server, 'platform', ['admin']);
  const { body } = await otto.ask('GET', '/approvals?status=waiting', undefined, { headers });
  const asked = await colleague('admin');
  await open(`/case/${tenantId}/approvals/${body.data[0].id}`, 'Publish ', asked.page);
  const text = asked.page.getByRole('region', { name: 'Text of the preview' });
  await text.getByRole('heading', { name: 'What is new' }).waitFor();
  await proveReadable(asked.page, 'console_documents_asked');
  await asked.end();
  const approve = `/approvals/${body.data[0].id}/approve`;
  expect((await otto.ask('POST', approve, {}, { headers })).status).toBe(200);
  await page.reload();
  await row().getByText('2026-02').waitFor();
  await row().getByText('0 of 2 customers, 2 to accept').waitFor();
  await row().getByText('Our privacy notice').waitFor();
  await proveReadable(page, 'console_documents');
  await shootAtDesk(page, 'console_documents');
});

test('a reviewer sees the versions and publishes none, and a failure says so', async () => {
  const { tenantId } = await newTenant('Quiet Shop');
  const reviewer = await colleague('reviewer');
  const path = '**/portal/api/document-versions';
  await reviewer.page.route(path, (route) => route.abort());
  await open(`/tenants/${tenantId}?part=documents`, 'Quiet Shop', reviewer.page);
  await reviewer.page.getByText('No connection').waitFor();
  await reviewer.page.unroute(path);
  await reviewer.page.getByRole('button', { name: 'Try again' }).click();
  await reviewer.page.getByText('No customers yet').first().waitFor();
  expect(await reviewer.page.getByRole('button', { name: 'Publish a new version' }).count()).toBe(
    0,
  );
  reviewer.forgive(/ERR_FAILED/);
  await reviewer.end();
});
