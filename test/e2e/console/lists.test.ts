import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { openInside } from '../../kit/pages/browser/application.ts';
import { page, useOneWindow, useWeb, web } from '../../kit/pages/browser/web.ts';
import { addFilter } from '../filters.ts';
import { pagesOf, proveFits, settled } from '../list_widths.ts';
import { proveReadable } from '../readable.ts';
import { colleague, newTenant, open, signInAsStaff } from './pages.ts';

/** The console's lists as such: how they take the place that they have. */

useWeb();
useOneWindow();

test('no list of the console is wider than its frame, and none cuts a time, at any width', async () => {
  const { api } = await newTenant('The Long Name of a Market Company of the Pacific Northwest');
  const ana = await api.funded('individual', 1_234_56);
  const shop = await api.banked('business');
  const payment = await api.confirmed(api.pay(ana, shop, 987_65));
  await api.dispute(ana, { payment_id: payment.id });
  const held = await api.applied('individual', { email: `${'long'.repeat(12)}@example.com` });
  await api.simulate('customer.in_review', held.id);
  await signInAsStaff();
  await openInside(page, `${web.hosted}/console`);
  await page.getByRole('navigation').getByRole('link').first().waitFor();
  const pages = await pagesOf(page);
  expect(pages.length).toBeGreaterThan(12);
  for (const [path, name] of pages) {
    await page.setViewportSize({ width: 1_440, height: 900 });
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await settled(page);
    await proveFits(page, name);
  }
});

beforeAll(async () => {
  const { api } = await newTenant('File Market');
  const held = await api.applied('individual', { email: 'file@example.com' });
  await api.simulate('customer.in_review', held.id);
  await api.settings({ refund_window_days: 20 });
});

test.each([
  ['/desk', 'Review desk', 'Tenant', 'File Market', /^File Market,customers,file@example.com,/],
  ['/tenants', 'Tenants', 'Name or id', 'file mark', /^File Market,active,0,0.00,/],
  ['/audit', 'Audit', 'Act', 'Change the settings', /,putSettings,/],
] as const)(
  'the list at %s is downloaded as it is filtered, of all Tenants at once',
  async (path, title, filter, value, row) => {
    await signInAsStaff();
    await page.setViewportSize({ width: 1_440, height: 900 });
    await open(path, title);
    await addFilter(filter, value);
    await page.getByRole('button', { name: new RegExp(`^${filter}: `) }).waitFor();
    const file = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const [, ...lines] = (await readFile(await (await file).path(), 'utf8')).trim().split('\r\n');
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(row);
  },
);

test('a file with names asks for the passkey first; without it the refusal is shown, and nothing is saved', async () => {
  const { page: own, person, ...maria } = await colleague('reviewer');
  maria.forgive(/Failed to load resource/);
  const button = (name: string) => own.getByRole('button', { name, exact: true });
  const dialog = own.getByRole('dialog', { name: 'Confirm that it is you' });
  await open('/desk', 'Review desk', own);
  await web.server.owner.query(
    'update control.sessions set stepped_up_at = null where person_id = $1',
    [person.id],
  );
  const saved: string[] = [];
  own.on('download', (file) => saved.push(file.suggestedFilename()));
  await button('Download CSV').click();
  await dialog.waitFor();
  await proveReadable(own, 'console_file_step_up');
  await button('Cancel').click();
  await own.getByRole('alert').getByText('Step up required', { exact: true }).waitFor();
  await proveReadable(own, 'console_file_refused');
  expect(saved).toEqual([]);
  const file = own.waitForEvent('download');
  await button('Download CSV').click();
  await button('Use your passkey').click();
  expect(await readFile(await (await file).path(), 'utf8')).toContain('file@example.com');
  await own.getByRole('alert').waitFor({ state: 'detached' });
  expect(saved).toEqual(['desk.csv']);
  await maria.end();
});

test('a Tenant is picked by its name, also where another is called so and more', async () => {
  const { tenantId } = await newTenant('Twin');
  await newTenant('Twin Peaks');
  await signInAsStaff();
  await open('/audit', 'Audit');
  await addFilter('Tenant', 'Twin');
  await page.waitForURL(new RegExp(`tenant=${tenantId}`));
  await page.getByRole('button', { name: 'Tenant: Twin', exact: true }).click();
  await page.getByLabel('Tenant', { exact: true }).fill('the plat');
  await page.getByText('Press Enter for The platform').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Tenant: The platform', exact: true }).waitFor();
});
