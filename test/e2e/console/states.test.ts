import { expect, test } from 'vitest';
import { page, useOneWindow, useWeb, web } from '../../kit/pages/browser/web.ts';
import { addFilter } from '../filters.ts';
import { proveReadable } from '../readable.ts';
import { colleague, heading, newTenant, open, signInAsStaff } from './pages.ts';

/** The desk and its cases where nothing waits, nobody may act, or something is late. */

useWeb();
useOneWindow();

const button = (name: string) => page.getByRole('button', { name, exact: true });

test('an empty desk says that nothing waits, and its filters stay in the address', async () => {
  await signInAsStaff();
  await open('/desk', 'Review desk');
  await page.getByText('Nothing waits').waitFor();
  await proveReadable(page, 'desk_empty');
  await addFilter('Kind', 'Dispute');
  await page.waitForURL(/resource=disputes/);
  await addFilter('Taken by', 'nobody');
  await page.waitForURL(/assigned=nobody/);
  await addFilter('Late', 'only');
  await page.waitForURL(/resource=disputes&assigned=nobody&late=yes/);
  await page.getByText('No cases match these filters').waitFor();
  await button('Clear all').click();
  await page.waitForURL((url) => url.search === '');
  await page.getByText('New cases appear here by themselves.').waitFor();
});

test('a dispute without a result in time is late in words and in the filter', async () => {
  const { tenantId, api } = await newTenant('Late Market');
  const ana = await api.funded('individual', 100_00);
  const shop = await api.approved('business');
  const payment = await api.confirmed(api.pay(ana, shop, 25_00));
  const dispute = await api.dispute(ana, { payment_id: payment.id });
  await api.simulate('dispute.investigating', dispute.id);
  await api.simulate('dispute.provisional_credit', dispute.id);
  const { data } = await api.get('/portal/api/disputes');
  const late = Date.parse(data[0].deadlines.result) + 2 * 86_400_000;
  await api.advance(new Date(late).toISOString());
  await signInAsStaff();
  await open(`/desk?tenant_id=${tenantId}&late=yes`, 'Review desk');
  const row = page.getByRole('row').filter({ hasText: 'Unauthorized transfer' });
  await row.getByText(/^late by \d+ days/).waitFor();
  await proveReadable(page, 'desk_late');
  await row.getByRole('link').click();
  await page
    .getByText(/^late by \d+ days/)
    .first()
    .waitFor();
});

test('a note on a case stays, and a case that is not there is told', async () => {
  const { tenantId, api } = await newTenant('Notes Market');
  const { id } = await api.applied('individual', { email: 'notes@example.com' });
  await api.simulate('customer.in_review', id);
  await signInAsStaff();
  await open(`/case/${tenantId}/customers/${id}`, 'notes@example.com');
  await page.getByLabel('New note').fill('Called at noon.\nNo answer.');
  await button('Add the note').click();
  await page.getByRole('listitem').getByText('Called at noon.').waitFor();
  await expect.poll(() => page.getByLabel('New note').inputValue()).toBe('');
  await proveReadable(page, 'case_notes');
  await open(`/case/${tenantId}/customers/${id.slice(0, -4)}0000`, 'Case');
  await page.getByRole('alert').getByText('Not found', { exact: true }).waitFor();
  await proveReadable(page, 'case_not_found');
});

test('a case that was decided meanwhile is read anew, and nothing is done twice', async () => {
  const { tenantId, api } = await newTenant('Meanwhile Market');
  const { id } = await api.applied('individual', { email: 'meanwhile@example.com' });
  await api.simulate('customer.in_review', id);
  await signInAsStaff();
  await open(`/case/${tenantId}/customers/${id}`, 'meanwhile@example.com');
  await button('Reject').click();
  const doIt = page.getByRole('dialog', { name: 'Reject' }).locator('button[type=submit]');
  await expect.poll(() => doIt.isEnabled()).toBe(true);
  await api.post(`/portal/api/review/customers/${id}/approve`, {});
  await doIt.click();
  await page.getByRole('status').getByText('Nothing was done').waitFor();
  await page.getByText('This case no longer waits').waitFor();
  const { verification } = await api.get(`/v1/customers/${id}`);
  expect(verification.status).toBe('approved');
});

test('support has no desk, and the pages say so', async () => {
  const support = await colleague('support');
  await support.page.goto(`${web.hosted}/console/desk`);
  await heading('Review desk', support.page).waitFor();
  await support.page.getByText('Only reviewers have a desk.').waitFor();
  await proveReadable(support.page, 'desk_support');
  await support.end();
});
