import { expect, test } from 'vitest';
import { page, useOneWindow, useWeb } from '../../kit/pages/browser/web.ts';
import { proveReadable } from '../readable.ts';
import { newTenant, open, signInAsStaff } from './pages.ts';

/**
 * A reviewer's reading and writing on a dispute before it is decided, in the operations console.
 */

useWeb();
useOneWindow();

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = (name: string) => page.getByRole('dialog', { name });
const done = (name: string) => page.getByRole('status').getByText(`Done: ${name}`).waitFor();

test('a denial wants what was found, and its letter stands beside the form as it is typed', async () => {
  const { tenantId, api } = await newTenant('Letter Market');
  const ana = await api.funded('individual', 100_00);
  const shop = await api.approved('business');
  const { id: payment_id } = await api.confirmed(api.pay(ana, shop, 25_00));
  const { id } = await api.played(
    api.dispute(ana, { payment_id }),
    'dispute.investigating',
    'dispute.provisional_credit',
  );
  await signInAsStaff();
  await open(`/case/${tenantId}/disputes/${id}`, 'Unauthorized transfer');
  await page.getByText('limited by 12 CFR 1005.6').waitFor();
  await button('Deny the claim of $25.00').click();
  const form = dialog('Deny');
  await form.getByText('Fill in the fields').waitFor();
  expect(await form.locator('button[type=submit]').isDisabled()).toBe(true);
  await form.getByLabel('What was found').fill('The code was confirmed from her own phone.');
  const letter = form.getByRole('region', { name: 'Letter to the customer' });
  await letter.getByText('The code was confirmed from her own phone.').waitFor();
  await letter.getByText('100 Sample Street, Anytown, NY 10001').first().waitFor();
  await letter.getByText(/we will debit this credit of \$25\.00/).waitFor();
  await form.getByLabel('Customer bears, in dollars').fill('25');
  await form.getByText('Above maximum').waitFor();
  await form.getByLabel('Loss or theft learned of on').fill('2020-01-02');
  await letter.getByText('Of this transfer you bear $25.00.').waitFor();
  await proveReadable(page, 'case_denial_letter');
  await form.getByLabel('Customer bears, in dollars').fill('');
  await letter.getByText('found no unauthorized transfer.').waitFor();
  await form.locator('button[type=submit]').click();
  await done('Deny');
});

test('a notice that was answered is opened again, and one of the wrong type is handled as another kind', async () => {
  const { tenantId, api } = await newTenant('Again Market');
  const ana = await api.funded('individual', 100_00);
  const shop = await api.approved('business');
  const { id: payment_id } = await api.confirmed(api.pay(ana, shop, 25_00));
  await api.played(api.dispute(ana, { payment_id }), 'dispute.resolved_denied');
  const { id } = await api.dispute(ana, { payment_id });
  await signInAsStaff();
  await open(`/case/${tenantId}/disputes/${id}`, 'Unauthorized transfer');
  await page.getByText('Answered before').waitFor();
  await page.getByRole('link', { name: 'About your repeated notice' }).waitFor();
  await proveReadable(page, 'case_reasserted');
  await button('Open it again').click();
  await dialog('Open it again').getByLabel('Note').fill('The police found the phone');
  await dialog('Open it again').locator('button[type=submit]').click();
  await done('Open it again');
  await button('Give $25.00 provisional credit').waitFor();

  const other = await api.dispute(ana, {
    type: 'purchase_dispute',
    description: 'I never authorized this payment.',
  });
  await open(`/case/${tenantId}/disputes/${other.id}`, 'Purchase dispute');
  await page.getByText('Unauthorized transfer: look whether the type is right').waitFor();
  await button('Handle as another kind').click();
  const form = dialog('Handle as another kind');
  await form.getByLabel('Handle as').selectOption('unauthorized_transfer');
  await form.getByLabel('Note').fill('The words say so');
  await form.getByRole('row').filter({ hasText: 'Regulation e' }).waitFor();
  await proveReadable(page, 'case_classify');
  await form.locator('button[type=submit]').click();
  await done('Handle as another kind');
  expect((await api.get(`/v1/disputes/${other.id}`)).handled_as).toBe('unauthorized_transfer');
});
