import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Api } from '../../kit/api.ts';
import { startTestReceiver } from '../../kit/http/receiver.ts';
import { page, useOneWindow, useWeb, web } from '../../kit/pages/browser/web.ts';
import type { TestTenant } from '../../kit/server.ts';
import { proveReadable } from '../readable.ts';
import { heading, open, signIn } from './pages.ts';

/** The home page of a Tenant in its states: nothing yet, trade, trouble. */

useWeb();
useOneWindow();

const receiver = await startTestReceiver();
afterAll(() => receiver.close());

let tenant: TestTenant;
let api: Api;
beforeAll(async () => {
  const settings = { confirmation_grace_seconds: 0 };
  tenant = await web.server.anotherTenant({ name: 'Home Market', calendar: false, settings });
  api = web.server.apiOf(tenant);
});

beforeEach(() => signIn(tenant));

/** The page once it says this: its figures are kept for some seconds. */
async function openWith(text: string | RegExp): Promise<void> {
  const isSaid = async () => {
    await open('', 'Home');
    await page.reload();
    await page.getByText('Balances held').waitFor();
    return page.getByText(text).count();
  };
  await expect.poll(isSaid, { timeout: 30_000 }).toBeGreaterThan(0);
}

test('an empty Tenant sees what to do first, and that nothing needs it', async () => {
  await open('', 'Home');
  await page.getByText('Getting started: ').waitFor();
  await page.getByText('Nothing needs you now.').waitFor();
  await page.getByText('$0.00 paid in the first day').waitFor();
  await page.getByText('0 of 0 failed in 7 days').waitFor();
  await proveReadable(page, 'home_empty');
});

test('payments of the day stand in the chart and lead to their list', async () => {
  const ana = await api.funded('individual', 100_00);
  const shop = await api.approved('business');
  await api.confirmed(api.pay(ana, shop, 25_00));
  await page.setViewportSize({ width: 1280, height: 800 });
  await openWith(/^\$25\.00 paid in the /);
  await page.getByText('0 of 1 failed in 7 days').waitFor();
  await page.getByText('$100.00', { exact: true }).waitFor();
  const columns = page.getByRole('group', { name: /^Payments by day/ }).getByRole('link');
  const last = columns.last();
  await last.focus();
  await page.locator('.chart-value').getByText('paid $25.00').waitFor();
  expect(await last.getAttribute('aria-label')).toMatch(/: \$25\.00 paid$/);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await heading('Payments').waitFor();
  expect(new URL(page.url()).search).toMatch(/from=.*&to=/);
});

test('an endpoint that fails is said to fail, on the home page and in the menu', async () => {
  await api.put('/portal/api/webhook-endpoint', { url: receiver.url });
  receiver.answer(500);
  for (let count = 0; count < 3; count += 1)
    await api.post('/portal/api/webhook-endpoint/test', {});
  await openWith('3 of 3 attempts failed in 24 hours');
  await page.getByText('1 webhook endpoint is failing').waitFor();
  await page.getByRole('cell', { name: 'failing', exact: true }).waitFor();
  await proveReadable(page, 'home_trouble');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('link', { name: 'Webhooks 1 to worry about' }).waitFor();
  await page.getByRole('button', { name: 'Requests as a table' }).press('Enter');
  await page
    .getByRole('region', { name: 'Requests', exact: true })
    .getByRole('row')
    .nth(24)
    .waitFor();
  await proveReadable(page, 'home_table');
  await page.getByRole('link', { name: '1 webhook endpoint is failing' }).click();
  await heading('Webhooks').waitFor();
});

test('a checklist that is done folds away, below everything else', async () => {
  receiver.answer(200);
  await api.post('/portal/api/webhook-endpoint/test', {});
  await api.advance(60);
  await openWith('Getting started: 5 of 6');
  const summary = page.getByText('Getting started: 5 of 6');
  await summary.waitFor();
  expect(await page.getByText('Move the clock').count()).toBe(0);
  await summary.click();
  await page.getByRole('link', { name: 'Move the clock' }).waitFor();
});
