import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { visit } from '../../kit/pages/browser/browser.ts';
import { axeViolations, colorRules } from '../axe.ts';
import { confirmByPin, openShop, samplePin as pin, shopPage, wide } from './shop.ts';

const { facts, shopUrl, browser, client } = await openShop();

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

test('the tour: paid once through duplicates, chaos and an outage, refunded, and the ledger sums to zero', async () => {
  const { page, end } = await visit(browser, wide);
  const { tour, till, inspector, press } = shopPage(page);
  // On a phone the step leaves its code in front until the reader goes on.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(shopUrl);
  await tour.getByRole('button', { name: 'Take the 90-second tour' }).click();

  await press('Ring up a flat white');
  await tour.getByRole('button', { name: 'Pay on the phone' }).waitFor();
  await till.getByRole('img', { name: /QR code for order 1001/ }).waitFor();
  await page.setViewportSize(wide.viewport);
  await tour.getByRole('button', { name: 'Pay on the phone' }).click();
  const hosted = await page.waitForSelector('iframe');
  const { origin } = new URL((await hosted.getAttribute('src')) ?? '');
  expect(origin).toBe(facts.base_url);
  expect(origin).not.toBe(new URL(page.url()).origin);
  await shopPage(page).hosted.getByText('Secure payment').waitFor();
  await shopPage(page).hosted.getByText('Corner Shop', { exact: true }).waitFor();
  const logo = shopPage(page).hosted.locator('.logo');
  await expect.poll(() => logo.evaluate((shown) => Object(shown).naturalWidth)).toBe(128);
  await confirmByPin(shopPage(page).hosted, pin);
  await till.getByText('Net to the shop').waitFor();
  await expect.poll(() => till.textContent()).toContain('$4.18');

  expect(await press('Send it again')).toContain('ignored');
  await inspector.getByText('duplicate').first().waitFor();
  await press('Turn chaos on');
  expect(await press('Ring up and pay', pin)).toContain('one order and 1 coffee');
  await press('Stop the handler');
  await press('Ring up and pay', pin);
  const status = () => till.getByRole('status').textContent();
  await expect.poll(status).toContain('1003 is waiting');
  await press('Start it and move the clock');
  await till.getByText('Handed out').waitFor();
  await expect.poll(status).toContain('1003 is paid');
  expect(await press('Refund $4.20', pin)).toContain('Back with Ana');
  expect(await press('Check the ledger')).toContain('sums to zero');
  await expect.poll(() => tour.getByRole('row', { name: /^Sum/ }).textContent()).toBe('Sum$0.00');

  const paid = await all(client.webhookEvents.list({ type: 'payment.completed' }));
  const orders = paid.map(({ data }) => data.object).filter((each) => 'order_reference' in each);
  expect(
    orders.filter(({ order_reference }) => /^order-\d+$/.test(order_reference ?? '')),
  ).toHaveLength(3);
  const refunds = await all(client.webhookEvents.list({ type: 'refund.completed' }));
  expect(refunds).toHaveLength(1);
  await end();
});

test('nothing that the shop shows holds a secret', async () => {
  const { page, end } = await visit(browser, wide);
  const { inspector } = shopPage(page);
  const { client_secret, webhook_secret } = facts;
  const stream = await fetch(`${shopUrl}/api/stream`);
  const reader = stream.body?.getReader();
  let text = '';
  while (!text.includes('\n\n'))
    text += new TextDecoder().decode((await reader?.read())?.value, { stream: true });
  await reader?.cancel();
  expect(text).toContain('client.payments.create');
  for (const secret of [client_secret, webhook_secret]) expect(text).not.toContain(secret);
  expect(text).not.toMatch(/(tok|st|rt|link-sandbox)_[\w-]{20}/);

  await page.goto(shopUrl);
  await inspector.getByRole('tab', { name: 'Play' }).click();
  await inspector.getByRole('button', { name: 'Send a forged event' }).click();
  await inspector.getByRole('tab', { name: /Events/ }).click();
  await inspector.getByText('refused').first().waitFor();
  await end();
});

test('a page of another site cannot have the shop do anything', async () => {
  const forged = await fetch(`${shopUrl}/api/down`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', origin: 'https://evil.example' },
    body: '{"id":"down"}',
  });
  expect(forged.status).toBe(415);
  // Without a body a request needs no type, and is not asked about beforehand.
  const bare = await fetch(`${shopUrl}/api/publish`, { method: 'POST' });
  expect(bare.ok).toBe(false);
  const asked = await fetch(`${shopUrl}/api/down`, {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
  });
  expect(asked.headers.get('access-control-allow-origin')).toBeNull();
});

test('a code is pasted as well as scanned, and one that cannot be paid says why', async () => {
  const { page, context, end } = await visit(browser, wide);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { till, phone, hosted } = shopPage(page);
  const press = (where: Locator, name: string) =>
    where.getByRole('button', { name, exact: true }).click();
  await page.goto(shopUrl);
  await press(phone, 'Pay');
  await phone.getByText('Paste a code').click();
  const field = phone.getByLabel('Code', { exact: true });
  const pay = phone.getByRole('button', { name: 'Pay this code' });
  const paste = async (change = (code: string) => code) => {
    await till.getByRole('button', { name: 'Copy the code' }).click();
    await till.getByText('Copied').waitFor();
    await field.fill('');
    await field.press('ControlOrMeta+V');
    // The clipboard belongs to another process: what is pasted comes a little later.
    await expect.poll(() => field.inputValue()).toMatch(/^tps1\./);
    await field.fill(change(await field.inputValue()));
  };
  await field.fill('4.20 please');
  await phone.getByText('Payment codes begin with tps1.').waitFor();
  await expect.poll(() => pay.isDisabled()).toBe(true);

  await till.getByRole('button', { name: /^Espresso/ }).click();
  await press(till, 'Charge $2.80');
  await paste((code) => code.slice(0, -9));
  await phone.getByText('A part of the code is missing.').waitFor();
  await field.fill(
    (await page.evaluate<string>('navigator.clipboard.readText()')).replace(/.{9}$/, 'AAAAAAAAA'),
  );
  await pay.click();
  await phone.getByText('This code is not genuine').waitFor();
  await press(till, 'Cancel the order');
  await till.getByText('Its code can no longer be paid.').waitFor();
  await field.fill(await page.evaluate<string>('navigator.clipboard.readText()'));
  await pay.click();
  await phone.getByText('The shop has canceled this code.').waitFor();
  await press(till, 'Make a new code');
  await paste((code) => `Your code:\n${code.slice(0, 60)}\n${code.slice(60)} thanks`);
  await pay.click();
  await confirmByPin(hosted, pin);
  await till.getByText('Net to the shop').waitFor();

  await till.getByRole('tab', { name: 'Counter' }).click();
  await till.getByRole('img', { name: 'QR code of the counter' }).waitFor();
  await press(phone, 'Pay');
  await phone.getByText('Paste a code').click();
  await paste();
  await expect.poll(() => pay.isDisabled()).toBe(true);
  await phone.locator('#pasted-amount').fill('3.30');
  await pay.click();
  await confirmByPin(hosted, pin);
  await till.getByRole('tab', { name: 'Orders' }).click();
  await till.getByText('1 At the counter').waitFor();
  await end();
});

test('the counter’s code is printed alone, and the phone stands in a window of its own', async () => {
  const { page, context, end } = await visit(browser, wide);
  const { till, phone } = shopPage(page);
  await page.goto(shopUrl);
  await till.getByRole('tab', { name: 'Counter' }).click();
  const code = till.getByRole('img', { name: 'QR code of the counter' });
  await code.waitFor();
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.poster .qr').isVisible()).toBe(true);
  for (const hidden of ['h1', '.device-head', '.phone', '.inspector'])
    expect(await page.locator(hidden).first().isVisible()).toBe(false);
  const [second] = await Promise.all([
    context.waitForEvent('page'),
    page
      .emulateMedia({ media: 'screen' })
      .then(() => phone.getByRole('button', { name: 'Open it in its own window' }).click()),
  ]);
  await second.getByText('Available').waitFor();
  expect(await shopPage(second).till.count()).toBe(0);
  expect(await violationsOf(second)).toEqual([]);
  await end();
});

test('an event shows the handler that ran, and both ids are found in the portal', async () => {
  const { page, end } = await visit(browser, wide);
  const { inspector } = shopPage(page);
  await page.goto(shopUrl);
  const shown = inspector.locator('details', { hasText: /payment\.completed.*handled/ }).first();
  await shown.locator('summary').click();
  const where = await shown.locator('figcaption').textContent();
  const [path = '', line] = (where ?? '').split(':');
  const source = (
    await readFile(new URL(`../../../examples/corner-shop/${path}`, import.meta.url), 'utf8')
  ).split('\n');
  expect(source[Number(line) - 1]).toContain('function handOut(');
  await shown.getByRole('button', { name: 'Find its deliveries in the portal' }).click();
  await shown.getByText('"response_status": 200').first().waitFor();

  await inspector.getByRole('tab', { name: /API calls/ }).click();
  const call = inspector.locator('details', { hasText: '/v1/payments' }).first();
  await call.locator('summary').click();
  await call.getByText('client.payments.create').waitFor();
  await call.getByText(/curl -X POST/).waitFor();
  await call.getByRole('button', { name: 'Find it in the portal’s log' }).click();
  await call.getByText('"path": "/v1/payments"').waitFor();
  await end();
});

async function violationsOf(page: Page, rules?: typeof colorRules): Promise<unknown[]> {
  const violations = await axeViolations(page, rules);
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}

test('the shop is set in the typeface of all pages, which it serves itself', async () => {
  const { page, end } = await visit(browser, wide);
  await page.goto(shopUrl);
  await shopPage(page).till.waitFor();
  const faces = await page.evaluate(
    'document.fonts.ready.then(() => [...document.fonts].filter(({ status }) => status === "loaded").map(({ family }) => family))',
  );
  expect(faces).toEqual(expect.arrayContaining([expect.stringMatching(/Inter/)]));
  const asked = await page.evaluate(
    'performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => name.endsWith(".woff2"))',
  );
  expect(asked).toContain(new URL('/shop/assets/inter-latin-wght-normal.woff2', shopUrl).href);
  await end();
});

test('axe finds nothing on any part of the shop, nor a pale color in the dark', async () => {
  const { page, end } = await visit(browser, { ...wide, reducedMotion: 'reduce' });
  await page.goto(shopUrl);
  const { till, phone, inspector } = shopPage(page);
  const unfold = (name: string) => inspector.getByText(name).first().click();
  /**
   * A tab of the till, a screen of the phone, a tab of the inspector and an entry to unfold there.
   */
  const states = [
    ['Sell', 'Add money', 'Events', 'payment.completed'],
    ['Orders', 'Withdraw', 'API calls', '/v1/payments'],
    ['Counter', 'More', 'Play', 'Clock'],
    ['Day', 'Payment', 'Play', 'Clock'],
    ['Supplier', 'Pay', 'Events', 'refund.completed'],
  ] as const;
  for (const [tab, screen, part, entry] of states) {
    await till.getByRole('tab', { name: tab }).click();
    await phone.getByRole('button', { name: screen }).first().click();
    if (screen === 'Pay') {
      await phone.getByText('Paste a code').click();
      await phone.getByLabel('Code', { exact: true }).fill('no code');
    }
    await inspector.getByRole('tab', { name: part }).click();
    await unfold(entry);
    expect(await violationsOf(page), tab).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violationsOf(page, colorRules), `${tab} dark`).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    await phone.getByRole('button', { name: 'Back to the wallet' }).click();
  }
  await end();
});

/** Controls that are shown and lower than a thumb needs, 44 CSS pixels. */
const lowTargets = `[...document.querySelectorAll(
    'button, summary, textarea, input:not([type=radio], [type=checkbox]), .check, :is(.people, .segments) span')]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 44)
  .map((one) => one.outerHTML.slice(0, 80))`;

test('at 320 pixels each part stands behind a tab, in both languages, and fits screen and thumb', async () => {
  const viewport = { width: 320, height: 640 };
  const { page, end } = await visit(browser, { viewport, colorScheme: 'dark' });
  await page.goto(shopUrl);
  const languages = {
    English: ['Till', 'Phone', 'Inspector'],
    Español: ['Caja', 'Teléfono', 'Inspector'],
  };
  for (const [language, names] of Object.entries(languages)) {
    await page.getByText(language, { exact: true }).click();
    for (const name of names) {
      await page.getByRole('tab', { name, exact: true }).first().click();
      await page.getByRole('region', { name }).waitFor();
      if (name === names[1]) await page.locator('.activity button').first().waitFor();
      expect(await violationsOf(page), name).toEqual([]);
      expect(await page.evaluate(lowTargets), name).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    }
  }
  await page.getByRole('tab', { name: 'Caja' }).click();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('region', { name: 'Teléfono' }).waitFor();
  await end();
});

test('eight tabs of the shop open beside each other: a hidden one holds no stream of its own', async () => {
  const { context, end } = await visit(browser, wide);
  await context.addInitScript(`window.isHidden = false;
    Object.defineProperty(document, 'hidden', { get: () => window.isHidden });`);
  const turn = (page: Page, isHidden: boolean) =>
    page.evaluate(`isHidden = ${isHidden}; document.dispatchEvent(new Event('visibilitychange'))`);
  const opened: Page[] = [];
  for (let count = 0; count < 8; count += 1) {
    const page = await context.newPage();
    await page.goto(shopUrl);
    await shopPage(page).till.getByRole('heading').first().waitFor();
    await turn(page, true);
    opened.push(page);
  }
  const [first] = opened as [Page];
  const again = first.waitForRequest('**/shop/api/stream');
  await turn(first, false);
  await again;
  await end();
});

test('the shop opens where a browser stores nothing, and speaks the language that is chosen', async () => {
  const { page, end } = await visit(browser, wide);
  await page.addInitScript(`for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError'); } });`);
  await page.goto(shopUrl);
  await page.getByText('Español', { exact: true }).click();
  await page.getByRole('region', { name: 'Caja' }).waitFor();
  await end();
});
