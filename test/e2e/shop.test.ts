import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, visit } from './browser.ts';
import { confirmByPin, openShopStage, type ShopStage, shopPage } from './shop_stage.ts';

let stage: ShopStage;
let browser: Browser;
beforeAll(async () => {
  [stage, browser] = await Promise.all([openShopStage(), launchBrowser()]);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  expect(await stage?.sandbox.stop()).toBe(0);
});

const pin = '284617';
const wide = { viewport: { width: 1440, height: 1000 } };

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

test('the tour: paid once through duplicates, chaos and an outage, refunded, and the book sums to zero', async () => {
  const { page, end } = await visit(browser, wide);
  const { tour, till, inspector, press } = shopPage(page);
  await page.goto(stage.shopUrl);
  await tour.getByRole('button', { name: 'Take the 90-second tour' }).click();

  await press('Ring up a flat white');
  await till.getByRole('img', { name: /QR code for order 1001/ }).waitFor();
  await tour.getByRole('button', { name: 'Pay on the phone' }).click();
  const hosted = await page.waitForSelector('iframe');
  const { origin } = new URL((await hosted.getAttribute('src')) ?? '');
  expect(origin).toBe(stage.sandbox.facts.base_url);
  expect(origin).not.toBe(new URL(page.url()).origin);
  await confirmByPin(shopPage(page).hosted, pin);
  await till.getByText('Net to the shop').waitFor();
  expect(await till.textContent()).toContain('$4.18');

  expect(await press('Send it again')).toContain('ignored');
  await inspector.getByText('duplicate').first().waitFor();
  await press('Turn chaos on');
  expect(await press('Ring up and pay', pin)).toContain('one order and 1 coffee');
  await press('Stop the handler');
  await press('Ring up and pay', pin);
  expect(await till.getByRole('status').textContent()).toContain('1003 is waiting');
  await press('Start it and move the clock');
  await till.getByText('Handed out').waitFor();
  expect(await till.getByRole('status').textContent()).toContain('1003 is paid');
  expect(await press('Refund $4.20', pin)).toContain('Back with Ana');
  expect(await press('Prove the book')).toContain('sums to zero');
  expect(await tour.getByRole('row', { name: /^Sum/ }).textContent()).toBe('Sum$0.00');

  const paid = await all(stage.client.webhookEvents.list.each({ type: 'payment.completed' }));
  const orders = paid.map(({ data }) => data.object).filter((each) => 'order_reference' in each);
  expect(
    orders.filter(({ order_reference }) => /^order-\d+$/.test(order_reference ?? '')),
  ).toHaveLength(3);
  const refunds = await all(stage.client.webhookEvents.list.each({ type: 'refund.completed' }));
  expect(refunds).toHaveLength(1);
  await end();
}, 40_000);

test('nothing that the shop shows holds a secret', async () => {
  const { page, end } = await visit(browser, wide);
  const { inspector } = shopPage(page);
  const { client_secret, webhook_secret } = stage.sandbox.facts;
  const stream = await fetch(`${stage.shopUrl}/api/stream`);
  const reader = stream.body?.getReader();
  let text = '';
  while (!text.includes('\n\n'))
    text += new TextDecoder().decode((await reader?.read())?.value, { stream: true });
  await reader?.cancel();
  expect(text).toContain('client.payments.create');
  for (const secret of [client_secret, webhook_secret]) expect(text).not.toContain(secret);
  expect(text).not.toMatch(/(tok|st|rt|link-sandbox)_[\w-]{20}/);

  await page.goto(stage.shopUrl);
  await inspector.getByRole('tab', { name: 'Play' }).click();
  await inspector.getByRole('button', { name: 'Send a forged event' }).click();
  await inspector.getByRole('tab', { name: /Events/ }).click();
  await inspector.getByText('refused').first().waitFor();
  await end();
}, 20_000);

test('a page of another site cannot have the shop do anything', async () => {
  const forged = await fetch(`${stage.shopUrl}/api/down`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', origin: 'https://evil.example' },
    body: '{"id":"down"}',
  });
  expect(forged.status).toBe(404);
  const asked = await fetch(`${stage.shopUrl}/api/down`, {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
  });
  expect(asked.headers.get('access-control-allow-origin')).toBeNull();
});

async function violationsOf(page: Page, rules?: string[]): Promise<unknown[]> {
  const axe = new AxeBuilder({ page });
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}

test.each(['light', 'dark'] as const)(
  'axe finds nothing on any part of the shop: %s',
  async (colorScheme) => {
    const { page, end } = await visit(browser, { ...wide, colorScheme });
    await page.goto(stage.shopUrl);
    const { till, phone, inspector } = shopPage(page);
    await phone.getByText('Available').waitFor();
    const tills = ['Sell', 'Orders', 'Counter', 'Day', 'Supplier'];
    const inspectors = ['Events', 'API calls', 'Play', 'Events', 'Events'];
    for (const [at, name] of tills.entries()) {
      await till.getByRole('tab', { name }).click();
      await inspector.getByRole('tab', { name: inspectors[at] ?? '' }).click();
      expect(await violationsOf(page), name).toEqual([]);
    }
    await end();
  },
);

test('at 320 pixels each part stands behind a tab, and nothing is wider than the screen', async () => {
  const { page, end } = await visit(browser, { viewport: { width: 320, height: 640 } });
  await page.goto(stage.shopUrl);
  const columns = page.getByRole('tablist', { name: 'column' });
  await columns.getByRole('tab', { name: 'Till' }).focus();
  for (const name of ['Till', 'Phone', 'Inspector']) {
    await page.getByRole('region', { name }).waitFor();
    expect(await violationsOf(page), name).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    await page.keyboard.press('ArrowRight');
  }
  await end();
});
