import { expect, test } from 'vitest';
import { page, useOneWindow, useWeb } from '../../kit/pages/browser/web.ts';
import { proveReadable } from '../readable.ts';
import { heading, newTenant, open, signInAsStaff } from './pages.ts';

/** Customers of a Tenant whom no case leads to, in the operations console. */

useWeb();
useOneWindow();

const region = (name: string) => page.getByRole('region', { name, exact: true });

test('a customer is found by the email address, and requests to an opted-out bank account are allowed again', async () => {
  const { tenantId, api } = await newTenant('Opted Out');
  const ana = await api.banked('individual');
  const load = await api.confirmed(api.load(ana, 3_00));
  await api.simulate('load.failed', load.id, 'customer_opted_out');
  const { email } = await api.get(`/v1/customers/${ana.customerId}`);
  await signInAsStaff();
  await open(`/tenants/${tenantId}?part=customers`, 'Opted Out');
  await page.getByLabel('Find a customer').fill('nobody@example.com');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByText('No customer matches').waitFor();
  await page.getByLabel('Find a customer').fill(load.id);
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByRole('link', { name: email }).waitFor();
  await proveReadable(page, 'tenant_customers');
  await page.getByRole('link', { name: email }).click();
  await region('Profile').getByText(email).waitFor();
  await page.getByRole('link', { name: 'Open the case of the customer' }).click();
  await heading(email).waitFor();
  await region('Bank accounts').getByText('takes no requests').waitFor();
  await proveReadable(page, 'case_opted_out');
  const allow = page.getByRole('button', { name: /^Allow requests again/ });
  await allow.click();
  const form = page.getByRole('dialog', { name: 'Allow requests again' });
  await form.getByLabel('Note').fill('Called from the number that we know');
  const doIt = form.locator('button[type=submit]');
  await expect.poll(() => doIt.isEnabled()).toBe(true);
  await doIt.click();
  await page.getByRole('status').getByText('Done: Allow requests again').waitFor();
  await expect.poll(() => allow.count()).toBe(0);
  const { capabilities } = await api.get(`/v1/linked-accounts/${ana.linkedAccountId}`);
  expect(capabilities).toMatchObject({ load: true, pay_by_bank: true });
});

test('a bank account offers to allow requests again only where its customer has opted out', async () => {
  const { tenantId, api } = await newTenant('Takes Requests');
  const ana = await api.banked('individual');
  const { moves } = await api.get(`/portal/api/cases/linked-accounts/${ana.linkedAccountId}`);
  expect(moves).not.toContain('lift_opt_out');
  const load = await api.confirmed(api.load(ana, 3_00));
  await api.simulate('load.failed', load.id, 'customer_opted_out');
  await signInAsStaff();
  await open(`/case/${tenantId}/linked-accounts/${ana.linkedAccountId}`, '…');
  await page.getByRole('button', { name: 'Allow requests again', exact: true }).waitFor();
});
