import { beforeAll, expect, test } from 'vitest';
import { page, useOneWindow, useWeb, visitor, web } from '../../kit/pages/browser/web.ts';
import { addFilter } from '../filters.ts';
import { proveReadable } from '../readable.ts';
import { heading, open, openRecord, signIn } from './pages.ts';

/** The developer portal, with real traffic behind it. */

useWeb();
useOneWindow();

beforeAll(async () => {
  const { api } = web.server;
  await api.banked('individual');
  await api.customer('business');
  await api.post('/v1/payments', {}).catch(() => {});
  await web.server.service.requestLog.flush();
});

test('whoever is not signed in comes to the sign-in, and after it to the tenant', async () => {
  await page.goto(`${web.hosted}/portal/requests`);
  await heading('Sign in').waitFor();
  await signIn();
  await open('', 'Home');
  await page.getByRole('button', { name: 'Test Tenant' }).waitFor();
});

test('the home page counts the day, and leads to what is to be done next: an address that may get events', async () => {
  await signIn();
  await open('', 'Home');
  await page.getByText('Getting started: ').waitFor();
  await page.getByText(/^\d+ answered, \d+ refused, \d+ failed in the last 24 hours$/).waitFor();
  await page.getByRole('cell', { name: 'parameter_missing' }).waitFor();
  await proveReadable(page, 'portal_home');
  await page.getByRole('link', { name: 'Set the webhook endpoint' }).click();
  await heading('Webhooks').waitFor();
  await page.getByLabel('Address').fill('https://10.0.0.1/hooks');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Address').fill('https://shop.example/hooks');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Events are sent').waitFor();
});

test('a record is found by its reference from any page, and shows its history and what may come', async () => {
  const { id, external_ref } = await web.server.api.customer('individual');
  await signIn();
  await open('/states', 'States and moves');
  await page.keyboard.press('Control+k');
  const search = page.getByRole('combobox', { name: 'Search' });
  await search.fill(external_ref);
  await page.getByText('1 result', { exact: true }).waitFor();
  await page.getByRole('option', { name: /Customer · / }).waitFor();
  await proveReadable(page, 'portal_find');
  await search.press('Enter');
  await page.getByTitle(id, { exact: true }).first().waitFor();
  await page.getByText('Customer created').first().waitFor();
  await page.getByRole('link', { name: 'Developer', exact: true }).click();
  await page.getByRole('button', { name: 'customer.pending' }).waitFor();
  await open('/record/cus_0', 'cus_0');
  await page.getByRole('alert').getByText('not found').first().waitFor();
  visitor.forgive(/Failed to load resource/);
});

test('a sample event is sent, and its attempt is found among the events', async () => {
  await signIn();
  await open('/sandbox', 'Sandbox');
  await page.getByText('No faults.').waitFor();
  await page.getByLabel('First attempts that fail').fill('50');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Faults are on.').waitFor();
  await page.getByRole('button', { name: 'Turn all off' }).click();
  await page.getByText('No faults.').waitFor();
  await page.getByRole('combobox', { name: 'Type' }).fill('payment.comp');
  await page.getByRole('option', { name: 'payment.completed' }).click();
  await page.getByRole('button', { name: 'Send to the endpoint' }).click();
  await page.getByText('Queued payment.completed').waitFor();
  await page.getByRole('button', { name: 'Forward 1 hour' }).click();
  await page.getByText(/^Ran \d+/).waitFor();
  await open('/events', 'Events');
  await page.getByRole('link', { name: 'payment.completed' }).first().click();
  await page.getByRole('dialog').getByText('Nothing happened to the record').waitFor();
});

test('a client secret is rotated, and somebody is invited and the invitation revoked', async () => {
  await signIn();
  await open('/credentials', 'Credentials');
  await page.getByRole('button', { name: 'Make another secret' }).click();
  await page.getByText(/^cs_/).waitFor();
  await page.getByText(/-d client_id=cl_/).waitFor();
  await page.getByRole('button', { name: 'Copy the client id' }).waitFor();
  await proveReadable(page, 'portal_credentials');
  await page
    .getByRole('button', { name: /^Retire / })
    .first()
    .click();
  await page.getByRole('button', { name: 'Retire the secret' }).click();
  await expect.poll(() => page.getByRole('button', { name: /^Retire / }).count()).toBe(1);
  await open('/team', 'Team');
  await page.getByLabel('Email address').fill('dev@example.com');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByText(/#invitation=tpi_/).waitFor();
  await proveReadable(page, 'portal_team');
  await page.getByRole('button', { name: 'Revoke the invitation of dev@example.com' }).click();
  await proveReadable(page, 'portal_revoke');
  await page.getByRole('button', { name: 'Revoke the invitation', exact: true }).click();
  await page.getByText('revoked').waitFor();
  await open('/audit', 'Audit');
  await page.getByRole('button', { name: 'Revoked an invitation' }).waitFor();
  await addFilter('Act', 'Invite a member');
  await page.getByRole('button', { name: 'Invited a member' }).click();
  await page.getByRole('dialog').getByText('Where it stands in the chain').click();
  await page.getByRole('dialog').getByText('127.0.0.1').waitFor();
});

test('who read a record is shown to the owner', async () => {
  await signIn();
  const { customerId } = await web.server.api.funded('individual', 1_00);
  await openRecord(customerId);
  await open('/access', 'Access');
  await addFilter('Record', customerId);
  const row = page.getByRole('row', { name: /member/ });
  await expect.poll(() => row.count()).toBe(1);
  await proveReadable(page, 'portal_access');
  await row.getByRole('button').first().click();
  await page.getByRole('dialog').getByText('127.0.0.1').waitFor();
});

test('an API key is made, shown once, and revoked', async () => {
  await signIn();
  await open('/api-keys', 'API keys');
  await page.getByLabel('What it is for').fill('Nightly report');
  await page.getByRole('button', { name: 'Make the key' }).click();
  await page.getByText(/^tpk_/).waitFor();
  await proveReadable(page, 'portal_api_keys');
  await page.getByRole('button', { name: 'Revoke Nightly report' }).click();
  await page.getByRole('button', { name: 'Revoke the key' }).click();
  await page.getByText('revoked').waitFor();
});

test('states, an unknown address and a service that is away are told', async () => {
  await signIn();
  await open('/states', 'States and moves');
  await page.getByRole('heading', { level: 2, name: 'Payment', exact: true }).waitFor();
  await open('/nowhere', 'Not found');
  await page.route('**/portal/api/requests*', (route) => route.abort());
  await page.goto(`${web.hosted}/portal/requests`);
  await page.getByRole('alert').getByText('No connection').waitFor();
  await proveReadable(page, 'portal_offline');
  await page.unroute('**/portal/api/requests*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('link', { name: 'POST /v1/payments' }).first().waitFor();
  visitor.forgive(/Failed to load resource/);
});
