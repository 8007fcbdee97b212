import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sandboxSignInLink } from '../../../backoffice/people/sign_in/sandbox_link.ts';
import { webhooks } from '../../../sdk/server/webhooks.ts';
import { startTestReceiver, type TestReceiver } from '../../kit/http/receiver.ts';
import { schemes, takePicture } from '../../kit/pages/browser/pictures.ts';
import { page, useOneWindow, useWeb, web } from '../../kit/pages/browser/web.ts';
import type { Person } from '../../kit/person.ts';
import { addFilter } from '../filters.ts';
import { heading, open, openRecord } from './pages.ts';

/** The tour of docs/guide/portal.md. `npm run shots` takes its pictures anew. */

useWeb();
useOneWindow();

const guide = fileURLToPath(new URL('../../../docs/guide/', import.meta.url));
const folder = process.env.TOUR_PICTURES;
const taken: string[] = [];

/** A picture of what the reader sees now. */
async function picture(name: string): Promise<void> {
  taken.push(name);
  if (folder === undefined) return;
  await takePicture(page, join(folder, name));
}

/** The reader's own server: it answers 500 while it is broken, and verifies what it accepts. */
let receiver: TestReceiver;
let isBroken = false;
const verified: string[] = [];
let ana: Person;
let cafe: Person;
beforeAll(async () => {
  const secrets = [web.server.tenant.webhook_secret];
  const now = () => new Date(web.server.service.clocks.realNow());
  receiver = await startTestReceiver();
  receiver.answer(({ body, headers }, response) => {
    if (isBroken) return void response.writeHead(500).end('the database is away');
    verified.push(webhooks.unwrap(body, headers, { secrets, now }).type);
    response.writeHead(204).end();
  });
  ana = await web.api.funded('individual', 100_00);
  cafe = await web.api.banked('business');
});
afterAll(() => receiver.close());

/** Delivers the events that are due, as the worker's loop does. */
const deliver = () => web.server.workers.dispatcher.deliverDue(web.server.tenant.tenantId);

const button = (name: string | RegExp) => page.getByRole('button', { name });
const drawer = () => page.getByRole('dialog');
const rowOf = (text: string) => page.getByRole('row').filter({ hasText: text });

async function play(move: string): Promise<void> {
  await page.getByRole('button', { name: move, exact: true }).click();
  await page.getByRole('status').getByText(`Done: ${move}`).waitFor();
}

test('the tour of the guide leads from the sign-in to a dispute that is closed', async () => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(await sandboxSignInLink(web.server.service, web.server.tenant.tenantId));
  await page.getByText('Getting started: ').waitFor();
  await picture('tour-home');

  await page.getByRole('link', { name: 'Set the webhook endpoint' }).click();
  await heading('Webhooks').waitFor();
  await page.getByLabel('Address').fill(receiver.url);
  await button('Save').click();
  await page.getByLabel('Events are sent').waitFor();
  await button('Send a test event').click();
  await page.getByText(/^Accepted: answered 204 in \d+ ms$/).waitFor();
  await picture('tour-test-delivery');

  const payment = await web.api.confirmed(web.api.pay(ana, cafe, 12_50));
  await deliver();
  expect(verified).toContain('payment.completed');
  await open(`/events?object_id=${payment.id}`, 'Events');
  await rowOf('payment.completed').getByText('delivered').waitFor();
  await rowOf('payment.completed').getByRole('link').first().click();
  await drawer().getByText('Attempt 1').waitFor();
  await picture('tour-event');

  isBroken = true;
  const lost = await web.api.pay(ana, cafe, 3_00);
  await deliver();
  await open('/deliveries', 'Deliveries');
  await addFilter('Record id', lost.id);
  await rowOf('payment.created').getByText('retrying').waitFor();
  await rowOf('payment.created').getByRole('link').first().click();
  await drawer().getByText('Attempt 1').click();
  await drawer().getByText('the database is away').first().waitFor();
  await picture('tour-failed-delivery');
  isBroken = false;
  await drawer().getByRole('button', { name: 'Resend' }).click();
  await drawer().getByText('It is sent again.').waitFor();
  await deliver();
  await drawer().getByText('Attempt 2').waitFor();
  expect(verified).toContain('payment.created');
  await picture('tour-resent');

  const dispute = await web.api.dispute(ana, { payment_id: payment.id });
  await openRecord(dispute.id, '?part=developer');
  await page.getByRole('figure', { name: 'Lifecycle of a dispute' }).waitFor();
  await picture('tour-dispute');
  await play('dispute.investigating');
  await play('dispute.provisional_credit');
  await play('dispute.resolved_partial');
  await play('dispute.closed');
  await page.getByText('Nothing can be simulated from this state.').waitFor();
  await deliver();
  expect(verified).toContain('dispute.closed');
  await page.getByRole('link', { name: 'Record', exact: true }).click();
  await page.getByRole('region', { name: 'Ledger entries' }).scrollIntoViewIfNeeded();
  await picture('tour-dispute-closed');
});

test('the guide shows each picture of the tour, in its order', () => {
  const text = readFileSync(join(guide, 'portal.md'), 'utf8');
  const shown = [...text.matchAll(/!\[[^\]]+\]\(pictures\/(tour-[\w-]+)\.light\.webp\)/g)].map(
    ([, name]) => name,
  );
  expect(shown).toEqual(taken);
  for (const name of taken.flatMap((one) => schemes.map((scheme) => `${one}.${scheme}.webp`)))
    expect([name, existsSync(join(guide, 'pictures', name))]).toEqual([name, true]);
});
