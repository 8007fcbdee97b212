import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { webhooks } from '../../../sdk/server/webhooks.ts';
import { verifyCodeOf } from '../../../web/portal/traffic/code/verify_code.ts';
import { startTestReceiver, type TestReceiver } from '../../kit/http/receiver.ts';
import { page, useOneWindow, useWeb, visitor, web } from '../../kit/pages/browser/web.ts';
import { addFilter } from '../filters.ts';
import { proveReadable } from '../readable.ts';
import { heading, open, signIn } from './pages.ts';

/**
 * Requests, events, deliveries and webhooks in the portal, with real traffic and a real receiver. That the code
 * compiles which its pages give is held by the tests of that code.
 */

useWeb();
useOneWindow();

let receiver: TestReceiver;
beforeAll(async () => {
  receiver = await startTestReceiver();
  await web.api.put('/portal/api/webhook-endpoint', { url: receiver.url, enabled: true });
});
afterAll(() => receiver.close());
beforeEach(async () => {
  receiver.answer(200);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn();
});

const drawer = () => page.getByRole('dialog');
/** The row of the event list for the object with this id. */
const row = (id: string) =>
  page.getByRole('row').filter({ has: page.getByTitle(id, { exact: true }) });
const deliver = () => web.server.workers.dispatcher.deliverDue(web.server.tenant.tenantId);

let made = 0;
/** Calls the API. @returns the id of the customer, and of the request */
async function newCustomer() {
  made += 1;
  const body = {
    type: 'individual',
    external_ref: `live-${made}`,
    email: `live${made}@example.com`,
    mobile_number: `+120255502${10 + made}`,
  };
  const reply = await web.server.call('POST', '/v1/customers', { key: randomUUID(), body });
  expect(reply.status).toBe(201);
  await web.server.service.requestLog.flush();
  return {
    id: String(reply.body.id),
    externalRef: body.external_ref,
    requestId: String(reply.headers.get('service-request-id')),
  };
}

async function failedEvent() {
  receiver.answer((_request, response) => response.writeHead(503).end('down for repair'));
  const customer = await newCustomer();
  await deliver();
  await web.api.advance(73 * 3_600);
  receiver.answer(200);
  const { data } = await web.api.get(`/portal/api/events?object_id=${customer.id}`);
  expect(data[0].delivery.status).toBe('failed');
  return { ...customer, eventId: String(data[0].id) };
}

const copied = async (name: string): Promise<string> => {
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('button', { name: 'Copied' }).first().waitFor();
  return String(await page.evaluate('navigator.clipboard.readText()'));
};

test('new requests and events appear without a reload, and wait while the reader is further down', async () => {
  for (let count = 0; count < 40; count += 1)
    await web.server.call('GET', `/v1/customers?external_ref=none-${count}`);
  await web.server.service.requestLog.flush();
  await open('/requests', 'Requests');
  await page.getByText('live', { exact: true }).waitFor();
  await newCustomer();
  await page.getByRole('link', { name: 'POST /v1/customers' }).first().waitFor();
  const scrolled = () => page.evaluate("document.querySelector('.list').scrollTop");
  await page.evaluate("document.querySelector('.list').scrollTo({ top: 600 })");
  await expect.poll(scrolled).toBeGreaterThan(300);
  // The page hears of the scroll with the next frame, and has drawn by the one after it.
  await page.evaluate(
    'new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(end)))',
  );
  const seen = await scrolled();
  await newCustomer();
  const more = page.getByRole('button', { name: 'Show 1 new request' });
  await more.waitFor();
  expect(await scrolled()).toBe(seen);
  await proveReadable(page, 'traffic_requests');
  await more.click();
  await expect.poll(scrolled).toBe(0);
  await more.waitFor({ state: 'detached' });
  await open('/events', 'Events');
  await page.getByText('live', { exact: true }).waitFor();
  const { id } = await newCustomer();
  await row(id).getByText('pending').waitFor();
  await deliver();
  await row(id).getByText('delivered').waitFor();
  await proveReadable(page, 'traffic_events');
});

test('the feed goes on behind its last row after it was lost', async () => {
  const { rows } = await web.server.owner.query<{ micros: string }>(
    'select (extract(epoch from clock_timestamp()) * 1000000)::bigint::text as micros',
  );
  const last = rows[0]?.micros ?? '';
  // A feed that ends at once, after it has told where it stands.
  await page.route('**/portal/api/stream*', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: `id: ${last}\n\n` }),
  );
  await open('/events', 'Events');
  await page.getByText('connecting').waitFor();
  const { id } = await newCustomer();
  const resumed = page.waitForRequest((request) => request.url().includes('/portal/api/stream'));
  await page.unroute('**/portal/api/stream*');
  await row(id).waitFor();
  expect((await resumed).headers()['last-event-id']).toBe(last);
  await page.getByText('live', { exact: true }).waitFor();
});

test('a page that nobody sees follows nothing, and goes on where it was once it is seen', async () => {
  const beSeen = (isSeen: boolean) =>
    page.evaluate(`
      Object.defineProperty(document, 'hidden', { value: ${!isSeen}, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));`);
  await open('/events', 'Events');
  await page.getByText('live', { exact: true }).waitFor();
  const first = await newCustomer();
  await row(first.id).waitFor();
  await beSeen(false);
  await page.getByText('paused').waitFor();
  const { id } = await newCustomer();
  const resumed = page.waitForRequest((request) => request.url().includes('/portal/api/stream'));
  await beSeen(true);
  expect((await resumed).headers()['last-event-id']).toMatch(/^\d+/);
  await row(id).waitFor();
});

test('a request is found by its key, and shows what it caused and itself as code', async () => {
  const person = await web.api.banked('individual');
  const key = `key-${randomUUID()}`;
  const body = { customer_id: person.customerId, amount: 25_00 };
  const reply = await web.server.call('POST', '/v1/loads', { key, body });
  expect(reply.status).toBe(201);
  await web.server.service.requestLog.flush();
  await open('/requests', 'Requests');
  await addFilter('Idempotency key', key);
  await page.waitForURL(/idempotency_key=/);
  await page.getByRole('link', { name: 'POST /v1/loads' }).click();
  await drawer().getByRole('link', { name: 'load.created' }).waitFor();
  await drawer().getByTitle(reply.body.id, { exact: true }).first().waitFor();
  const command = await copied('Copy as curl');
  await proveReadable(page, 'traffic_request');
  const ran = await promisify(execFile)('sh', ['-c', command], {
    env: { ...process.env, ACCESS_TOKEN: web.server.token },
  });
  const again = JSON.parse(ran.stdout);
  expect(again).toMatchObject({ object: 'load', amount: 25_00, customer_id: person.customerId });
  expect(again.id).not.toBe(reply.body.id);
  await page.getByRole('button', { name: 'TypeScript' }).click();
  const program = await copied('Copy as SDK code');
  expect(program).toContain('client.loads.create(');
  expect(program).toContain(`customer_id: '${person.customerId}'`);
  await drawer().getByRole('link', { name: 'load.created' }).click();
  await heading('Events').waitFor();
  await drawer().getByRole('link', { name: /^req_/ }).waitFor();
  await page.goBack();
  await heading('Requests').waitFor();
});

test('a refused request shows its body as it was sent, and what was wrong with it', async () => {
  const person = await web.api.banked('individual');
  const body = { customer_id: person.customerId, amount: 'much' };
  const reply = await web.server.call('POST', '/v1/loads', { key: randomUUID(), body });
  expect(reply.status).toBe(400);
  await web.server.service.requestLog.flush();
  await open(`/requests?open=${reply.headers.get('service-request-id')}`, 'Requests');
  await drawer()
    .getByText(JSON.stringify(body, null, 2), { exact: true })
    .waitFor();
  await drawer().getByText('"param": "amount"').waitFor();
});

test('money that was booked is told with the event, by its ledger lines', async () => {
  const person = await web.api.funded('individual', 50_00);
  const { data } = await web.api.get('/portal/api/events?type=load.settled&limit=1');
  expect(person).toBeTruthy();
  await open(`/events?open=${data[0].id}`, 'Events');
  await drawer().getByRole('region', { name: 'Ledger lines' }).first().waitFor();
  await expect.poll(() => drawer().getByRole('cell', { name: 'available' }).count()).toBe(1);
});

test('a failed delivery is found by its status, its attempt read, and the event resent from the page', async () => {
  const { eventId } = await failedEvent();
  const before = receiver.received.length;
  await open('/deliveries', 'Deliveries');
  await proveReadable(page, 'traffic_deliveries');
  await page.getByRole('button', { name: /^failed \d/ }).click();
  await page.waitForURL(/delivery_status=failed/);
  await addFilter('Event id', eventId);
  await page.getByRole('link', { name: 'customer.created' }).click();
  await drawer().getByText('Attempt 12').click();
  await drawer().getByText('down for repair').first().waitFor();
  await drawer().getByText('How it is verified').first().click();
  await drawer().getByLabel('Check a secret').fill(web.server.tenant.webhook_secret);
  await drawer().getByText('This secret has signed it').waitFor();
  await proveReadable(page, 'traffic_event');
  const ofEvent = receiver.received.findLast(({ event }) => event.id === eventId);
  const { body, headers } = ofEvent ?? {};
  const program = verifyCodeOf(String(headers?.['service-signature']), String(body));
  expect(await copied('Copy the verification')).toBe(program);
  await drawer().getByRole('button', { name: 'Resend' }).click();
  await drawer().getByText('It is sent again.').waitFor();
  await deliver();
  expect(receiver.received.slice(before).map(({ event }) => event.id)).toEqual([eventId]);
  await drawer().getByText('Attempt 13').waitFor();
  const audit = await web.api.get('/portal/api/audit?act=resendEvent');
  expect(audit.data[0]).toMatchObject({ record: eventId, outcome: 'done' });
});

test('a test event is sent and its answer shown, and off means that nothing is sent', async () => {
  await open('/webhooks', 'Webhooks');
  receiver.answer((_request, response) => response.writeHead(418).end('tea'));
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.getByText(/^Not accepted: answered 418/).waitFor();
  await page.getByText('What was sent and what came back').click();
  await page.getByText('tea', { exact: true }).waitFor();
  await page.getByRole('switch', { name: 'Events are sent', exact: true }).press('Space');
  await page.getByRole('switch', { name: 'No events are sent' }).waitFor();
  await page.getByText('Events that are made meanwhile are kept.', { exact: false }).waitFor();
  await page.getByRole('switch', { name: 'No events are sent' }).press('Space');
  await page.getByRole('switch', { name: 'Events are sent', exact: true }).waitFor();
});

test('a secret is rotated to the end: both sign, the new one is tested alone, the old one retired', async () => {
  await open('/webhooks', 'Webhooks');
  await page.getByRole('button', { name: 'Make another secret' }).click();
  const secret = await page.getByText(/^whsec_/).textContent();
  const begin = receiver.received.length;
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.getByText(/^Accepted: answered 200/).waitFor();
  await page.getByRole('button', { name: 'Test with the new one alone' }).click();
  await expect.poll(() => page.getByText(/^Accepted: answered 200/).count()).toBe(2);
  const items = receiver.received
    .slice(begin)
    .map(({ headers }) => String(headers['service-signature']).split(',').length - 1);
  expect(items).toEqual([2, 1]);
  await proveReadable(page, 'traffic_rotation');
  const retire = page.getByRole('button', { name: /^Retire whs_/ });
  await retire.click();
  await proveReadable(page, 'traffic_retire');
  await page.getByRole('button', { name: 'Retire the secret' }).click();
  await retire.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await receiver.waitFor(begin + 3);
  const { body, headers } = receiver.received.at(-1) ?? {};
  const now = () => new Date(web.server.service.clocks.realNow());
  const event = webhooks.unwrap(body ?? '', headers ?? {}, { secrets: secret ?? '', now });
  expect(event.type).toBe('payment.completed');
});

test('a type is found in the catalog, and a sample of it sent as it was edited', async () => {
  await open('/event-types', 'Event catalog');
  await proveReadable(page, 'traffic_catalog');
  await page.getByLabel('Find').fill('refund');
  await page.getByRole('button', { name: 'Open refund.completed' }).click();
  await drawer()
    .getByText(/^The refund becomes “completed”; before it was /)
    .first()
    .waitFor();
  const { typescript } = await web.api.get('/portal/api/event-types/refund.completed');
  expect(await copied('Copy the type')).toBe(typescript);
  await drawer().getByLabel('Edit the record').check();
  const field = drawer().getByLabel('Record as JSON');
  const object = { ...JSON.parse(await field.inputValue()), amount: 4_321 };
  await field.fill('{');
  await drawer().getByText('This is not a JSON object.').waitFor();
  await field.fill(JSON.stringify({ ...object, amount: 'much' }));
  await drawer().getByRole('button', { name: 'Send to my endpoint' }).click();
  await drawer().getByText('object.amount is not valid', { exact: false }).waitFor();
  await field.fill(JSON.stringify(object));
  await drawer().getByRole('button', { name: 'Send to my endpoint' }).click();
  await drawer()
    .getByText(/^Accepted: answered 200/)
    .waitFor();
  await proveReadable(page, 'traffic_type');
  const sent = JSON.parse(String(receiver.received.at(-1)?.body));
  expect(sent).toMatchObject({ type: 'refund.completed', data: { object: { amount: 4_321 } } });
  visitor.forgive(/Failed to load resource/);
});

test('everything is reached by keyboard: a filter, a row, its drawer with the bodies and the way back', async () => {
  const { id, requestId } = await newCustomer();
  await open('/requests', 'Requests');
  await page.getByRole('button', { name: 'Add filter' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Request id' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Request id', { exact: true }).waitFor();
  await page.keyboard.type(requestId);
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(requestId));
  const found = page.getByRole('link', { name: 'POST /v1/customers' });
  await found.waitFor();
  await found.focus();
  await page.keyboard.press('Enter');
  await drawer().getByText('What it caused').waitFor();
  await drawer().getByText(`"id": "${id}"`).waitFor();
  await page.keyboard.press('Escape');
  await drawer().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Remove the filter Request id' }).press('Enter');
  await expect.poll(() => page.url()).not.toContain(requestId);
});
