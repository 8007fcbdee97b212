import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { openClient } from '../../../engine/database/pool.ts';
import { proveTonight } from '../../../service/invariants/nightly_proof.ts';
import { easternDay } from '../../../service/resources/limits/days.ts';
import { openCells } from '../../kit/cells.ts';
import { refusalOf } from '../../kit/refusal.ts';
import { openMoving, testMoves } from './move_tests.ts';

const opened = await openCells(['cell_a', 'cell_b']);
testMoves(opened);

const { cells, apiOf, asOwner, ownerUrl } = opened;
const [first, second] = cells;
const { move, rowsIn } = openMoving(opened);

test('a move that cannot be begun is refused, and changes nothing', async () => {
  const { tenantId } = await second.anotherTenant({ name: 'Refused' });
  const unknown = await refusalOf(move(randomUUID(), 'cell_b'));
  expect(unknown).toMatchObject({ code: 'not_found', details: { reason: 'unknown_tenant' } });
  const nowhere = await refusalOf(move(tenantId, 'cell_c'));
  expect(nowhere).toMatchObject({ param: 'to', details: { reason: 'unknown_cell' } });
  const same = await refusalOf(move(tenantId, 'cell_b'));
  expect(same).toMatchObject({ param: 'to', details: { reason: 'same_cell' } });
  await asOwner(`update cell_b.tenants set clock_at = now(), clock_target = now() + interval '1 day',
    clock_lease_until = now() + interval '1 hour' where tenant_id = '${tenantId}'`);
  const advancing = await refusalOf(move(tenantId, 'cell_a'));
  expect(advancing).toMatchObject({
    code: 'invalid_state',
    details: { reason: 'clock_advancing' },
  });
  await asOwner(`update cell_b.tenants set clock_at = null, clock_target = null,
    clock_lease_until = null where tenant_id = '${tenantId}'`);
  expect(await rowsIn('cell_a', tenantId)).toBe(0);

  const running: Promise<unknown>[] = [];
  await move(tenantId, 'cell_a', (step) => {
    if (step === 'begun') running.push(refusalOf(move(tenantId, 'cell_a')));
  });
  expect(await running[0]).toMatchObject({ details: { reason: 'moving' } });
});
test('append-only rows of a Tenant are deleted in no cell that is its own', async () => {
  const tenant = await first.anotherTenant({ name: 'Kept' });
  const { tenantId } = tenant;
  await apiOf(tenant).funded('individual', 1_00);
  const owner = await openClient(ownerUrl);
  onTestFinished(() => owner.end());
  await owner.query(`select set_config('tenant_payments.left_behind', $1, false)`, [tenantId]);
  for (const table of ['entries', 'events']) {
    const { rows } = await owner.query(
      `select count(*)::integer as count from cell_a.${table} where tenant_id = $1`,
      [tenantId],
    );
    expect(rows[0].count, table).toBeGreaterThan(0);
    const deleting = owner.query(`delete from cell_a.${table} where tenant_id = $1`, [tenantId]);
    await expect(deleting, table).rejects.toThrow(`${table} is append-only`);
  }
});

test('a Tenant takes its checkpoints along, and its next night begins at the last one', async () => {
  const tenant = await second.anotherTenant({ name: 'Sealed' });
  const { tenantId } = tenant;
  await apiOf(tenant).funded('individual', 1_00);
  const prove = ({ service: { pool, clocks } }: typeof first) =>
    proveTonight(pool, tenantId, {
      clocks,
      signal: new AbortController().signal,
      rests: 0,
      wholeBelow: 0,
      sealsAlways: true,
    });
  expect(await prove(second)).toMatchObject({ ok: true, since: null, head: { number: 1 } });
  await move(tenantId, 'cell_a');
  expect(await prove(first)).toMatchObject({ ok: true, since: 1 });
  expect(await rowsIn('cell_b', tenantId)).toBe(0);
});

test("a bank statement is compared with each posting once while its Tenant's entries are in two cells", async () => {
  const tenant = await second.anotherTenant({ name: 'Compared' });
  const { tenantId } = tenant;
  const api = apiOf(tenant);
  await api.funded('individual', 80_00);
  const day = easternDay((await api.get('/portal/api/clock')).now);
  const csv = `date,amount,reference\n${day},80.00,unknown`;
  const file = { tenant_id: tenantId, day, file_name: 'bank.csv', csv };
  const { id } = await api.post('/portal/api/bank-statements', file);
  const compared = () => api.get(`/portal/api/bank-statements/${id}`);
  const before = await compared();
  expect(before.ledger_closing_balance).toBe(before.ledger_total);
  expect(before.ledger_total).toBeGreaterThan(0);
  await move(tenantId, 'cell_a', async (step) => {
    if (step !== 'copied') return;
    expect(await rowsIn('cell_a', tenantId)).toBeGreaterThan(0);
    expect(await compared()).toEqual(before);
  });
});
