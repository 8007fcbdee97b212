import { expect, test } from 'vitest';
import { page, useOneWindow, useWeb } from '../../kit/pages/browser/web.ts';
import { proveReadable } from '../readable.ts';
import { colleague, newTenant, open, signInAsStaff } from './pages.ts';

/** A Tenant's own accounts at its bank, in the operations console of a sandbox that asks for two people. */

useWeb({ config: { approvals: true } });
useOneWindow();

const button = (name: string, where = page) => where.getByRole('button', { name, exact: true });

test('an account at the bank is proposed by one admin, and in force when another has approved it', async () => {
  const { tenantId, api } = await newTenant('Own Bank');
  await signInAsStaff();
  await open(`/tenants/${tenantId}?part=bank-accounts`, 'Own Bank');
  const region = page.getByRole('region', { name: "Customers' money" });
  await region.getByRole('button', { name: 'Propose an account' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Title at the bank').fill('Own Bank FBO');
  await form.getByLabel('Routing number').fill('021000022');
  await form.getByLabel('Account number').fill('00012345678');
  await form.getByRole('button', { name: 'Propose' }).click();
  await form.getByText('its check digit is wrong').waitFor();
  await proveReadable(page, 'bank_account_refused');
  await form.getByLabel('Routing number').fill('021000021');
  await form.getByRole('button', { name: 'Propose' }).click();
  const facts = 'Own Bank FBO, checking ending in 5678, routing number 021000021';
  await region.getByRole('row').filter({ hasText: 'Proposed' }).getByText(facts).waitFor();
  await region.getByRole('button', { name: 'Put the proposed account in force' }).click();
  await region.getByLabel('Reason for the second admin').fill('As on the letter of the bank');
  await proveReadable(page, 'bank_account_asked');
  await region.getByRole('button', { name: 'Ask a second admin' }).click();
  await region.getByText('It waits for a second admin').waitFor();

  const second = await colleague('admin');
  const other = second.page;
  await open(`/desk?tenant_id=${tenantId}&resource=approvals`, 'Review desk', other);
  await other.getByRole('link', { name: 'Put the FBO account at the bank in force' }).click();
  const now = other.getByRole('region', { name: 'What it would do now' });
  await now.getByRole('row').filter({ hasText: '5678' }).waitFor();
  await proveReadable(other, 'bank_account_approval');
  await button('Approve', other).click();
  const decision = other.getByRole('dialog', { name: 'Approve' });
  await decision.getByLabel('Note').fill('Compared with the letter');
  await decision.locator('button[type=submit]').click();
  await other.getByRole('status').getByText('Approved', { exact: true }).waitFor();
  await second.end();
  const { data } = await api.get('/portal/api/own-bank-accounts');
  expect(data[0]).toMatchObject({ id: 'fbo', in_force: { last4: '5678' }, proposed: null });
});
