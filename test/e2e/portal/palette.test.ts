import { beforeEach, expect, test } from 'vitest';
import {
  giveSession,
  page,
  useOneWindow,
  useWeb,
  visitor,
  web,
} from '../../kit/pages/browser/web.ts';
import { portalPerson } from '../../kit/people.ts';
import { proveReadable } from '../readable.ts';
import { heading, open, signIn } from './pages.ts';

/** The search of the portal, by keyboard alone. */

useWeb();
useOneWindow();

beforeEach(() => signIn());

const field = () => page.getByRole('combobox', { name: 'Search' });
const option = (name: string | RegExp) => page.getByRole('option', { name });

async function search(text: string): Promise<void> {
  await page.keyboard.press('Control+K');
  await field().waitFor();
  await page.keyboard.type(text);
}

test('a customer is found by name and opened, and stands among the recents afterwards', async () => {
  const { customerId } = await web.api.funded('individual', 5_00);
  await open('', 'Home');
  await search('ana rey');
  await option(/^Ana Reyes/)
    .first()
    .waitFor();
  await page.getByText(/^\d+ results?$/).waitFor();
  await proveReadable(page, 'palette_found');
  await field().fill(customerId);
  await page.getByText('1 result').waitFor();
  await page.keyboard.press('Enter');
  await page.getByTitle(customerId, { exact: true }).first().waitFor();
  await open('/requests', 'Requests');
  await search('');
  await page
    .getByRole('group', { name: 'Recent' })
    .getByRole('option', { name: /^Ana Reyes/ })
    .waitFor();
  await proveReadable(page, 'palette_recents');
});

test('a payment is found by its amount, with both sides', async () => {
  const payer = await web.api.funded('individual', 50_00);
  const payment = await web.api.pay(payer, await web.api.banked('business'), 17_31);
  await open('', 'Home');
  await search('$17.31');
  await option(/^Ana Reyes to Corner Cafe LLC/).waitFor();
  await page.keyboard.press('Enter');
  await page.getByTitle(payment.id, { exact: true }).first().waitFor();
});

test('pages and actions are found by the beginnings of their words, and chosen by the arrows', async () => {
  await open('', 'Home');
  await search('rot sec');
  await option('Rotate the webhook secret').waitFor();
  expect(await option('Rotate the webhook secret').getAttribute('aria-selected')).toBe('true');
  await page.keyboard.press('ArrowDown');
  expect(await option('Rotate the client secret').getAttribute('aria-selected')).toBe('true');
  const active = await field().getAttribute('aria-activedescendant');
  expect(await option('Rotate the client secret').getAttribute('id')).toBe(active);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await heading('Webhooks').waitFor();
});

test('what is not there is said, and Esc closes it where one was', async () => {
  await open('/events', 'Events');
  await search('zzz nothing of the kind');
  await page.getByText(/^No results for/).waitFor();
  await proveReadable(page, 'palette_empty');
  await page.keyboard.press('Escape');
  await field().waitFor({ state: 'detached' });
  await heading('Events').waitFor();
});

test('a reader is offered nothing that only others may do, and finds nobody by name', async () => {
  await web.api.funded('individual', 5_00);
  await giveSession(
    visitor.context,
    await portalPerson(web.server, web.server.tenant.tenantId, ['reader']),
  );
  await open('', 'Home');
  await search('invite');
  await page.getByText(/^No results for/).waitFor();
  await field().fill('ana');
  await page.getByText(/^No results for “ana”/).waitFor();
});
