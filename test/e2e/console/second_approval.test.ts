import { expect, test } from 'vitest';
import { page, useOneWindow, useWeb } from '../../kit/pages/browser/web.ts';
import { countPresses } from '../../kit/pages/presses.ts';
import { proveReadable } from '../readable.ts';
import { colleague, heading, newTenant, open, signInAsStaff } from './pages.ts';

/** A limit that two people raise, in as few presses as the task needs. */

useWeb({ config: { approvals: true } });
useOneWindow();

const act = 'Raise the daily withdrawal limit of individuals, $10,000 to $50,000';

test('a limit is raised by three presses of one admin and two of another, who reads dollars', async () => {
  const { tenantId, api } = await newTenant('Two Admins Market');
  await signInAsStaff();
  await open(`/tenants/${tenantId}?part=settings`, 'Two Admins Market');
  const field = page.getByLabel('Daily withdrawal limit of individuals');
  await field.waitFor();
  const first = await countPresses(page);
  await field.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('50000');
  await page.getByRole('region', { name: 'Not saved: limits' }).getByText(act).waitFor();
  await proveReadable(page, 'console_limit_pending');
  await page.getByRole('button', { name: 'Save limits' }).click();
  await page.getByText('This needs a second admin').waitFor();
  await page.keyboard.type('The contract of May');
  await page.getByRole('button', { name: 'Ask a second admin' }).click();
  await page.getByText('It waits for a second admin').waitFor();
  expect(await first()).toEqual({ clicks: 3, keys: 0, fields: 2 });

  const other = await colleague('admin');
  await open('/requests', 'Requests', other.page);
  await heading('Requests', other.page).waitFor();
  const second = await countPresses(other.page);
  const request = other.page.getByRole('listitem').filter({ hasText: `${act}, Two Admins Market` });
  await request.getByText('The contract of May').waitFor();
  await request.getByRole('row').filter({ hasText: '$50,000' }).waitFor();
  await request.getByText(/Asked by .+@/).waitFor();
  expect(await request.textContent()).not.toMatch(/1000000|5000000|_|[0-9a-f]{8}-[0-9a-f]{4}/);
  await proveReadable(other.page, 'console_tenant_request');
  const approving = 'Approve: raise the daily withdrawal limit of individuals';
  await request.getByRole('button', { name: approving, exact: true }).click();
  const dialog = other.page.getByRole('dialog', { name: act });
  await dialog.getByRole('button', { name: 'Approve with your passkey' }).click();
  await other.page.getByRole('status').getByText(`Approved: ${act}`).waitFor();
  expect(await second()).toEqual({ clicks: 2, keys: 0, fields: 0 });
  const { limits } = await api.get('/portal/api/settings');
  expect(limits.withdrawal_daily.individual).toBe(50_000_00);
  await other.end();
});
