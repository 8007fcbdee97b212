import { expect, test } from 'vitest';
import { page, useOneWindow, useWeb, web } from '../../kit/pages/browser/web.ts';
import { proveReadable } from '../readable.ts';
import { colleague, newTenant, open, signInAsStaff } from './pages.ts';

/** A customer as staff see one who telephones, and every record that leads there. */

useWeb();
useOneWindow();

const region = (name: string) => page.getByRole('region', { name, exact: true });

/** A customer with a balance, a payment to a shop, and a dispute of it. */
async function withDispute(name: string) {
  const { tenantId, api } = await newTenant(name);
  const ana = await api.funded('individual', 100_00);
  const shop = await api.approved('business');
  const payment = await api.confirmed(api.pay(ana, shop, 25_00));
  const dispute = await api.dispute(ana, { payment_id: payment.id });
  return { tenantId, api, ana, payment, dispute };
}

test("a customer's page shows profile, balance, activity, cases and bank accounts, and reading it leaves an access record", async () => {
  const { tenantId, ana, payment } = await withDispute('Phone Market');
  await signInAsStaff();
  await open(`/record/${tenantId}/${ana.customerId}`, '');
  await region('Profile').getByText('someone@').waitFor();
  await region('Accounts').getByRole('row').filter({ hasText: '$75.00' }).waitFor();
  await region('Activity')
    .getByRole('row', { name: /^Paid .*\$25\.00/ })
    .waitFor();
  await region('Activity')
    .getByRole('row', { name: /^Loaded .*\$100\.00/ })
    .waitFor();
  await region('Cases')
    .getByRole('row', { name: /^Dispute .*\$25\.00/ })
    .waitFor();
  await region('Linked bank accounts').getByText('withdrawal').waitFor();
  await region('Messages').waitFor();
  await proveReadable(page, 'console_customer');
  const { rows } = await web.server.owner.query(
    'select kind from control.access_records where scope = $1 and record = $2',
    [tenantId, ana.customerId],
  );
  expect(rows).toEqual([{ kind: 'record' }]);
  await region('Activity')
    .getByRole('row', { name: /^(What )?Paid / })
    .getByRole('link')
    .click();
  await page.waitForURL(new RegExp(`/console/record/${tenantId}/${payment.id}`));
  await region('Money').waitFor();
  await proveReadable(page, 'console_record');
});

test('the ids of a case lead to views inside the console', async () => {
  const { tenantId, payment, dispute } = await withDispute('Linked Market');
  await signInAsStaff();
  await open(`/case/${tenantId}/disputes/${dispute.id}`, 'Unauthorized transfer');
  const facts = region('Facts');
  const links = await facts
    .getByRole('link')
    .evaluateAll((all) => all.map((one) => one.getAttribute('href')));
  expect(links).toContain(`/console/record/${tenantId}/${payment.id}`);
  await facts.locator(`a[href$="${payment.id}"]`).click();
  await region('Money').waitFor();
  await page.getByText('Of Linked Market').waitFor();
});

test('support reads the page with personal data masked, and decides nothing there', async () => {
  const { tenantId, ana } = await withDispute('Masked Market');
  const support = await colleague('support');
  await open(`/record/${tenantId}/${ana.customerId}`, '', support.page);
  await support.page.getByRole('row').filter({ hasText: '$75.00' }).first().waitFor();
  expect(await support.page.getByText('someone@').count()).toBe(0);
  expect(await support.page.locator('a[href*="/case/"]').count()).toBe(0);
  await support.end();
});
