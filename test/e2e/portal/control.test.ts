import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyLedger } from '../../../service/invariants/verify.ts';
import { startTestReceiver, type TestReceiver } from '../../kit/http/receiver.ts';
import {
  hostedPathOf,
  page,
  useOneWindow,
  useWeb,
  visitor,
  web,
} from '../../kit/pages/browser/web.ts';
import { portalPerson } from '../../kit/people.ts';
import { addFilter } from '../filters.ts';
import { proveReadable } from '../readable.ts';
import { heading, open, signIn } from './pages.ts';

/** Time, faults, money and settings in the developer portal, with real traffic behind it. */

useWeb();
useOneWindow();

let receiver: TestReceiver;
beforeAll(async () => {
  receiver = await startTestReceiver();
  await web.api.put('/portal/api/webhook-endpoint', { url: receiver.url, enabled: true });
});
afterAll(() => receiver.close());

const button = (name: string | RegExp) => page.getByRole('button', { name });

test('the clock is moved to the next retry, which is then delivered', async () => {
  receiver.answer(500);
  const before = receiver.received.length;
  await web.api.customer('individual');
  await web.api.advance(0);
  await receiver.waitFor(before + 1);
  await signIn();
  await open('/sandbox', 'Sandbox');
  const failed = receiver.received.length;
  receiver.answer(200);
  await page
    .getByRole('region', { name: 'What falls due next' })
    .getByText('sends an event')
    .first()
    .waitFor();
  await button('Next retry').click();
  await page.getByText(/^Ran \d+ jobs? (or|and) attempts?\.$/).waitFor();
  await page
    .getByRole('status')
    .getByText('sends an event to a webhook endpoint')
    .first()
    .waitFor();
  expect(receiver.received.length).toBeGreaterThan(failed);
  const { data } = await web.api.get('/portal/api/events?delivery_status=retrying');
  expect(data).toEqual([]);
});

test('the clock is moved to the end of a month, by keyboard and to any time', async () => {
  await signIn();
  await open('/sandbox', 'Sandbox');
  await button('End of the month').focus();
  await page.keyboard.press('Enter');
  await page.getByText(/^Ran \d+/).waitFor();
  const { now } = await web.api.get('/portal/api/clock');
  expect(now).toMatch(/-01T1[01]:00:/);
  const later = new Date(Date.parse(now) + 86_400_000).toISOString().slice(0, 16);
  await page.getByLabel('Any later time').fill(later);
  await button('Go there').first().click();
  await expect.poll(async () => (await web.api.get('/portal/api/clock')).now > now).toBe(true);
});

test('faults are told on every page until they are turned off there, or end by themselves', async () => {
  await signIn();
  await open('/sandbox', 'Sandbox');
  await page.getByText('No faults.').waitFor();
  await page.getByLabel('Calls that get a 503').fill('100');
  await button('Save').click();
  const banner = page.getByRole('region', { name: 'Faults that are on' });
  await banner.getByText('100 % of the calls get a 503').waitFor();
  await proveReadable(page, 'control_sandbox');
  await open('/states', 'States and moves');
  await banner.getByText(/until /).waitFor();
  await banner.getByRole('button', { name: 'Turn off' }).click();
  await banner.waitFor({ state: 'detached' });
  const { real_now } = await web.api.get('/portal/api/clock');
  const ends_at = new Date(Date.parse(real_now) + 1_000).toISOString();
  await web.api.put('/portal/api/chaos', { api_503: 1, ends_at });
  await expect
    .poll(async () => (await web.api.get('/portal/api/chaos')).api_503, { timeout: 30_000 })
    .toBe(0);
  await open('/sandbox', 'Sandbox');
  await page.getByText('They ended by themselves at').waitFor();
  expect(await banner.count()).toBe(0);
});

test('the mode is switched, and the tables of people, banks and amounts are the own ones of the sandbox', async () => {
  await signIn();
  await open('/sandbox', 'Sandbox');
  await page.getByLabel('Automatic').click();
  await page.getByRole('radio', { name: 'Automatic', checked: true }).waitFor();
  await expect
    .poll(async () => (await web.api.get('/portal/api/settings')).sandbox_mode)
    .toBe('automatic');
  await web.api.settings({ sandbox_mode: 'manual' });
  const magic = await web.api.get('/portal/api/sandbox/magic');
  for (const { public_token } of magic.banks)
    await page.getByRole('cell', { name: public_token }).first().waitFor();
  // This Tenant was made without them.
  const names = magic.people.map(({ name }: { name: string }) => name).join(', ');
  await page.getByText(`The sample people (${names}) are not in this tenant`).waitFor();
  await page.getByRole('cell', { name: 'amount_exceeds_bank_limit' }).waitFor();
});

test('a further tenant is made, its secrets are shown once, and the session goes there', async () => {
  await signIn();
  await open('/sandbox', 'Sandbox');
  await button('New sandbox tenant').click();
  const dialog = page.getByRole('dialog', { name: 'New sandbox tenant' });
  await dialog.getByLabel('Name').fill('Checkout tests');
  await dialog.getByRole('button', { name: 'Make the tenant' }).click();
  await dialog.getByText(/^cs_/).waitFor();
  await dialog.getByText(/^whsec_/).waitFor();
  await proveReadable(page, 'control_new_tenant');
  await page.keyboard.press('Escape');
  await dialog.getByText('Have you saved it? It is not shown again.').waitFor();
  await proveReadable(page, 'control_unsaved_secret');
  await dialog.getByRole('button', { name: 'Not yet' }).click();
  await page.mouse.click(5, 5);
  await dialog.getByText(/^cs_/).waitFor();
  await dialog.getByRole('button', { name: 'switch to Checkout tests' }).click();
  await heading('Home').waitFor();
  await button('Checkout tests').waitFor();
});

test('a reset takes the name typed, leaves a fresh sandbox, and the old ledger is proven', async () => {
  const tenant = await web.server.anotherTenant({ name: 'Worn out', sample: true });
  const api = web.server.apiOf(tenant);
  await api.funded('individual', 75_00);
  await signIn(tenant);
  await open('/sandbox', 'Sandbox');
  await button('Reset this sandbox').click();
  const dialog = page.getByRole('dialog', { name: 'Reset this sandbox' });
  const confirm = dialog.getByRole('button', { name: 'Reset this sandbox' });
  await expect.poll(() => confirm.isDisabled()).toBe(true);
  await proveReadable(page, 'control_reset');
  await dialog.getByLabel('Type Worn out to confirm').fill('Worn out');
  await confirm.click();
  await heading('Home').waitFor();
  await button('Worn out').waitFor();
  await open('/records/customers', 'Customers');
  await expect.poll(() => page.getByRole('row').filter({ hasText: 'cus_' }).count()).toBe(5);
  const { rows } = await web.server.service.pool.query(
    'select tenant_id from tenants where name = $1 order by tenant_id',
    ['Worn out'],
  );
  expect(rows).toHaveLength(2);
  for (const { tenant_id } of rows)
    expect(await verifyLedger(web.server.service.pool, { tenantId: tenant_id })).toMatchObject({
      ok: true,
      violations: [],
    });
});

const brand = "getComputedStyle(document.documentElement).getPropertyValue('--brand').trim()";

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10" onload="top.broken = 1">
  <script>top.broken = 1</script><rect width="20" height="10" rx="3" fill="#7a1f5c"/></svg>`;
const pictureOf = (mimeType: string, text: string) => ({
  name: 'logo',
  mimeType,
  buffer: Buffer.from(text),
});

test('color and logo are judged at once, seen in the preview, and then on the real hosted page', async () => {
  await signIn();
  await open('/settings', 'Settings');
  const preview = page.frameLocator('iframe[title="Preview of a hosted page"]');
  await preview.getByRole('heading', { level: 1, name: 'Confirm payment' }).waitFor();
  await page.getByLabel('Color', { exact: true }).fill('#ffd400');
  await page.getByText('Too light to be read').waitFor();
  await button('Save branding').click();
  await page.getByText('This color is too light to be read on white.').waitFor();
  await page.getByLabel('Color', { exact: true }).fill('#7a1f5c');
  await page.getByText('Readable').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Harbor Coffee');
  await preview.getByText('Harbor Coffee').waitFor();
  const inPreview = (expression: string) =>
    page
      .frames()
      .find((frame) => frame.url().includes('/hosted/preview'))
      ?.evaluate(expression);
  await expect.poll(() => inPreview(brand)).toBe('#7a1f5c');
  await page.getByText('Español').click();
  await preview.getByRole('heading', { level: 1, name: 'Confirmar el pago' }).waitFor();
  const surface = () => inPreview('getComputedStyle(document.body).color');
  const light = await surface();
  await page.getByText('Dark', { exact: true }).click();
  await expect.poll(surface).not.toBe(light);
  await page.getByLabel('Logo file').setInputFiles(pictureOf('text/plain', 'no picture'));
  await page.getByText('This file is no picture, or too large a one.').waitFor();
  await page.getByLabel('Logo file').setInputFiles(pictureOf('image/svg+xml', logo));
  await page.getByRole('img', { name: 'The logo' }).waitFor();
  const drawn = "document.querySelector('.logo')?.naturalWidth";
  await expect.poll(() => inPreview(drawn)).toBe(512);
  await proveReadable(page, 'control_settings');
  await button('Save branding').click();
  await expect
    .poll(async () => (await web.api.get('/portal/api/settings')).branding)
    .toMatchObject({ name: 'Harbor Coffee', primary_color: '#7a1f5c' });
  const person = await web.api.banked('individual');
  const path = hostedPathOf(web.server.tenant);
  await expect
    .poll(async () => (await fetch(`${web.hosted}${path}`)).text(), { timeout: 30_000 })
    .toContain('#7a1f5c');
  const { token } = await web.newLoad(person);
  await page.goto(`${web.hosted}${path}#${token}`);
  await page.getByText('Harbor Coffee').first().waitFor();
  expect(await page.evaluate(brand)).toBe('#7a1f5c');
  await expect.poll(() => page.evaluate(drawn)).toBe(512);
  await page.getByText('Secure payment').waitFor();
});

test('the preview takes the focus neither when it opens nor when it changes', async () => {
  await signIn();
  const settings = await visitor.context.newPage();
  await settings.addInitScript({ content: "addEventListener('blur', () => { blurred = true; })" });
  await settings.goto(`${web.hosted}/portal/settings`);
  const preview = settings.frameLocator('iframe[title="Preview of a hosted page"]');
  await preview.getByText('Confirm payment').waitFor();
  await settings.getByText('Español').click();
  await preview.getByText('Confirmar el pago').waitFor();
  expect(await settings.evaluate('typeof blurred')).toBe('undefined');
});

test('an address that is refused says why at its field, and a right one is saved', async () => {
  await signIn();
  await open('/settings', 'Settings');
  await button('Add to return addresses').click();
  const added = page.getByLabel(/^Return addresses \d$/).last();
  await added.fill('http://shop.example/done');
  await button('Save return addresses').click();
  await page.getByText(/^An address of this kind is not allowed\. Expected: https/).waitFor();
  await added.fill('https://shop.example/done');
  await button('Save return addresses').click();
  await expect
    .poll(async () => (await web.api.get('/portal/api/settings')).return_urls)
    .toContain('https://shop.example/done');
  // Told once the history is read anew: its first row is this change.
  await page.getByText('Saved.', { exact: true }).waitFor();
  await page
    .getByRole('region', { name: 'Changes of settings' })
    .getByRole('button')
    .first()
    .click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('Before').waitFor();
  await drawer.getByRole('cell', { name: 'https://shop.example/done' }).waitFor();
});

test('a fee of the own is added and removed, and what the platform sets is shown alone', async () => {
  await signIn();
  await open('/settings', 'Settings');
  await button('Add a fee').click();
  await page.getByLabel('Share of fee 1').fill('1.25');
  await page.getByLabel('Fixed amount of fee 1').fill('0.10');
  await button('Save your fees').click();
  const own = async () =>
    (await web.api.get('/portal/api/settings')).fees.filter(
      ({ type }: { type: string }) => type === 'tenant',
    );
  await expect.poll(own).toMatchObject([{ basis_points: 125, fixed: 10, paid_by: 'payee' }]);
  await button('Remove fee 1').click();
  await button('Save your fees').click();
  await expect.poll(own).toEqual([]);
  await page.getByRole('cell', { name: 'Limit of one load' }).waitFor();
  await page.getByText('Only an admin of the platform changes these.').waitFor();
});

test('entries are filtered by account, pocket and day, which the address keeps, and lead to their record', async () => {
  const { accountId } = await web.api.funded('individual', 42_00);
  await web.api.funded('individual', 7_00);
  await signIn();
  await open('/ledger', 'Ledger');
  await addFilter('Account', accountId);
  await page.waitForURL(/account_id=acct_/);
  await expect
    .poll(() => page.getByRole('row').filter({ hasText: 'load settled' }).count())
    .toBe(1);
  await page.getByRole('cell', { name: '$42.00' }).first().waitFor();
  await page.reload();
  await expect
    .poll(() => page.getByRole('row').filter({ hasText: 'load settled' }).count())
    .toBe(1);
  await addFilter('From', '2031-01-01T00:00');
  await page.getByText('No entries match these filters').waitFor();
  await button('Clear all').click();
  await page.locator('a[title^="load_"]').first().click();
  await page.waitForURL(/record.load_[0-9a-f]{32}$/);
  await page.getByRole('heading', { level: 1, name: /^\$7.00 · / }).waitFor();
});

test('the ledger is proven step by step in sight', async () => {
  await signIn();
  await open('/ledger', 'Ledger');
  await button('Check the ledger').click();
  await page.getByText(/^All [\d,]+ rows agree/).waitFor();
  await proveReadable(page, 'control_proof');
});

test('a day of the calendar is opened by keyboard, ties to the ledger, and gives its file', async () => {
  await web.api.funded('individual', 19_00);
  const { now } = await web.api.get('/portal/api/clock');
  await web.api.advance(2 * 86_400);
  const { data } = await web.api.get('/portal/api/reconciliation-reports');
  const worked = data.find(({ postings_count }: { postings_count: number }) => postings_count > 0);
  expect(Date.parse(worked.date)).toBeGreaterThan(Date.parse(now) - 3 * 86_400_000);
  await signIn();
  await open(`/reconciliation?month=${worked.date.slice(0, 7)}`, 'Reconciliation');
  const day = page.getByRole('link', { name: /posting/ });
  await day.first().waitFor();
  await proveReadable(page, 'control_calendar');
  const last = await day.last().getAttribute('aria-label');
  await day.last().focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowRight');
  const focused = page.locator('a:focus');
  await expect.poll(() => focused.getAttribute('aria-label')).toBe(last);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Back to the month' }).click();
  await day.first().waitFor();
  await page.goto(`${web.hosted}/portal/reconciliation/${worked.date}`);
  await page.getByText('The report ties to the ledger to the cent.').waitFor();
  await proveReadable(page, 'control_day');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download the CSV' }).click(),
  ]);
  const text = await readFile(await download.path(), 'utf8');
  expect(text).toMatch(/^posting_id,/);
  expect(text).toContain(worked.date);
});

test('acts are filtered in the address, and those that are shown are the file', async () => {
  await web.api.put('/portal/api/chaos', { duplicate: 0 });
  await signIn();
  await open('/audit?act=putChaos', 'Audit');
  const row = page
    .getByRole('region', { name: 'Acts' })
    .getByRole('button', { name: 'Set the faults of the sandbox' })
    .first();
  await row.click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Only by the same' }).click();
  await page.waitForURL(/actor=cl_/);
  await drawer.waitFor({ state: 'detached' });
  await row.waitFor();
  await proveReadable(page, 'control_audit');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const [names = '', ...rows] = (await readFile(await download.path(), 'utf8')).trim().split('\n');
  expect(names).toMatch(/^number,at,actor_kind/);
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expect(row).toContain('putChaos');
  await addFilter('From', '2031-01-01T00:00');
  await page
    .getByText('No act “Set the faults of the sandbox” by this person in this time')
    .waitFor();
});

test('the roles of a member are changed, the sessions ended, and the member removed', async () => {
  const { tenantId } = web.server.tenant;
  const person = await portalPerson(web.server, tenantId, ['reader']);
  await signIn();
  await open('/team', 'Team');
  await button(`Change the roles of ${person.email}`).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: 'finance' }).check();
  await dialog.getByRole('button', { name: 'Save roles' }).click();
  await page.getByRole('row').filter({ hasText: person.email }).getByText('finance').waitFor();
  await person.signIn();
  await button(`End the sessions of ${person.email}`).click();
  await page.getByText(/^Ended \d+ session/).waitFor();
  expect((await person.ask('GET', '/session')).status).toBe(401);
  await button(`Remove ${person.email}`).click();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await button(`Remove ${person.email}`).waitFor({ state: 'detached' });
});

test('a team that has invited nobody is told so, until the first invitation is listed', async () => {
  const tenant = await web.server.anotherTenant({ name: 'New team' });
  await signIn(tenant);
  await open('/team', 'Team');
  const none = page.getByText('Nobody was invited in the last 30 days.');
  await none.waitFor();
  await page.getByLabel('Email address').fill('first@shop.example');
  await button('Invite').click();
  await page.getByRole('cell', { name: 'first@shop.example', exact: true }).waitFor();
  expect(await none.count()).toBe(0);
});

test('a client secret shows when it was last used', async () => {
  await signIn();
  await open('/credentials', 'Credentials');
  await page.getByRole('columnheader', { name: 'Last used' }).waitFor();
  await expect
    .poll(() => page.getByRole('row').filter({ hasText: 'cred_' }).locator('time').count())
    .toBe(2);
});
