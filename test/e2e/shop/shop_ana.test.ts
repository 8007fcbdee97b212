import { AxeBuilder } from '@axe-core/playwright';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { addAuthenticator } from '../../kit/pages/browser/browser.ts';
import { tabTo } from '../keyboard.ts';
import { samplePin as pin, visitShop } from './shop.ts';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Orders of Ana that fail, expire or are confirmed in another way. */

const { page, shop, confirm, order, pays, play, reads, tap, tillSays } = await visitShop();

test('what the bank rejects is shown on the phone and at the till, and the same code is then paid', async () => {
  await shop.phone.getByText('Ana', { exact: true }).click();
  await order('Chai latte');
  await tap('Pay');
  await shop.phone.getByText('Bank', { exact: true }).click();
  await tap('Scan the till’s code');
  await confirm(pin);
  await tillSays(/is confirming/);
  await play('Bank rejects');
  await reads('It did not go through. No money was moved.');
  await shop.till.getByText('The customer’s bank did not pay.').waitFor();
  await tillSays(/is waiting/);
  await pays(pin);
});

test('an expired code is said to be, and cannot be paid; a new one can', async () => {
  await order('Espresso');
  const code = shop.till.getByRole('img', { name: /QR code for order/ });
  const source = () => code.getAttribute('src');
  const first = await source();
  await play('1 hour');
  await tillSays(/is expired/);
  await shop.till.getByText('The code has expired. Only who has scanned it before').waitFor();
  await tap('Pay');
  await reads('No code on the till.');
  await tap('Back to the wallet');
  await shop.till.getByRole('button', { name: 'Make a new code' }).click();
  await tillSays(/is waiting/);
  await expect.poll(source).not.toBe(first);
  await pays(pin);
});

test('an event that another overtook has a badge, and does nothing at the till', async () => {
  const overtake = shop.inspector.getByLabel('Events overtake each other');
  await play();
  await overtake.click();
  await expect.poll(() => overtake.isChecked()).toBe(true);
  await order('Espresso');
  await pays(pin);
  await shop.inspector.getByRole('tab', { name: /Events/ }).click();
  const late = shop.inspector.locator('details', { hasText: /payment\..*out of order/ }).first();
  await late.locator('summary').click();
  await late.getByText('A later version of this record was handled before').waitFor();
  await tillSays(/is paid/);
  await shop.till.getByText('once', { exact: true }).waitFor();
  await play();
  await overtake.click();
  await expect.poll(() => overtake.isChecked()).toBe(false);
});

test('a passkey that was made in a window of its own confirms over the shop', async () => {
  await tap('More');
  const apart = shop.phone.getByLabel(/in their own window/);
  await apart.check();
  await tap('Back to the wallet');
  await order('Espresso');
  await tap('Pay');
  const [window] = await Promise.all([page.waitForEvent('popup'), tap('Scan the till’s code')]);
  const made = await page.context().newCDPSession(window);
  const { id: authenticatorId } = await addAuthenticator(made);
  await window.getByLabel('PIN', { exact: true }).fill(pin);
  await window.getByRole('button', { name: 'Pay $2.80' }).click();
  await window.getByRole('button', { name: 'Add a passkey' }).click();
  await window.getByRole('status').filter({ hasText: 'passkey' }).waitFor();
  const { credentials } = await made.send('WebAuthn.getCredentials', { authenticatorId });
  await window.getByRole('button', { name: 'Done' }).click();
  await tillSays(/is paid/);

  const used = await page.context().newCDPSession(page);
  const phone = await addAuthenticator(used);
  for (const credential of credentials)
    await used.send('WebAuthn.addCredential', { authenticatorId: phone.id, credential });
  await tap('More');
  await apart.uncheck();
  await tap('Back to the wallet');
  await order('Espresso');
  await tap('Pay', 'Scan the till’s code');
  await shop.hosted.getByRole('button', { name: 'Confirm with passkey' }).click();
  await shop.hosted.getByRole('button', { name: 'Done' }).click();
  await tillSays(/is paid/);
});

test('a purchase by keyboard alone, from the till to the receipt', async () => {
  const faults: string[] = [];
  const { till, phone, hosted } = shop;
  const at = (name: string) => page.locator(':focus').filter({ hasText: name }).waitFor();
  const press = async (target: Locator, key = 'Enter') => {
    await tabTo(page, target, faults);
    await page.keyboard.press(key);
  };
  await page.reload();
  await press(till.getByRole('button', { name: /^Croissant/ }));
  await press(till.getByRole('button', { name: 'Charge $3.40' }), 'Space');
  await at('Order #');
  await press(phone.getByRole('button', { name: 'Pay', exact: true }), 'Space');
  await at('Pay');
  await press(phone.getByRole('button', { name: 'Scan the till’s code' }));
  await hosted.getByText('Corner Cafe').first().waitFor();
  await tabTo(page, hosted.getByRole('button', { name: 'Use PIN instead' }));
  await page.keyboard.press('Enter');
  await tabTo(page, hosted.getByLabel('PIN', { exact: true }));
  await page.keyboard.type(pin);
  await tabTo(page, hosted.getByRole('button', { name: 'Pay $3.40' }));
  await page.keyboard.press('Enter');
  await tabTo(page, hosted.getByRole('button', { name: 'Done' }));
  await page.keyboard.press('Enter');
  await tillSays(/is paid/);
  await at('Wallet');
  await press(till.getByRole('button', { name: 'Next customer' }));
  await at('Corner Cafe');
  // The columns stand side by side, so the focus goes up too; a radio shows it on the words beside it.
  expect(faults.filter((fault) => !/above|^input/.test(fault))).toEqual([]);
});

test('the day’s events come to what the report says, once the report is there', async () => {
  await order('Espresso');
  await tap('Pay', 'Scan the till’s code');
  await shop.hosted.getByRole('button', { name: 'Use PIN instead' }).click();
  await confirm(pin);
  await tillSays(/is paid/);
  await shop.till.getByText('Refund', { exact: true }).click();
  await shop.till.getByRole('button', { name: /^Refund all/ }).click();
  await confirm(pin);
  await tillSays(/is refunded/);
  await shop.till.getByRole('tab', { name: 'Day' }).click();
  await shop.till.getByText('The report of a day is ready at six').waitFor();
  await shop.till.getByRole('button', { name: 'Move the clock 30 hours' }).click();
  await shop.till.getByRole('link', { name: 'The day’s postings as a file' }).waitFor();
  for (const name of ['payments', 'refunds']) {
    const cells = shop.till.getByRole('row', { name: new RegExp(name) }).getByRole('cell');
    const shown = () => cells.allTextContents();
    await expect.poll(shown).toEqual([expect.any(String), expect.any(String), 'agrees']);
    const [events, report] = await shown();
    expect(events).not.toBe('$0.00');
    expect(report).toBe(events);
  }
});

test('at 320 pixels axe finds nothing in the hosted page that stands over the shop', async () => {
  await page.setViewportSize({ width: 320, height: 640 });
  await shop.till.getByRole('tab', { name: 'Supplier' }).click();
  await shop.till.getByRole('button', { name: 'Pay $12.00' }).click();
  await shop.hosted.getByLabel('PIN', { exact: true }).waitFor();
  // A frame that a busy machine answers for too late is passed over: axe looks again.
  await expect
    .poll(async () => {
      const { violations, passes } = await new AxeBuilder({ page }).withTags(tags).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      const nodes = passes.flatMap((pass) => pass.nodes);
      return nodes.filter(({ target }) => target.length > 1).length;
    })
    .toBeGreaterThan(10);
});
