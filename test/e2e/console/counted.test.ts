import { expect, test } from 'vitest';
import { page, useOneWindow, useWeb } from '../../kit/pages/browser/web.ts';
import { countPresses } from '../../kit/pages/presses.ts';
import { proveReadable } from '../readable.ts';
import { heading, newTenant, open, signInAsStaff } from './pages.ts';

/** The tasks of every day in the console, with every press counted. */

useWeb();
useOneWindow();

const button = (name: string | RegExp) => page.getByRole('button', { name });
const dialog = (name: string) => page.getByRole('dialog', { name });
const confirm = (name: string) => dialog(name).locator('button[type=submit]');
const status = () => page.getByRole('status');
const letter = (name: string) =>
  dialog(name).getByRole('region', { name: 'Letter to the customer' });

test('Regulation E takes three clicks for the credit, its amount chosen from the movements, and two with the words for the denial, each letter seen before', async () => {
  const { tenantId, api } = await newTenant('Three Clicks');
  const ana = await api.funded('individual', 100_00);
  const shop = await api.approved('business');
  await api.confirmed(api.pay(ana, shop, 80_00));
  const { id } = await api.played(
    api.dispute(ana, { type: 'unauthorized_transfer' }),
    'dispute.investigating',
  );
  await signInAsStaff();
  await open(`/case/${tenantId}/disputes/${id}`, 'Unauthorized transfer');
  const presses = await countPresses(page);
  const credit = 'Give provisional credit';
  await button(credit).click();
  await dialog(credit)
    .getByRole('row', { name: /^Paid .*\$80\.00/ })
    .waitFor();
  await proveReadable(page, 'case_suggested_amount');
  await dialog(credit).getByRole('button', { name: 'Use $80.00: Paid' }).click();
  await letter(credit).getByText('$80.00').first().waitFor();
  await dialog(credit).getByRole('button', { name: 'Give $80.00 provisional credit' }).click();
  await status().getByText('Done: Give provisional credit').waitFor();
  expect(await presses()).toEqual({ clicks: 3, keys: 0, fields: 0 });
  await button('Deny the claim of $80.00').click();
  await dialog('Deny').getByLabel('What was found').fill('The code came from her phone.');
  await letter('Deny').getByText('The code came from her phone.').waitFor();
  await confirm('Deny').click();
  await status().getByText('Done: Deny').waitFor();
  expect(await presses()).toEqual({ clicks: 2, keys: 0, fields: 1 });
});

test('money in suspense is matched with three clicks from its list', async () => {
  const { api } = await newTenant('Suspense Clicks');
  const ana = await api.banked('individual');
  const load = await api.confirmed(api.load(ana, 7_11));
  await api.simulate('load.failed', load.id);
  await api.simulate('load.paid_late', load.id);
  await signInAsStaff();
  await open('/money/unmatched', 'Unmatched money');
  const presses = await countPresses(page);
  await page.getByRole('row').filter({ hasText: '$7.11' }).getByRole('link').first().click();
  await button(/^Match to /)
    .first()
    .click();
  const match = dialog('Credit an account');
  await match.getByRole('row').filter({ hasText: '$7.11' }).first().waitFor();
  await match.locator('button[type=submit]').click();
  await status().getByText('Done: Credit an account').waitFor();
  expect(await presses()).toEqual({ clicks: 3, keys: 0, fields: 0 });
  expect((await api.balance(ana)).available).toBe(7_11);
});

test('a difference between bank and ledger is cleared with three clicks and its words, and leads to what can book it', async () => {
  const { tenantId, api } = await newTenant('Bank Clicks');
  const ana = await api.banked('individual');
  const load = await api.confirmed(api.load(ana, 25_00));
  await api.simulate('load.settled', load.id);
  const { now } = await api.get('/portal/api/clock');
  const zone = { timeZone: 'America/New_York' };
  const day = new Intl.DateTimeFormat('en-CA', zone).format(new Date(now));
  const query = `tenant_id=${tenantId}&day=${day}`;
  const { csv } = await api.get(`/portal/api/sandbox/bank-statement?${query}`);
  await api.post('/portal/api/bank-statements', {
    tenant_id: tenantId,
    day,
    file_name: 'bank.csv',
    csv: csv.replace(',2500,', ',2600,'),
  });
  await signInAsStaff();
  await open(`/money/statements?tenant_id=${tenantId}`, 'Bank statements');
  const presses = await countPresses(page);
  await page.getByRole('link', { name: day }).click();
  await heading(`Statement of ${day}`).waitFor();
  const difference = page.getByRole('listitem').filter({ hasText: 'Other amount' });
  await difference.getByText(/^Off by/).waitFor();
  await proveReadable(page, 'statement_difference');
  await difference.getByRole('button', { name: /^Clear/ }).click();
  await dialog('Clear the difference').getByLabel('What it is').fill('Keyed by the bank');
  await confirm('Clear the difference').click();
  await difference.getByText('Keyed by the bank').waitFor();
  await page.getByText('1 difference, all cleared up').waitFor();
  expect(await presses()).toEqual({ clicks: 3, keys: 0, fields: 1 });
  await proveReadable(page, 'statement_cleared');
  await button(/^Open again/).click();
  await dialog('Open the difference again').getByLabel('What it is').fill('Ours after all');
  await confirm('Open the difference again').click();
  await difference.getByRole('link', { name: 'Adjust an account by $1.00' }).click();
  await heading('Adjustments').waitFor();
  await button(/^Adjust /).click();
  expect(await dialog('Adjust the balance').getByLabel('Amount in dollars').inputValue()).toBe(
    '1.00',
  );
});
