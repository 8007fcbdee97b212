import { expect, test } from 'vitest';
import { page, useOneWindow, useWeb } from '../../kit/pages/browser/web.ts';
import { proveReadable } from '../readable.ts';
import { colleague, heading, newTenant, open, signInAsStaff } from './pages.ts';

/** Acts that need two people, in the operations console of a sandbox that asks for them. */

useWeb({ config: { approvals: true } });
useOneWindow();

const button = (name: string, where = page) => where.getByRole('button', { name, exact: true });
const dialog = (name: string, where = page) => where.getByRole('dialog', { name });
const title = 'Credit unmatched money to an account, $9';

/** Money that came after its load had failed. @returns whose it is */
async function unmatched(name: string) {
  const { tenantId, api } = await newTenant(name);
  const ana = await api.banked('individual');
  const load = await api.confirmed(api.load(ana, 9_00));
  await api.simulate('load.failed', load.id);
  await api.simulate('load.paid_late', load.id);
  return { tenantId, api, ana };
}

/** Asks for a second person from the desk, and opens the request. @param look at the form, before it is sent */
async function ask(tenantId: string, look = async () => {}): Promise<void> {
  await open(`/desk?tenant_id=${tenantId}&resource=suspense`, 'Review desk');
  await page.getByRole('link', { name: 'Money of a load' }).click();
  await page.getByRole('button', { name: /^Credit \$.* to an account$/ }).click();
  const form = dialog('Credit an account');
  await form.getByText('A second person must approve this').waitFor();
  const send = form.getByRole('button', { name: 'Ask for approval' });
  expect(await send.isDisabled()).toBe(true);
  await form.getByLabel('Note').fill('The load is of Ana');
  await look();
  await send.click();
  await page.getByRole('status').getByText('Approval is asked for').waitFor();
  await page.getByRole('link', { name: 'See the request' }).click();
  await heading(title).waitFor();
}

test('a move that needs two people is asked for, and done when somebody else approves it', async () => {
  const { tenantId, api, ana } = await unmatched('Two People');
  await signInAsStaff();
  await ask(tenantId, () => proveReadable(page, 'approval_asked'));
  await button('Take it back').waitFor();
  expect(await button('Approve').count()).toBe(0);
  expect((await api.balance(ana)).available).toBe(0);
  const second = await colleague('reviewer');
  const other = second.page;
  await open(`/desk?tenant_id=${tenantId}&resource=approvals`, 'Review desk', other);
  await other.getByRole('link', { name: title }).click();
  const now = other.getByRole('region', { name: 'What it would do now' });
  await now.getByRole('row').filter({ hasText: '$9.00' }).first().waitFor();
  await other
    .getByRole('rowheader', { name: 'Asked by' })
    .locator('..')
    .getByText('@example.com')
    .waitFor();
  await proveReadable(other, 'case_approval');
  await button('Approve', other).click();
  await dialog('Approve', other).getByLabel('Note').fill('Agreed');
  await dialog('Approve', other).locator('button[type=submit]').click();
  await other.getByRole('status').getByText('Approved', { exact: true }).waitFor();
  await other.getByText('This case no longer waits').waitFor();
  await proveReadable(other, 'case_approved');
  await second.end();
  expect((await api.balance(ana)).available).toBe(9_00);
  const { data } = await api.get('/portal/api/approvals');
  expect(data[0]).toMatchObject({ status: 'approved', decision_note: 'Agreed' });
});

test('an own request is taken back with a note, and nothing is done', async () => {
  const { tenantId, api, ana } = await unmatched('Taken Back');
  await signInAsStaff();
  await ask(tenantId);
  await button('Take it back').click();
  await dialog('Take it back').getByLabel('Note').fill('Asked by mistake');
  await dialog('Take it back').locator('button[type=submit]').click();
  await page.getByRole('status').getByText('Refused', { exact: true }).waitFor();
  await page
    .getByRole('region', { name: 'Decided of this case' })
    .getByText('Asked by mistake')
    .waitFor();
  expect((await api.balance(ana)).available).toBe(0);
});
