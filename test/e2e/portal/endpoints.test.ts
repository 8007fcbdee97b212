import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { startTestReceiver, type TestReceiver } from '../../kit/http/receiver.ts';
import { page, useOneWindow, useWeb, web } from '../../kit/pages/browser/web.ts';
import { until } from '../../kit/wait.ts';
import { addFilter } from '../filters.ts';
import { proveReadable } from '../readable.ts';
import { open, signIn } from './pages.ts';

/** Webhook endpoints beside the first one, with a real receiver. */

useWeb();
useOneWindow();

let receiver: TestReceiver;
beforeEach(async () => {
  receiver = await startTestReceiver();
  onTestFinished(() => receiver.close());
  await signIn();
  await open('/webhooks', 'Webhooks');
});

const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
const press = (name: string, within = page.locator('body')) =>
  within.getByRole('button', { name, exact: true }).click();
const deliver = () => web.server.workers.dispatcher.deliverDue(web.server.tenant.tenantId);
const sample = (type: string) => web.api.post('/portal/api/sample-events', { type });

test('an endpoint is added for a type, shows its deliveries, is changed, recovered and deleted', async () => {
  await press('Add an endpoint');
  const adding = dialog('Add an endpoint');
  await adding.getByLabel('Name').fill('Accounting');
  await adding.getByLabel('Address').fill(receiver.url);
  await adding.getByRole('combobox', { name: 'Types' }).fill('payment.completed');
  await page.getByRole('option', { name: 'payment.completed' }).click();
  await adding.getByLabel('Name').click();
  await page.getByRole('option').first().waitFor({ state: 'hidden' });
  await proveReadable(page, 'endpoint-form');
  await press('Add', adding);
  await adding.getByText(/^whsec_/).waitFor();
  await proveReadable(page, 'endpoint-secret');
  await press('I have saved it', adding);
  receiver.answer(500);
  await sample('payment.completed');
  await sample('load.settled');
  await deliver();
  await open('/webhooks', 'Webhooks');
  const table = page.getByRole('region', { name: 'Further endpoints and their states' });
  await table.getByText('1 failed').waitFor();
  await proveReadable(page, 'endpoints');
  await press('Open Accounting');
  const drawer = dialog('Accounting');
  await drawer.getByText('retrying').waitFor();
  await drawer.getByRole('button', { name: /^Attempts of evt_/ }).click();
  await drawer.getByText('500').first().waitFor();
  await proveReadable(page, 'endpoint');
  await press('Make another secret', drawer);
  await drawer.getByText(/^whsec_/).waitFor();
  receiver.answer(200);
  await press('Resend', drawer);
  await drawer.getByText('It is sent again').waitFor();
  await deliver();
  expect(receiver.received.map(({ event }) => event.type)).toEqual([
    'payment.completed',
    'payment.completed',
  ]);
  await drawer.getByText('delivered').waitFor();

  await press('Change', drawer);
  const changing = dialog('Change Accounting');
  await changing.getByLabel('Name').fill('Books');
  await press('Save', changing);
  await press('Delete', dialog('Books'));
  await proveReadable(page, 'endpoint-deletion');
  await press('Delete', dialog('Delete Books'));
  await until(async () => (await table.count()) === 0);
  expect((await web.api.get('/portal/api/webhook-endpoints')).data).toEqual([]);
});

test('deliveries to each endpoint are followed by its name, live, on every page that shows them', async () => {
  const first = await startTestReceiver();
  onTestFinished(() => first.close());
  await web.api.put('/portal/api/webhook-endpoint', { url: first.url });
  const further = { name: 'Accounting', url: receiver.url, types: ['payment.completed'] };
  const { id } = await web.api.post('/portal/api/webhook-endpoints', further);
  onTestFinished(async () => {
    await web.api.call('DELETE', `/portal/api/webhook-endpoints/${id}`);
    await web.api.put('/portal/api/webhook-endpoint', { url: first.url, enabled: false });
  });
  receiver.answer(500);
  await open('/deliveries', 'Deliveries');
  await page.getByText('live', { exact: true }).waitFor();
  await sample('payment.completed');
  await deliver();
  const list = page.getByRole('region', { name: 'Deliveries', exact: true });
  await list.getByText('Accounting').first().waitFor();
  await list.getByText('retrying').first().waitFor();
  await proveReadable(page, 'deliveries-of-all');
  await list.getByText('payment.completed').first().click();
  const drawer = dialog('payment.completed');
  await drawer.getByText('Delivery to the first endpoint').waitFor();
  await press('Attempts at Accounting', drawer);
  await drawer.getByRole('heading', { name: 'Attempts at Accounting' }).waitFor();
  await drawer.getByText('500').first().waitFor();
  await proveReadable(page, 'event-of-all');

  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await addFilter('Endpoint', 'Accounting');
  await page.getByText('Where each event stands on its way to Accounting').waitFor();
  await page.getByRole('button', { name: 'retrying 1' }).waitFor();
  await sample('load.settled');
  await sample('payment.completed');
  receiver.answer(200);
  await deliver();
  await list.getByText('delivered').first().waitFor();
  expect(await list.getByText('load.settled').count()).toBe(0);
  await proveReadable(page, 'deliveries-of-one');

  await open('/', 'Home');
  await page
    .getByRole('list', { name: 'Deliveries by endpoint' })
    .getByText('Accounting')
    .waitFor();
  await proveReadable(page, 'home-of-all');

  await open('/webhooks', 'Webhooks');
  await page.getByRole('combobox', { name: 'Endpoint' }).click();
  await page.getByRole('option', { name: 'Accounting' }).click();
  const before = first.received.length;
  await press('Send a test event');
  await page.getByText('Accepted: answered 200').waitFor();
  expect(first.received).toHaveLength(before);
  await proveReadable(page, 'test-of-one');
});
