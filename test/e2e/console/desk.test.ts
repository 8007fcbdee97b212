import { expect, test } from 'vitest';
import type { Api } from '../../kit/api.ts';
import { page, useOneWindow, useWeb } from '../../kit/pages/browser/web.ts';
import type { Person } from '../../kit/person.ts';
import { addFilter } from '../filters.ts';
import { proveReadable } from '../readable.ts';
import { colleague, heading, newTenant, open, signInAsStaff } from './pages.ts';

/** The review desk and its cases in the operations console, with real cases of several Tenants. */

useWeb();
useOneWindow();

const button = (name: string, where = page) => where.getByRole('button', { name, exact: true });
const dialog = (name: string, where = page) => where.getByRole('dialog', { name });
const status = (where = page) => where.getByRole('status');
const row = (text: string) => page.getByRole('row').filter({ hasText: text });

/** A customer whose checks were unclear. @returns its id */
async function inReview(api: Api, email: string): Promise<string> {
  const { id } = await api.applied('individual', { email });
  await api.simulate('customer.in_review', id);
  return id;
}

/** A dispute of 25 dollars that is investigated. */
async function investigated(api: Api) {
  const ana = await api.funded('individual', 100_00);
  const shop = await api.approved('business');
  const payment = await api.confirmed(api.pay(ana, shop, 25_00));
  const dispute = await api.dispute(ana, { payment_id: payment.id });
  await api.simulate('dispute.investigating', dispute.id);
  return { ana, id: String(dispute.id) };
}

/** Money that came after its load had failed. */
async function unmatched(api: Api, cents: number): Promise<Person> {
  const ana = await api.banked('individual');
  const load = await api.confirmed(api.load(ana, cents));
  await api.simulate('load.failed', load.id);
  await api.simulate('load.paid_late', load.id);
  return ana;
}

/** Chooses a move, waits for its preview, and makes it. */
async function decide(move: string, where = page, words = move): Promise<void> {
  await button(words, where).click();
  const doIt = dialog(move, where).locator('button[type=submit]');
  await expect.poll(() => doIt.isEnabled()).toBe(true);
  await doIt.click();
}

test('a customer in review is approved from the desk, with its preview before and its result after', async () => {
  const { api } = await newTenant('North Market');
  const id = await inReview(api, 'olga@example.com');
  await signInAsStaff();
  await open('/desk', 'Review desk');
  await addFilter('Tenant', 'north market');
  await page.waitForURL(/tenant_id=/);
  await row('olga@example.com').getByText('Customer in review').waitFor();
  await proveReadable(page, 'desk');
  await page.getByRole('link', { name: 'olga@example.com' }).click();
  await heading('olga@example.com').waitFor();
  await page.getByText('Customer of North Market').waitFor();
  await proveReadable(page, 'case_customer');
  await button('Approve').click();
  await dialog('Approve')
    .getByRole('row', { name: /^(What changes )?Status (Before )?in review (After )?approved$/ })
    .waitFor();
  await dialog('Approve').getByLabel('Note').fill('Passport seen');
  await proveReadable(page, 'case_preview');
  await dialog('Approve').locator('button[type=submit]').click();
  await status().getByText('Done: Approve').waitFor();
  await page.getByRole('region', { name: 'Decisions' }).getByText('Passport seen').waitFor();
  await page.getByText('This case no longer waits').waitFor();
  await proveReadable(page, 'case_done');
  const { verification } = await api.get(`/v1/customers/${id}`);
  expect(verification.status).toBe('approved');
});

test('a dispute is credited: the preview shows the postings that are then made', async () => {
  const { tenantId, api } = await newTenant('South Market');
  const { ana, id } = await investigated(api);
  await signInAsStaff();
  await open(`/desk?tenant_id=${tenantId}&resource=disputes`, 'Review desk');
  await page.getByRole('link', { name: 'Unauthorized transfer' }).click();
  await page.getByRole('region', { name: 'Deadlines' }).waitFor();
  await page.getByRole('region', { name: 'Customer', exact: true }).getByText('someone@').waitFor();
  await proveReadable(page, 'case_dispute');
  await button('Give $25.00 provisional credit').click();
  const money = dialog('Give provisional credit').getByRole('region', { name: 'Money' });
  await money.getByRole('row').filter({ hasText: '$25.00' }).first().waitFor();
  await proveReadable(page, 'case_dispute_preview');
  await dialog('Give provisional credit').locator('button[type=submit]').click();
  await status().getByText('Done: Give provisional credit').waitFor();
  await button('Decide for the customer').waitFor();
  expect((await api.balance(ana)).available).toBe(100_00);
  const { data } = await api.get('/v1/disputes');
  expect(data[0]).toMatchObject({ id, status: 'provisional_credit' });
});

test('a part of a dispute is awarded in dollars, and its letter can be downloaded', async () => {
  const { tenantId, api } = await newTenant('West Market');
  const { id } = await investigated(api);
  await signInAsStaff();
  await open(`/case/${tenantId}/disputes/${id}`, 'Unauthorized transfer');
  await page.getByText('None yet: a provisional credit and a determination').waitFor();
  await button('Award a part').click();
  const form = dialog('Award a part');
  await form.getByText('Fill in the fields').waitFor();
  await form.getByLabel('Amount in dollars').fill('ten');
  await form.getByText('Fill in the fields').waitFor();
  expect(await form.locator('button[type=submit]').isDisabled()).toBe(true);
  await form.getByLabel('Amount in dollars').fill('10.50');
  await form.getByLabel('What was found').fill('One of two boards was never sent.');
  await form.getByRole('row').filter({ hasText: '$10.50' }).first().waitFor();
  await form.locator('button[type=submit]').click();
  await status().getByText('Done: Award a part').waitFor();
  const letters = page.getByRole('region', { name: 'Letters to the customer' });
  const address = await letters.getByRole('link').first().getAttribute('href');
  const { status: answered, headers } = await fetch(address ?? '');
  expect([answered, headers.get('content-type')]).toEqual([200, 'application/pdf']);
  const { data } = await api.get('/portal/api/disputes');
  expect(data[0]).toMatchObject({ outcome: 'partially_approved', award_amount: 10_50 });
});

test('money in suspense is matched with its account, and the next case of the desk follows', async () => {
  const { tenantId, api } = await newTenant('East Market');
  const ana = await unmatched(api, 7_00);
  await inReview(api, 'later@example.com');
  await signInAsStaff();
  await open(`/desk?tenant_id=${tenantId}`, 'Review desk');
  await row('Unmatched money').getByText('$7.00').waitFor();
  await page.getByRole('link', { name: 'Money of a load' }).click();
  await heading('Money of a load').waitFor();
  await decide('Credit an account', page, 'Credit $7.00 to an account');
  await status().getByText('Done: Credit an account').waitFor();
  await page.getByText('Nothing is left to decide.').waitFor();
  expect((await api.balance(ana)).available).toBe(7_00);
  await page.getByRole('link', { name: 'Next in the desk' }).click();
  await heading('later@example.com').waitFor();
});

test('of two reviewers the second sees who has taken a case, decides nothing, and may take it over', async () => {
  const { tenantId, api } = await newTenant('Two Reviewers');
  const id = await inReview(api, 'shared@example.com');
  const path = `/case/${tenantId}/customers/${id}`;
  await signInAsStaff();
  const second = await colleague('reviewer');
  const other = second.page;
  await open(path, 'shared@example.com');
  await open(path, 'shared@example.com', other);
  await button('Approve', other).click();
  const doIt = dialog('Approve', other).locator('button[type=submit]');
  await expect.poll(() => doIt.isEnabled()).toBe(true);
  await button('Take this case').click();
  await button('Give it back').waitFor();
  await doIt.click();
  await status(other).getByText('Nothing was done').waitFor();
  await status(other).getByText('Sam Porter has taken this case meanwhile.').waitFor();
  await other.getByText('Sam Porter has this case.').waitFor();
  expect(await button('Approve', other).isDisabled()).toBe(true);
  await proveReadable(other, 'case_taken');
  await button('Take over from Sam Porter', other).click();
  await proveReadable(other, 'case_take_over');
  await button('Take it over', other).click();
  await button('Give it back', other).waitFor();
  await decide('Reject', other);
  await status(other).getByText('Done: Reject').waitFor();
  await second.end();
  const { verification } = await api.get(`/v1/customers/${id}`);
  expect(verification.status).toBe('rejected');
});

test('by keyboard alone a reviewer comes from the desk to a decision', async () => {
  const { tenantId, api } = await newTenant('Keyboard Market');
  const id = await inReview(api, 'first@example.com');
  await inReview(api, 'second@example.com');
  await signInAsStaff();
  await open(`/desk?tenant_id=${tenantId}`, 'Review desk');
  const link = (name: string) => page.getByRole('link', { name });
  const has = (what: ReturnType<typeof link>) => () =>
    what.evaluate((element) => element === element.ownerDocument.activeElement);
  await link('second@example.com').waitFor();
  await page.keyboard.press('j');
  await expect.poll(has(link('first@example.com'))).toBe(true);
  await page.keyboard.press('ArrowDown');
  await expect.poll(has(link('second@example.com'))).toBe(true);
  await page.keyboard.press('/');
  await page.getByRole('menuitem', { name: 'Kind', exact: true }).press('Enter');
  const field = page.getByLabel('Kind', { exact: true });
  await expect.poll(has(field)).toBe(true);
  await page.keyboard.press('k');
  expect(await has(field)()).toBe(true);
  await open(`/desk?tenant_id=${tenantId}`, 'Review desk');
  await link('second@example.com').waitFor();
  await page.keyboard.press('j');
  await expect.poll(has(link('first@example.com'))).toBe(true);
  await page.keyboard.press('Enter');
  await heading('first@example.com').waitFor();
  await button('Approve').waitFor();
  await tabTo(() => has(button('Approve'))());
  await page.keyboard.press('Enter');
  const doIt = dialog('Approve').locator('button[type=submit]');
  await expect.poll(() => doIt.isEnabled()).toBe(true);
  await tabTo(() => has(doIt)());
  await page.keyboard.press('Enter');
  await status().getByText('Done: Approve').waitFor();
  const said = page.getByRole('status').filter({ hasText: 'Done: Approve' });
  await expect.poll(has(said)).toBe(true);
  const { verification } = await api.get(`/v1/customers/${id}`);
  expect(verification.status).toBe('approved');
});

/** Presses Tab until the focus is there. */
async function tabTo(isThere: () => Promise<boolean>): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    if (await isThere()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab does not lead there');
}
