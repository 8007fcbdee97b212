import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { page, useOneWindow, useWeb, web } from '../../kit/pages/browser/web.ts';
import { receiptOf } from '../../kit/signed_provider.ts';
import { addFilter } from '../filters.ts';
import { proveReadable } from '../readable.ts';
import { newTenant, open, signInAsStaff } from './pages.ts';

/** Messages of providers that no record took, in the operations console. */

useWeb();
useOneWindow();

test('a message says what it said, is replayed, and is closed with a reason', async () => {
  const { tenantId } = await newTenant('Told Market');
  const answer = { outcome: 'settled', amount: 50_00 } as const;
  const receipt = receiptOf({ id: 'evt_4711', tenantId, orderId: randomUUID(), answer });
  const origin = { headers: {}, body: null };
  await web.server.providers.taking.take({ name: 'mybank' }, [receipt], origin);
  await signInAsStaff();
  await open(`/money/messages?tenant_id=${tenantId}`, 'Messages of providers');
  await proveReadable(page, 'rail_messages');
  await page.getByRole('button', { name: 'mybank' }).press('Enter');
  const drawer = page.getByRole('dialog', { name: 'mybank: evt_4711' });
  await drawer.getByText('settled').first().waitFor();
  await proveReadable(page, 'rail_message');
  await drawer.getByRole('button', { name: 'Replay' }).press('Enter');
  await drawer
    .getByRole('row', { name: 'Replayed 1' })
    .or(drawer.getByText('1', { exact: true }))
    .first()
    .waitFor();
  await drawer.getByLabel('What was found out, and done').fill('A test of the bank.');
  await drawer.getByRole('button', { name: 'Close', exact: true }).last().press('Enter');
  await drawer.getByText('A test of the bank.').waitFor();
  await drawer.getByRole('heading', { name: 'Closed' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('No messages match these filters').waitFor();
  await addFilter('State', 'Closed');
  await page.getByRole('row').filter({ hasText: 'evt_4711' }).waitFor();
  const { rows } = await web.server.service.pool.query(
    'select replays, close_reason from rail_messages where tenant_id = $1',
    [tenantId],
  );
  expect(rows).toEqual([{ replays: 1, close_reason: 'A test of the bank.' }]);
});
