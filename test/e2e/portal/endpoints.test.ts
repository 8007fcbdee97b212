import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { startTestReceiver, type TestReceiver } from '../../kit/http/receiver.ts';
import { page, useOneWindow, useWeb, web } from '../../kit/pages/browser/web.ts';
import { until } from '../../kit/wait.ts';
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
  await press('Done', adding);
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
