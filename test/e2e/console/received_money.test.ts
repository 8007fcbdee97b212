import { expect, test } from 'vitest';
import { page, useOneWindow, useWeb } from '../../kit/pages/browser/web.ts';
import { proveReadable } from '../readable.ts';
import { approve, chooseTenant, heading, newTenant, open, signInAsStaff } from './pages.ts';

/** Money that nobody ordered, and money that another bank asks back, in the console, where acts on money need two people. */

useWeb({ config: { approvals: true } });
useOneWindow();

const button = (name: string, where = page) => where.getByRole('button', { name, exact: true });
const dialog = (name: string, where = page) => where.getByRole('dialog', { name });

test('money that nobody ordered shows its sender and words, and is credited to a found account by two people', async () => {
  const { tenantId, api } = await newTenant('Lantern');
  const ana = await api.banked('individual');
  await api.post('/v1/sandbox/simulate/bank.money_received', {
    object_id: ana.customerId,
    amount: 31_00,
    remittance: 'for my deposit',
  });
  await signInAsStaff();
  await open('/money/unmatched', 'Unmatched money');
  await chooseTenant('Lantern');
  const row = page.getByRole('row').filter({ hasText: '$31.00' });
  await row.getByText('Nobody had ordered it').waitFor();
  await row.getByText('for my deposit').waitFor();
  await proveReadable(page, 'received_list');
  await page.getByRole('link', { name: 'Money without an order' }).click();
  await heading('Money without an order').waitFor();
  const facts = page.getByRole('region', { name: 'Facts' });
  await facts.getByText('for my deposit').waitFor();
  await facts.getByText('Names the record').waitFor();
  await proveReadable(page, 'received_facts');
  await page.getByLabel('Find an account').fill(ana.accountId);
  await button('Find').click();
  await button(`Match ${ana.accountId}`).click();
  const form = dialog('Credit an account');
  await form.getByText('A second person must approve this').waitFor();
  await form.getByLabel('Note').fill('she showed the transfer');
  await form.getByRole('button', { name: 'Ask for approval' }).click();
  await page.getByRole('status').getByText('Approval is asked for').waitFor();
  await approve(tenantId, 'Credit unmatched money to an account');
  expect((await api.balance(ana)).available).toBe(31_00);
});

test('money that another bank asks back is given back in part by two people, and refused by one', async () => {
  const { tenantId, api } = await newTenant('Quay');
  const ana = await api.banked('individual');
  for (const cents of [50_00, 60_00]) {
    const load = await api.confirmed(api.load(ana, cents));
    await api.simulate('load.settled', load.id);
    await api.post('/v1/sandbox/simulate/bank.return_requested', {
      object_id: load.id,
      remittance: 'our customer did not order it',
    });
  }
  await signInAsStaff();
  await open(`/desk?tenant_id=${tenantId}&resource=return-requests`, 'Review desk');
  await page
    .getByRole('row')
    .filter({ hasText: '$50.00' })
    .getByText('Money asked back: FRAD')
    .waitFor();
  await proveReadable(page, 'return_requests');
  await page
    .getByRole('row')
    .filter({ hasText: '$50.00' })
    .getByRole('link', { name: 'Money asked back: FRAD' })
    .click();
  await heading('Money asked back: FRAD').waitFor();
  await page.getByText('our customer did not order it').first().waitFor();
  await proveReadable(page, 'return_request');
  await button('Give $50.00 back').click();
  const form = dialog('Give it back');
  await form.getByLabel('Amount in dollars').fill('20');
  await form.getByLabel('Words for the other bank').fill('this much is left');
  await form.getByText('A second person must approve this').waitFor();
  await form.getByLabel('Note').fill('the rest is spent');
  await proveReadable(page, 'return_request_accept');
  await form.getByRole('button', { name: 'Ask for approval' }).click();
  await page.getByRole('status').getByText('Approval is asked for').waitFor();
  expect((await api.balance(ana)).available).toBe(110_00);
  await approve(tenantId, 'Give back money that was asked back');
  expect((await api.balance(ana)).available).toBe(90_00);
  await open(`/desk?tenant_id=${tenantId}&resource=return-requests`, 'Review desk');
  await page
    .getByRole('row')
    .filter({ hasText: '$60.00' })
    .getByRole('link', { name: 'Money asked back: FRAD' })
    .click();
  await button('Give nothing back').click();
  const refusal = dialog('Give nothing back');
  await refusal.getByLabel('Words for the other bank').fill('it was ordered');
  await refusal.locator('button[type=submit]').click();
  await page.getByText('This case no longer waits').waitFor();
  await proveReadable(page, 'return_request_refused');
  expect((await api.balance(ana)).available).toBe(90_00);
});
