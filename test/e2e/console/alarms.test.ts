import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { page, useOneWindow, useWeb, web } from '../../kit/pages/browser/web.ts';
import { addFilter } from '../filters.ts';
import { proveReadable } from '../readable.ts';
import { colleague, heading, newTenant, open, signInAsStaff } from './pages.ts';

/** The alarms in the operations console. */

useWeb();
useOneWindow();

const clear = async () => {
  await web.server.service.alarmLog.flush();
  await web.server.service.pool.query('delete from control.alarms');
};

test('an alarm says what it means and what to do, leads to its case, and is acknowledged with a note', async () => {
  await clear();
  const { tenantId } = await newTenant('Alarmed Market');
  await signInAsStaff();
  await open('/alarms', 'Alarms');
  await page.getByText('No alarms yet').waitFor();
  await proveReadable(page, 'alarms_empty');
  const { log, alarmLog } = web.server.service;
  const dispute_id = randomUUID();
  log.error(
    { alarm: 'dispute_result', tenant_id: tenantId, dispute_id },
    'an investigation has no result in time',
  );
  log.warn({ alarm: 'no_worker' }, 'no process with the role worker is alive');
  await alarmLog.flush();
  await page.reload();
  await page.getByRole('link', { name: 'Alarms 2 to worry about' }).waitFor();
  await proveReadable(page, 'alarms');
  await page.getByRole('button', { name: 'dispute result' }).press('Enter');
  const drawer = page.getByRole('dialog', { name: 'dispute result' });
  await drawer.getByText('The day for the determination of a dispute has passed.').waitFor();
  await drawer.getByText('A reviewer decides it.').waitFor();
  const way = drawer.getByRole('link', { name: 'Case of the dispute' });
  expect(await way.getAttribute('href')).toBe(
    `/console/case/${tenantId}/disputes/dsp_${dispute_id.replaceAll('-', '')}`,
  );
  const runbook = drawer.getByRole('link', { name: 'What to look at, and what to do' });
  expect(await runbook.getAttribute('href')).toBe('/docs/guide/operating/alarms#dispute_result');
  await proveReadable(page, 'alarm');
  await drawer.getByLabel('What was done about it').fill('Decided by hand.');
  await drawer.getByRole('button', { name: 'Acknowledge' }).press('Enter');
  await drawer.getByText('Decided by hand.').waitFor();
  await drawer.getByRole('heading', { name: 'Acknowledged' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Alarms 1 to worry about' }).waitFor();
  await addFilter('State', 'acknowledged');
  await page.waitForURL(/status=acknowledged/);
  await page.getByRole('row').filter({ hasText: 'no worker' }).waitFor({ state: 'detached' });
  await page.getByRole('row').filter({ hasText: 'dispute result' }).waitFor();
  await clear();
});

test('an order that nobody repeats after a restore is settled from its alarm, by a second admin', async () => {
  await clear();
  const { tenantId } = await newTenant('Restored Market');
  const { log, alarmLog, pool } = web.server.service;
  const id = randomUUID();
  log.error(
    { alarm: 'restore_order', tenant_id: tenantId, id, amount: 50_00 },
    'the bank has an order of which no record is known since a restore',
  );
  await alarmLog.flush();
  await signInAsStaff();
  await open('/alarms', 'Alarms');
  await page.getByRole('button', { name: 'restore order' }).press('Enter');
  const drawer = page.getByRole('dialog', { name: 'restore order' });
  await drawer.getByRole('button', { name: 'Settle the order' }).press('Enter');
  await drawer.getByLabel('Reason for the second admin').fill('The bank paid it back');
  await proveReadable(page, 'alarm_settle');
  await drawer.getByRole('button', { name: 'Ask a second admin' }).press('Enter');
  await drawer.getByText('It waits for a second admin').waitFor();
  const { rows } = await pool.query(
    "select move, status from control.approvals where resource = 'restores' and record_id = $1",
    [id],
  );
  expect(rows).toEqual([{ move: 'settle', status: 'waiting' }]);
  await drawer.getByRole('link', { name: 'See the requests' }).click();
  const request = page.getByRole('listitem').filter({ hasText: "Settle a bank's order" });
  await request.getByRole('button', { name: `Copy ${id}`, exact: true }).waitFor();
  await proveReadable(page, 'request_settle');
  // The menu counts what waits for whoever looks: nothing for who asked, and for nobody once none does.
  const other = await colleague('admin');
  await open('/requests', 'Requests', other.page);
  await other.page.getByRole('link', { name: 'Requests 1 waiting' }).waitFor();
  await page.getByRole('link', { name: 'Requests', exact: true }).waitFor();
  await page.getByRole('button', { name: /^Take back: Settle/ }).click();
  await page.getByRole('button', { name: 'Take it back', exact: true }).click();
  await page.getByRole('status').getByText("Refused: Settle a bank's order").waitFor();
  await open('/requests', 'Requests', other.page);
  await other.page.getByText('Nothing waits').waitFor();
  await other.page.getByRole('link', { name: 'Requests', exact: true }).waitFor();
  await other.end();
});

test('support reads alarms and acknowledges none', async () => {
  await clear();
  web.server.service.log.warn({ alarm: 'no_worker' }, 'no process with the role worker is alive');
  await web.server.service.alarmLog.flush();
  const support = await colleague('support');
  await support.page.goto(`${web.hosted}/console/alarms`);
  await heading('Alarms', support.page).waitFor();
  await support.page.getByRole('button', { name: 'no worker' }).click();
  const drawer = support.page.getByRole('dialog', { name: 'no worker' });
  await drawer.getByRole('link', { name: 'Processes' }).waitFor();
  expect(await drawer.getByRole('button', { name: 'Acknowledge' }).count()).toBe(0);
  await support.end();
  await clear();
});
