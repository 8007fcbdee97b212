import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { page, useOneWindow, useWeb, visitor, web } from '../../kit/pages/browser/web.ts';
import { portalPerson } from '../../kit/people.ts';
import { proveReadable } from '../readable.ts';
import { approve, chooseTenant, heading, newTenant, open, signInAsStaff } from './pages.ts';

/** The money desk of the operations console, where acts on money need two people. */

useWeb({ config: { approvals: true } });
useOneWindow();

const button = (name: string | RegExp, where = page) =>
  where.getByRole('button', { name, exact: true });
const dialog = (name: string, where = page) => where.getByRole('dialog', { name });

/** Money that came after its load had failed. @returns whose it is */
async function unmatched(name: string) {
  const { tenantId, api } = await newTenant(name);
  const ana = await api.banked('individual');
  const load = await api.confirmed(api.load(ana, 9_00));
  await api.simulate('load.failed', load.id);
  await api.simulate('load.paid_late', load.id);
  return { tenantId, api, ana };
}

test('unmatched money is matched by a proposal with two people, and is taken back by a second entry', async () => {
  const { tenantId, api, ana } = await unmatched('Harbor');
  await signInAsStaff();
  await open('/desk', 'Review desk');
  await page.getByRole('link', { name: 'Unmatched money' }).click();
  await heading('Unmatched money').waitFor();
  await chooseTenant('Harbor');
  await page.getByRole('table').getByText('$9.00').waitFor();
  await proveReadable(page, 'money_list');
  await page.getByRole('link', { name: 'Money of a load' }).click();
  await heading('Money of a load').waitFor();
  await page.getByText(/^The bank named its load …/).waitFor();
  await proveReadable(page, 'money_proposals');
  await page.getByRole('button', { name: /^Match to / }).click();
  const form = dialog('Credit an account');
  await form.getByText('A second person must approve this').waitFor();
  await form.getByRole('row').filter({ hasText: '$9.00' }).waitFor();
  await form.getByLabel('Note').fill("Ana's load");
  await proveReadable(page, 'money_match');
  await form.getByRole('button', { name: 'Ask for approval' }).click();
  await page.getByRole('status').getByText('Approval is asked for').waitFor();
  expect((await api.balance(ana)).available).toBe(0);
  await approve(tenantId, 'Credit unmatched money to an account');
  expect((await api.balance(ana)).available).toBe(9_00);
  await page.reload();
  await page.getByRole('heading', { name: 'If the match was wrong' }).waitFor();
  await proveReadable(page, 'money_matched');
  await page.getByRole('link', { name: 'Take it back by an adjustment' }).click();
  await heading('Adjustments').waitFor();
  const back = dialog('Adjust the balance');
  expect(await back.getByLabel('Amount in dollars').inputValue()).toBe('-9.00');
  await back.getByRole('row').filter({ hasText: "The tenant's reserve" }).waitFor();
  await back.getByLabel('Note').fill('Not her money');
  await proveReadable(page, 'money_adjust');
  await back.getByRole('button', { name: 'Ask for approval' }).click();
  await page.getByRole('status').getByText('Approval is asked for').waitFor();
  await page.getByRole('table').getByText('waits for approval').waitFor();
  await approve(tenantId, 'Debit an account');
  await page.reload();
  await page.getByRole('table').getByText('made', { exact: true }).waitFor();
  await proveReadable(page, 'money_adjustments');
  expect((await api.balance(ana)).available).toBe(0);
});

test('a reserve below its floor says so, and is funded with two people', async () => {
  const { tenantId, api } = await newTenant('Quarry');
  await signInAsStaff();
  const ana = await api.funded('individual', 50_00);
  const shop = await api.banked('business', 'savings');
  const paid = await api.confirmed(api.pay(ana, shop, 30_00));
  await api.dispute(ana, { payment_id: paid.id });
  const { data } = await api.get('/portal/api/reserves');
  const drain = data[0].balance - 10_00;
  const asked = await api.post('/portal/api/approvals', {
    resource: 'accounts',
    id: ana.accountId,
    move: 'adjust',
    amount: drain,
    note: 'drain',
  });
  const [one, other] = [
    await portalPerson(web.server, 'platform', ['admin']),
    await portalPerson(web.server, 'platform', ['admin']),
  ];
  for (const admin of [one, other])
    await admin.ask(
      'POST',
      `/approvals/${asked.id}/approve`,
      {},
      {
        headers: { 'tenant-id': tenantId },
      },
    );
  // What may be approved of a day is used up by the drain.
  await api.advance(86_400);
  await open('/money/reserves', 'Reserves');
  await page.getByRole('alert').getByText('1 reserve is below its floor.').waitFor();
  await page.getByRole('row').filter({ hasText: 'Quarry' }).getByText('$20.00 below').waitFor();
  await proveReadable(page, 'money_reserves');
  await page.getByRole('link', { name: 'Quarry' }).click();
  await heading('Reserve').waitFor();
  await page.getByRole('table').getByText('Adjustment to an account').waitFor();
  await button('Fund the reserve').click();
  const form = dialog('Fund the reserve');
  await form.getByLabel('Amount in dollars').fill('20');
  await form.getByLabel('Note').fill('For the dispute of Ana');
  await form.getByRole('row').filter({ hasText: "The tenant's top up in transit" }).waitFor();
  await form.getByRole('button', { name: 'Ask for approval' }).click();
  await page.getByRole('status').getByText('Approval is asked for').waitFor();
  await approve(tenantId, 'Fund the reserve');
  await page.reload();
  await page.getByText('Enough').waitFor();
  await proveReadable(page, 'money_reserve');
});

const fee = {
  type: 'platform',
  payment_type: 'consumer_to_merchant',
  source: 'balance',
  paid_by: 'payee',
  basis_points: 100,
  fixed: 0,
} as const;

test('fees are shown while they wait, and as swept', async () => {
  const settings = { confirmation_grace_seconds: 0, fees: [fee] };
  const tenant = await web.server.anotherTenant({ name: 'Bakery', settings });
  const api = web.server.apiOf(tenant);
  const [ana, shop] = [
    await api.funded('individual', 200_00),
    await api.banked('business', 'savings'),
  ];
  await api.confirmed(api.pay(ana, shop, 100_00));
  await api.advance(86_400);
  await api.confirmed(api.pay(ana, shop, 50_00));
  await signInAsStaff();
  await open('/money/fees', 'Fee sweeps');
  await page.getByText('Choose a tenant').waitFor();
  await chooseTenant('Bakery');
  await page.getByRole('row').filter({ hasText: "The platform's" }).getByText('$0.50').waitFor();
  await page.getByRole('row').filter({ hasText: 'Bakery' }).getByText('$1.00').first().waitFor();
  await proveReadable(page, 'money_fees');
});

test("the bank's statement is uploaded, compared line by line, and refused where a line is bad", async () => {
  const { tenantId, api } = await newTenant('Mill');
  const ana = await api.banked('individual');
  const load = await api.confirmed(api.load(ana, 25_00));
  await api.simulate('load.settled', load.id);
  const { now } = await api.get('/portal/api/clock');
  const zone = { timeZone: 'America/New_York' };
  const day = new Intl.DateTimeFormat('en-CA', zone).format(new Date(now));
  await signInAsStaff();
  await open('/money/statements', 'Bank statements');
  await page.getByText('No statement was uploaded yet.').waitFor();
  const upload = page.getByRole('region', { name: 'Upload a statement' });
  await chooseTenant('Mill', upload);
  await upload.getByLabel('Day').fill(day);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    button("Get the sandbox bank's file").click(),
  ]);
  const csv = await readFile(await file.path(), 'utf8');
  const send = async (text: string, name: string) => {
    const buffer = Buffer.from(text);
    await upload.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });
    await button('Upload and compare').click();
  };
  await send(csv.replace(',2500,', ',25x,'), 'bad.csv');
  await page
    .getByRole('alert')
    .getByText(/^line \d+: amount_cents must be cents/)
    .waitFor();
  await proveReadable(page, 'statement_refused');
  await send(csv.replace(',2500,', ',2600,'), 'other.csv');
  await heading(`Statement of ${day}`).waitFor();
  await page.getByText('Bank and ledger differ').waitFor();
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Other amount' })
    .getByText('$26.00')
    .waitFor();
  await proveReadable(page, 'statement_differs');
  await page.getByRole('link', { name: 'Back to the statements' }).click();
  await chooseTenant('Mill', upload);
  await upload.getByLabel('Day').fill(day);
  await send(csv.replace(/,\d+(?=\r\n$)/, ',100'), 'short.csv');
  await page
    .getByText(/The bank held \$1\.00, customers had \$25\.00\. Fund .* with \$24\.00/)
    .waitFor();
  await proveReadable(page, 'statement_short');
  await page.getByRole('link', { name: 'Back to the statements' }).click();
  await chooseTenant('Mill', upload);
  await upload.getByLabel('Day').fill(day);
  const marked = `\ufeff${csv}`;
  await send(marked, 'bank.csv');
  await page.getByText('Bank and ledger agree').waitFor();
  await page.getByRole('link', { name: 'Back to the statements' }).click();
  await chooseTenant('Mill', upload);
  await upload.getByLabel('Day').fill(day);
  await send(marked, 'bank.csv');
  await page.getByRole('alert').getByText('this file was uploaded before').waitFor();
  visitor.forgive(/ 40[09] /);
  const { data } = await api.get('/portal/api/bank-statements');
  expect(data.map(({ tenant_id }: { tenant_id: string }) => tenant_id)).toEqual([
    tenantId,
    tenantId,
    tenantId,
  ]);
  expect(data[0].sha256).toBe(createHash('sha256').update(marked).digest('hex'));
});

test('where no proposal fits, the account is found by hand', async () => {
  const { tenantId, api } = await unmatched('Orchard');
  const ben = await api.banked('individual');
  await signInAsStaff();
  await open(`/money/unmatched?tenant_id=${tenantId}`, 'Unmatched money');
  await page.getByRole('link', { name: 'Money of a load' }).click();
  await page.getByLabel('Find an account').fill('nobody@example.com');
  await page.keyboard.press('Enter');
  await page.getByText('No account matches').waitFor();
  await page.getByLabel('Find an account').fill(ben.customerId);
  await page.keyboard.press('Enter');
  await button(`Match ${ben.accountId}`).click();
  await dialog('Credit an account').getByText('A second person must approve this').waitFor();
  expect(await dialog('Credit an account').getByLabel('Account').inputValue()).toBe(ben.accountId);
  await page.keyboard.press('Escape');
  await proveReadable(page, 'money_by_hand');
});

test('the list says that all money is matched', async () => {
  const { tenantId } = await newTenant('Nothing');
  await signInAsStaff();
  await open(`/money/unmatched?tenant_id=${tenantId}`, 'Unmatched money');
  await page.getByText('All money from the bank is matched').waitFor();
  await proveReadable(page, 'money_empty');
});
