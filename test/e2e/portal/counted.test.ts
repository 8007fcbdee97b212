import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestReceiver, type TestReceiver } from '../../kit/http/receiver.ts';
import { addAuthenticator, visit } from '../../kit/pages/browser/browser.ts';
import { browser, page, useOneWindow, useWeb, web } from '../../kit/pages/browser/web.ts';
import { countPresses } from '../../kit/pages/presses.ts';
import { heading, open, signIn } from './pages.ts';

/** The most clicks of the page itself that a task may take; typing is not counted. */

useWeb();
useOneWindow();

let receiver: TestReceiver;
beforeAll(async () => {
  receiver = await startTestReceiver();
  await web.api.put('/portal/api/webhook-endpoint', { url: receiver.url, enabled: true });
});
afterAll(() => receiver.close());

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const link = (name: string) => page.getByRole('link', { name, exact: true });

beforeEach(() => signIn());

/** Begins a task on a page of the portal: its presses are counted from here. */
async function begin(path: string, title: string) {
  await open(path, title);
  return countPresses(page);
}

test('a webhook secret is rotated in five clicks, tested and confirmed', async () => {
  const presses = await begin('', 'Home');
  await link('Webhooks').click();
  await button('Make another secret').click();
  await page.getByText(/^whsec_/).waitFor();
  await button('Test with the new one alone').click();
  await page.getByText(/^Accepted: answered 200/).waitFor();
  await page.getByRole('button', { name: /^Retire whs_/ }).click();
  await button('Retire the secret').click();
  await page.getByText('One secret is active').waitFor();
  expect((await presses()).clicks).toBeLessThanOrEqual(5);
});

test("a payment's money is two clicks away", async () => {
  const payer = await web.api.funded('individual', 50_00);
  const payment = await web.api.confirmed(
    web.api.pay(payer, await web.api.banked('business'), 5_00),
  );
  const presses = await begin('', 'Home');
  await link('Payments').click();
  await page.locator(`a[href$="${payment.id}"]`).first().click();
  await page.getByRole('heading', { name: 'Money', exact: true }).waitFor();
  expect((await presses()).clicks).toBeLessThanOrEqual(2);
});

test("a colleague is invited in four clicks, and the colleague's first page is the portal", async () => {
  const presses = await begin('', 'Home');
  await link('Team').click();
  await page.getByLabel('Email address').fill('colleague@example.com');
  await page.getByRole('checkbox', { name: 'Developer' }).click();
  await page.getByRole('checkbox', { name: 'Reader' }).click();
  await button('Invite').click();
  const address = (await page.getByText(/#invitation=tpi_/).textContent()) ?? '';
  expect((await presses()).clicks).toBeLessThanOrEqual(4);

  const { page: theirs, context } = await visit(browser);
  await addAuthenticator(await context.newCDPSession(theirs));
  await theirs.goto(address);
  await theirs.getByLabel('Your name').fill('Cora Lee');
  await theirs.getByRole('button', { name: 'Make a passkey and join' }).click();
  await theirs.getByRole('button', { name: 'I have kept them' }).click();
  await theirs.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  expect(new URL(theirs.url()).pathname).toMatch(/^\/portal\/?$/);
  await context.close();
});

test('a second sandbox is made in three clicks from anywhere', async () => {
  const presses = await begin('/records/payments', 'Payments');
  await button(/^Search/).click();
  await page.getByRole('combobox', { name: 'Search' }).fill('new sandbox');
  await page.getByRole('option', { name: 'Make a sandbox Tenant' }).click();
  await heading('Sandbox').waitFor();
  const dialog = page.getByRole('dialog', { name: 'New sandbox tenant' });
  await dialog.getByLabel('Name').fill('Second');
  await dialog.getByRole('button', { name: 'Make the tenant' }).click();
  await dialog.getByText(/^whsec_/).waitFor();
  expect((await presses()).clicks).toBeLessThanOrEqual(3);
});
