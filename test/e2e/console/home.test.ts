import { expect, test } from 'vitest';
import { page, useOneWindow, useWeb, web } from '../../kit/pages/browser/web.ts';
import { proveReadable } from '../readable.ts';
import { colleague, heading, newTenant, open, signInAsStaff } from './pages.ts';

/** The first page of the console, and the one notion of what needs its staff (rules/operations#94). */

useWeb();
useOneWindow();

const pages = [
  ['', 'Home'],
  ['/disputes', 'Disputes'],
  ['/operations', 'Operations'],
  ['/alarms', 'Alarms'],
] as const;
const worriless = () => page.getByText('Nothing to worry about');

/** Workers are not part of this server: what is alive is written down as they would. */
async function beAlive(): Promise<void> {
  const { peers } = web.server.service;
  await Promise.all(peers.open.map(({ processRegistry }) => processRegistry.start()));
}

test('where nothing waits and nothing is late each page says so, and the menu counts nothing', async () => {
  await beAlive();
  await signInAsStaff();
  await open('', 'Home');
  await page.getByText('Nothing waits.').waitFor();
  await page.getByText('0 due in the 7 days from today').waitFor();
  await proveReadable(page, 'console_home_empty');
  for (const [path, title] of pages) {
    await open(path, title);
    await worriless().waitFor();
  }
  expect(await page.getByRole('navigation').getByText('to worry about').count()).toBe(0);
});

test('a dispute that missed its deadline is said in the same words on every page, and in the menu', async () => {
  const { api } = await newTenant('Late Market');
  await signInAsStaff();
  const ana = await api.funded('individual', 100_00);
  const shop = await api.approved('business');
  const payment = await api.confirmed(api.pay(ana, shop, 25_00));
  const dispute = await api.dispute(ana, { payment_id: payment.id });
  await api.simulate('dispute.investigating', dispute.id);
  await api.simulate('dispute.provisional_credit', dispute.id);
  const { data } = await api.get('/portal/api/disputes');
  const late = Date.parse(data[0].deadlines.result) + 2 * 86_400_000;
  await api.advance(new Date(late).toISOString());
  await web.server.service.alarmLog.flush();
  await web.server.service.pool.query('delete from control.alarms');
  for (const [path, title] of pages) {
    await open(path, title);
    const alert = page.getByRole('alert');
    await alert
      .getByRole('link', { name: '1 dispute has missed a deadline', exact: true })
      .waitFor();
    expect(await worriless().count()).toBe(0);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('link', { name: 'Disputes 1 to worry about' }).click();
  await heading('Disputes').waitFor();
  await page.getByText('Late (1)').waitFor();
});

test('the home says how old cases are, and its chart works by keyboard, as a table, and leads to the desk', async () => {
  await signInAsStaff();
  await open('', 'Home');
  await page.getByRole('cell', { name: 'Dispute', exact: true }).waitFor();
  const columns = page.getByRole('group', { name: /^Due this week/ }).getByRole('link');
  await expect.poll(() => columns.count()).toBe(7);
  await proveReadable(page, 'console_home_trouble');
  await columns.last().focus();
  await page.keyboard.press('Home');
  expect(await columns.first().evaluate((one) => one === one.ownerDocument.activeElement)).toBe(
    true,
  );
  const said = (await columns.first().getAttribute('aria-label')) ?? '';
  expect(said).toMatch(/^\w{3}, \w{3} \d+: \d+ due$/);
  await page
    .locator('.chart-value')
    .getByText(/^due \d+$/)
    .waitFor();
  // A narrow page names the columns in each row.
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Due this week as a table' }).press('Enter');
  const table = page.getByRole('region', { name: 'Due this week', exact: true });
  await expect.poll(() => table.getByRole('row').count()).toBe(8);
  await proveReadable(page, 'console_home_table');
  await page.getByRole('button', { name: 'Due this week as a table' }).press('Enter');
  await columns.last().press('Enter');
  await heading('Review desk').waitFor();
  await web.server.service.processRegistry.stop();
  await web.server.service.pool.query('delete from processes');
});

test('support sees what it may open, and nothing of the desk', async () => {
  const support = await colleague('support');
  await support.page.goto(`${web.hosted}/console`);
  await heading('Home', support.page).waitFor();
  await support.page.getByRole('alert').getByText('1 dispute has missed a deadline').waitFor();
  expect(await support.page.getByText('Waiting on the desk').count()).toBe(0);
  await proveReadable(support.page, 'console_home_support');
  await support.end();
});
