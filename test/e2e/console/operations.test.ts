import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { page, useOneWindow, useWeb, web } from '../../kit/pages/browser/web.ts';
import { proveReadable } from '../readable.ts';
import { colleague, heading, newTenant, open, signInAsStaff } from './pages.ts';

/** How the deployment does, in the operations console. */

useWeb();
useOneWindow();

/** The time some seconds ago by the service's clock, which a test holds. */
const ago = (seconds: number) =>
  new Date(web.server.service.clocks.realNow() - seconds * 1_000).toISOString();
const daySeconds = 86_400;

const region = (name: string) => page.getByRole('region', { name, exact: true });

test('the page shows processes, queues and proofs, and what is late with what to do', async () => {
  const { pool } = web.server.service;
  const { tenantId } = await newTenant('Stalled Market');
  await web.server.service.processRegistry.start();
  await signInAsStaff();
  await open('/operations', 'Operations');
  await page.getByText('answers you', { exact: true }).waitFor();
  await page.getByText('live', { exact: true }).first().waitFor();
  await proveReadable(page, 'operations');
  await pool.query(
    `insert into jobs (tenant_id, name, ref, due_at, wake_at, real)
     values ($1, 'erasure', $2, $3, $4, true), ($1, 'customer_message', $2, $5, $5, true)`,
    [tenantId, randomUUID(), ago(600), ago(-1_800), ago(300)],
  );
  await pool.query(
    `insert into processes (process_id, roles, started_at, seen_at)
     values ($1, 'worker', $2, $3)`,
    [randomUUID(), ago(3_600), ago(25)],
  );
  await page.getByText('A job is more than a minute late').waitFor();
  await page.getByText('A process was not seen for 10 seconds.').waitFor();
  await page.getByText('lost', { exact: true }).waitFor();
  await page.getByRole('cell', { name: 'erasure', exact: false }).waitFor();
  await proveReadable(page, 'operations_worries');
  await region('Jobs').getByRole('link', { name: 'Stalled Market' }).first().click();
  await heading('Stalled Market').waitFor();
  await pool.query("delete from jobs where name in ('erasure', 'customer_message') and real");
  await web.server.service.processRegistry.stop();
  await pool.query('delete from processes');
});

test('the proofs of each ledger are shown by day, and one is made on a button', async () => {
  const { pool } = web.server.service;
  const { tenantId } = await newTenant('Proven Market');
  await web.server.owner.query('update tenants set created_at = $2 where tenant_id = $1', [
    tenantId,
    ago(4 * daySeconds),
  ]);
  await pool.query(
    `insert into ledger_proofs (tenant_id, id, at, cause, ok, checked, found, violations,
       duration_ms, process_id, since_checkpoint)
     select $1, gen_random_uuid(), $3::timestamptz - days * interval '1 day', 'night', days <> 2, 4321,
       case days when 2 then 1 else 0 end, case days when 2 then $2::jsonb else '[]' end, 740,
       gen_random_uuid(), case days when 2 then 41 end from unnest(array[3, 2]) days`,
    [
      tenantId,
      JSON.stringify([
        { invariant: '1.movements', tenant_id: tenantId, subject: 'pay_1', message: 'no movement' },
      ]),
      ago(0),
    ],
  );
  await signInAsStaff();
  await open('/ledger-proofs', 'Ledger proofs');
  const row = page.getByRole('row').filter({ hasText: 'Proven Market' });
  await row.getByText('1 violation').waitFor();
  await row.getByRole('img', { name: /^1 ok, 1 violated, \d missing$/ }).waitFor();
  await proveReadable(page, 'ledger_proofs');
  await page.getByRole('button', { name: 'Proofs of Proven Market' }).press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Proofs of Proven Market' });
  await drawer.getByText('no movement').waitFor();
  await drawer.getByText('checkpoint 41').waitFor();
  await proveReadable(page, 'ledger_proofs_open');
  await drawer.getByRole('button', { name: 'Acknowledge' }).press('Enter');
  await drawer.getByLabel('Reason for the second admin').fill('A hand in the database');
  await drawer.getByRole('button', { name: 'Ask a second admin' }).press('Enter');
  await drawer.getByText('It waits for a second admin').waitFor();
  await pool.query(
    `update ledger_proofs set acknowledged_at = now() where tenant_id = $1 and not ok`,
    [tenantId],
  );
  await pool.query(
    `update approvals set status = 'approved', decided_at = now(), decider = 'person otto'
     where tenant_id = $1 and resource = 'ledger-proofs'`,
    [tenantId],
  );
  await page.keyboard.press('Escape');
  await page.reload();
  await page.getByRole('button', { name: 'Proofs of Proven Market' }).press('Enter');
  await drawer.getByRole('button', { name: 'Take back' }).press('Enter');
  await drawer.getByText('The next proof finds its violations again').waitFor();
  await proveReadable(page, 'ledger_proofs_take_back');
  await drawer.getByRole('button', { name: 'Check the ledger' }).press('Enter');
  await drawer
    .getByRole('status')
    .getByText(/rows agree with each other/)
    .waitFor();
  await page.keyboard.press('Escape');
  await row.getByText('ok', { exact: true }).waitFor();
  const { rows } = await pool.query('select 1 from ledger_proofs where tenant_id = $1', [tenantId]);
  expect(rows).toHaveLength(3);
});

test('support reads how the deployment does', async () => {
  const support = await colleague('support');
  await support.page.goto(`${web.hosted}/console/operations`);
  await heading('Operations', support.page).waitFor();
  await support.page.getByRole('heading', { level: 2, name: 'Processes' }).waitFor();
  await support.end();
});
