import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestReceiver, type TestReceiver } from '../../kit/http/receiver.ts';
import { addAuthenticator, visit } from '../../kit/pages/browser/browser.ts';
import { browser, page, useOneWindow, useWeb, web } from '../../kit/pages/browser/web.ts';
import { heading, open, signIn } from './pages.ts';

/** The most clicks that a task may take; typing is not counted. */

useWeb();
useOneWindow();

let receiver: TestReceiver;
beforeAll(async () => {
  receiver = await startTestReceiver();
  await web.api.put('/portal/api/webhook-endpoint', { url: receiver.url, enabled: true });
});
afterAll(() => receiver.close());

let clicks = 0;
const click = async (what: Locator) => {
  clicks += 1;
  await what.click();
};
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const link = (name: string) => page.getByRole('link', { name, exact: true });

beforeEach(async () => {
  await signIn();
  clicks = 0;
});

test('a webhook secret is rotated in five clicks, tested and confirmed', async () => {
  await open('', 'Home');
  await click(link('Webhooks'));
  await click(button('Make another secret'));
  await page.getByText(/^whsec_/).waitFor();
  await click(button('Test with the new one alone'));
  await page.getByText(/^Accepted: answered 200/).waitFor();
  await click(page.getByRole('button', { name: /^Retire whs_/ }));
  await click(button('Retire the secret'));
  await page.getByText('One secret is active').waitFor();
  expect(clicks).toBeLessThanOrEqual(5);
});

test("a payment's money is two clicks away", async () => {
  const payer = await web.api.funded('individual', 50_00);
  const payment = await web.api.confirmed(
    web.api.pay(payer, await web.api.banked('business'), 5_00),
  );
  await open('', 'Home');
  await click(link('Payments'));
  await click(page.locator(`a[href$="${payment.id}"]`).first());
  await page.getByRole('heading', { name: 'Money', exact: true }).waitFor();
  expect(clicks).toBeLessThanOrEqual(2);
});

test("a colleague is invited in four clicks, and the colleague's first page is the portal", async () => {
  await open('', 'Home');
  await click(link('Team'));
  await page.getByLabel('Email address').fill('colleague@example.com');
  await click(page.getByRole('checkbox', { name: 'Developer' }));
  await click(page.getByRole('checkbox', { name: 'Reader' }));
  await click(button('Invite'));
  const address = (await page.getByText(/#invitation=tpi_/).textContent()) ?? '';
  expect(clicks).toBeLessThanOrEqual(4);

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
  await open('/records/payments', 'Payments');
  await click(button(/^Search/));
  await page.getByRole('combobox', { name: 'Search' }).fill('new sandbox');
  await click(page.getByRole('option', { name: 'Make a sandbox Tenant' }));
  await heading('Sandbox').waitFor();
  const dialog = page.getByRole('dialog', { name: 'New sandbox tenant' });
  await dialog.getByLabel('Name').fill('Second');
  await click(dialog.getByRole('button', { name: 'Make the tenant' }));
  await dialog.getByText(/^whsec_/).waitFor();
  expect(clicks).toBeLessThanOrEqual(3);
});
