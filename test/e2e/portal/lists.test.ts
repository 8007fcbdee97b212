import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { openInside } from '../../kit/pages/browser/application.ts';
import { page, useOneWindow, useWeb, web } from '../../kit/pages/browser/web.ts';
import { addFilter } from '../filters.ts';
import { pagesOf, proveFits, settled } from '../list_widths.ts';
import { proveReadable } from '../readable.ts';
import { open, signIn } from './pages.ts';

/** The portal's lists as such: how they take the place that they have. */

useWeb();
useOneWindow();

beforeAll(async () => {
  const { api } = web;
  const ana = await api.funded('individual', 1_234_56);
  const shop = await api.banked('business');
  const payment = await api.confirmed(
    api.pay(ana, shop, 987_65, { order_reference: `order-${'7'.repeat(50)}` }),
  );
  await api.pay(ana, shop, 1_00);
  await api.refund(payment, 10_00);
  await api.withdraw(ana, 5_00);
  await api.request(shop, 18_50);
  await api.dispute(ana, { payment_id: payment.id });
  await api.advance(2 * 86_400);
  await api.simulate('statement.available', ana.accountId);
  await web.server.service.requestLog.flush();
});

test('no list of the portal is wider than its frame, and none cuts a time, at any width', async () => {
  await signIn();
  await openInside(page, `${web.hosted}/portal`);
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

test('on a phone a row is a card with every fact, which opens its record', async () => {
  await signIn();
  await page.setViewportSize({ width: 390, height: 844 });
  await open('/records/payments', 'Payments');
  const card = page.getByRole('row').filter({ hasText: '$987.65' });
  for (const fact of ['completed', 'From balance', 'Order order-7777'])
    await card.getByText(fact, { exact: false }).first().waitFor();
  await card.locator('time').waitFor();
  // Anywhere on the card, not on the name alone.
  await card.click({ position: { x: 200, y: 60 } });
  await page.waitForURL(/\/record\/pay_/);
});

test('what has no column of its own stands in the second line, and a whole row is a true link', async () => {
  await signIn();
  await page.setViewportSize({ width: 1_024, height: 800 });
  await open('/records/payments', 'Payments');
  const row = page.getByRole('row').filter({ hasText: '$987.65' });
  await row.locator('.folded').getByText('From').waitFor();
  expect(await page.getByRole('columnheader', { name: 'From' }).count()).toBe(0);
  await page.setViewportSize({ width: 1_440, height: 800 });
  await page.getByRole('columnheader', { name: 'From' }).waitFor();
  const beside = page.context().waitForEvent('page');
  await row.click({ modifiers: ['ControlOrMeta'], position: { x: 700, y: 20 } });
  const other = await beside;
  await other.waitForURL(/\/record\/pay_/);
  await other.close();
  await open('/events', 'Events');
  const event = page.getByRole('link', { name: 'payment.completed' }).first();
  expect(await event.getAttribute('href')).toMatch(/\/portal\/events\?open=evt_/);
});

test('a list is turned around, its columns are chosen, and a view keeps both with its filters', async () => {
  await signIn();
  await page.setViewportSize({ width: 1_440, height: 800 });
  await open('/records/payments', 'Payments');
  const first = () => page.locator('tbody tr[aria-rowindex="1"]');
  await first().getByText('$1.00').waitFor();
  await page.getByRole('button', { name: /newest first/ }).click();
  await first().getByText('$987.65').waitFor();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitem', { name: 'Hide Refunded' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('columnheader', { name: 'Refunded' }).waitFor({ state: 'detached' });
  await addFilter('State', 'completed');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save this view…' }).click();
  await page.getByLabel('Name of the view').fill('Done, oldest first');
  await page.keyboard.press('Enter');
  await open('/records/payments', 'Payments');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitem', { name: 'Show Refunded' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('columnheader', { name: 'Refunded' }).waitFor();
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Done, oldest first', exact: true }).click();
  await page.waitForURL(/status=completed/);
  await page.getByRole('columnheader', { name: 'Refunded' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /oldest first/ }).waitFor();
  const file = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const text = await readFile(await (await file).path(), 'utf8');
  expect(text.split('\r\n')[1]).toContain(',987.65,completed,');
  await proveReadable(page, 'records_view');
});

test.each([
  ['/requests', 'Requests', 'Path begins with', '/v1/payments', 'POST,/v1/payments,201,'],
  ['/events', 'Events', 'Type', 'payment.completed', 'payment.completed,pay_'],
  ['/ledger', 'Ledger', 'Pocket', 'available', ',available,'],
  ['/audit', 'Audit', 'Outcome', 'Done', ',done,'],
])(
  'the list at %s is turned around, and downloaded as it is filtered',
  async (path, title, filter, value, cell) => {
    await signIn();
    await page.setViewportSize({ width: 1_440, height: 800 });
    await open(path, title);
    await page.getByRole('button', { name: /newest first/ }).click();
    await page.waitForURL(/order=oldest/);
    await page.getByRole('button', { name: /oldest first/ }).waitFor();
    await addFilter(filter, value);
    await page.getByText(/^(All [\d,]+ that match are shown|Nothing else matches)$/).waitFor();
    const file = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const lines = (await readFile(await (await file).path(), 'utf8')).trim().split('\r\n');
    const rows = await page.locator('[aria-rowcount]').getAttribute('aria-rowcount');
    expect(lines).toHaveLength(Number(rows) + 1);
    for (const line of lines.slice(1)) expect(line).toContain(cell);
  },
);
