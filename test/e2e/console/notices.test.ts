import { expect, test } from 'vitest';
import { page, useOneWindow, useWeb } from '../../kit/pages/browser/web.ts';
import { proveReadable } from '../readable.ts';
import { newTenant, open, signInAsStaff } from './pages.ts';

/** Notices that a person must give, in the operations console (rules/messages#9). */

useWeb();
useOneWindow();

const region = (name: string) => page.getByRole('region', { name, exact: true });

test('a notice for a customer who takes no mail is read at the desk, and given by hand', async () => {
  const { tenantId, api } = await newTenant('On Paper');
  const ana = await api.funded('individual', 100_00);
  const shop = await api.approved('business');
  const payment = await api.confirmed(api.pay(ana, shop, 25_00));
  const dispute = await api.dispute(ana, { payment_id: payment.id });
  await api.simulate('dispute.investigating', dispute.id);
  const paper = { note: 'asked by telephone' };
  await api.post(`/portal/api/review/customers/${ana.customerId}/withdraw_electronic`, paper);
  const denial = { finding: 'The code was entered at the counter.' };
  await api.post(`/portal/api/review/disputes/${dispute.id}/resolve_denied`, denial);
  await signInAsStaff();
  await open(`/desk?tenant_id=${tenantId}&resource=notices`, 'Review desk');
  await page.getByText('The customer takes no mail: send it on paper').waitFor();
  await page.getByRole('link', { name: 'Dispute letter: result' }).click();
  await page.getByRole('button', { name: 'Read the notice' }).click();
  await region('The notice').getByText('For someone@').waitFor();
  await region('Letters to the customer').getByRole('link').first().waitFor();
  await proveReadable(page, 'case_notice');
  await page.getByRole('button', { name: 'It was given' }).click();
  const form = page.getByRole('dialog', { name: 'It was given' });
  await form.getByLabel('How it was given').fill('By post to the address of the account');
  const doIt = form.locator('button[type=submit]');
  await expect.poll(() => doIt.isEnabled()).toBe(true);
  await doIt.click();
  await page.getByRole('status').getByText('Done: It was given').waitFor();
});
