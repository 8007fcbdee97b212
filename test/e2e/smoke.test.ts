import { expect, test } from 'vitest';
import { ended, endings, pay } from '../kit/pages/browser/tenant_site.ts';
import { page, useVisitors, useWeb, web } from '../kit/pages/browser/web.ts';
import { openHostedPages, pin } from '../kit/pages/hosted.ts';

/** The one browser test of every save: the Tenant's page, the SDK, the hosted page and the service together. */
useWeb();
useVisitors();

test('a PIN in a modal confirms a payment: the money moves, and the server learns it by the exchange', async () => {
  const ana = await web.api.funded('individual', 50_00);
  const cafe = await web.api.banked('business');
  await openHostedPages(web.server).givePins();
  web.serve(async () => (await web.api.pay(ana, cafe, 20_00)).confirmation_session);
  await page.goto(web.site.origin);
  await pay(page, { mode: 'modal' });
  const modal = page.frameLocator('iframe');
  await modal.getByRole('heading', { level: 1, name: 'Confirm payment' }).waitFor();
  await modal.getByText(`Sandbox: the PIN is ${pin}.`).waitFor();
  await modal.getByLabel('PIN', { exact: true }).fill(pin);
  await modal.getByRole('button', { name: 'Pay $20.00' }).click();
  await modal.getByRole('button', { name: 'Done' }).click();
  const log = await ended(page);
  const [success, ...others] = endings(log);
  expect(others).toEqual([]);
  expect(success).toMatchObject({
    kind: 'success',
    facts: [expect.stringMatching(/^rt_/), { flow: 'payment_confirm' }],
  });
  expect(await web.site.exchanged(success?.facts[0])).toMatchObject({
    status: 'completed',
    target_status: 'completed',
  });
  expect(await web.api.balance(ana)).toMatchObject({ available: 30_00 });
  expect(await web.api.balance(cafe)).toMatchObject({ available: 20_00 });
  const events = log.filter(({ kind }) => kind === 'event').map(({ facts }) => facts[0]);
  expect(events.slice(0, 2)).toEqual(['open', 'ready']);
  expect(events).toContain('step_completed');
  expect(await page.evaluate("document.querySelectorAll('iframe, dialog').length")).toBe(0);
});
