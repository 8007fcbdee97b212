import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestReceiver, type TestReceiver } from '../../kit/http/receiver.ts';
import { page, useOneWindow, useWeb, web } from '../../kit/pages/browser/web.ts';
import { countPresses } from '../../kit/pages/presses.ts';
import { proveReadable } from '../readable.ts';
import { open, signIn } from './pages.ts';

/** After an outage of a receiver: why deliveries failed, and how all are sent again. Every press is counted. */

useWeb();
useOneWindow();

let receiver: TestReceiver;
beforeAll(async () => {
  receiver = await startTestReceiver();
});
afterAll(() => receiver.close());
beforeEach(async () => {
  await page.setViewportSize({ width: 1_440, height: 900 });
  await signIn();
});

const deliver = () => web.server.workers.dispatcher.deliverDue(web.server.tenant.tenantId);
const sample = () => web.api.post('/portal/api/sample-events', { type: 'payment.completed' });
const bar = () => page.getByRole('region', { name: 'Resend' });
const received = () => receiver.received.map(({ event }) => event.id);

/** The newest two, as the list begins. */
const newestTwo = async (): Promise<string[]> =>
  (await web.api.get('/portal/api/events?type=payment.completed&limit=2')).data.map(
    ({ id }: { readonly id: string }) => id,
  );

async function broken(count: number): Promise<void> {
  receiver.answer((_request, response) => response.writeHead(503).end('down for repair'));
  for (let made = 0; made < count; made += 1) await sample();
  await deliver();
}

test('why a webhook failed takes at most three presses from the home page', async () => {
  await sample();
  await web.api.put('/portal/api/webhook-endpoint', { url: receiver.url, enabled: true });
  await broken(1);
  await open('', 'Home');
  const presses = await countPresses(page);
  await page.getByRole('link', { name: 'Deliveries', exact: true }).first().click();
  await page.getByRole('link', { name: 'payment.completed' }).first().click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText(/Attempt 1/).click();
  await drawer.getByText('down for repair').first().waitFor();
  expect((await presses()).clicks).toBeLessThanOrEqual(3);
});

test('all failed of an hour are resent in three presses from home, retried ones too, and the counts follow', async () => {
  await broken(3);
  await web.api.advance(2 * 3_600);
  await broken(2);
  receiver.answer(200);
  const before = receiver.received.length;
  await open('', 'Home');
  const presses = await countPresses(page);
  await page.getByRole('link', { name: 'Deliveries', exact: true }).first().click();
  await page.getByRole('button', { name: 'Last hour' }).click();
  const resend = bar().getByRole('button', { name: 'Resend these 2 now' });
  await resend.click();
  expect((await presses()).clicks).toBe(3);
  await bar().getByText('2 events are sent again.').waitFor();
  await proveReadable(page, 'traffic_resend');
  await deliver();
  expect(received().slice(before)).toEqual(expect.arrayContaining(await newestTwo()));
  // By the feed of the rows, not by a clock of its own.
  await page.getByRole('button', { name: /^delivered [2-9]/ }).waitFor({ timeout: 10_000 });
  await bar().getByRole('button', { name: 'Resend these 0 now' }).waitFor();
});

test('what was never sent is chosen apart, and single rows are chosen by their boxes', async () => {
  receiver.answer(200);
  const before = receiver.received.length;
  await open('/deliveries', 'Deliveries');
  const never = bar().getByLabel(/never sent$/);
  await never.waitFor();
  expect(await never.isChecked()).toBe(false);
  const boxes = page.getByRole('checkbox', { name: 'Choose payment.completed' });
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  await bar().getByRole('button', { name: 'Resend these 2 now' }).click();
  await bar().getByText('2 events are sent again.').waitFor();
  expect(await boxes.nth(0).isChecked()).toBe(false);
  await deliver();
  expect(received().slice(before)).toEqual(expect.arrayContaining(await newestTwo()));
  await never.check();
  await bar()
    .getByRole('button', { name: /^Resend these? \d+ now$/ })
    .click();
  await bar()
    .getByText(/sent again\.$/)
    .waitFor();
  await never.waitFor({ state: 'detached' });
});
