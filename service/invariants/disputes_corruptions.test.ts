import { expect, test } from 'vitest';
import { client, corruptionsIn, openDamagedLedger } from '../../test/kit/ledger/damaged_ledger.ts';
import { checks, inspectLedger } from './verify.ts';

openDamagedLedger();

/** Only this check: corruptions.test.ts runs all of them often enough. */
test.each(corruptionsIn('disputes_corruptions.sql'))(
  '%s finds %s',
  async (invariant, _deed, sql) => {
    await client.query(sql);
    const check = checks.find(({ name }) => name === invariant);
    const { rows } = await client.query(check?.sql ?? '');
    expect(rows.length).toBeGreaterThan(0);
  },
);

/** Copies the dispute under the lowest id, which its payment then names. */
const anotherOfOneInstant = `with other as (
    insert into disputes select (jsonb_populate_record(d,
      jsonb_build_object('id', '00000000-0000-7000-8000-000000000000', 'bank_order_id', null))).*
    from disputes d where counted_payment_id is not null limit 1 returning *)
  update payments p set dispute_id = other.id from other
    where p.tenant_id = other.tenant_id and p.id = other.counted_payment_id`;

test('a payment may name either of two disputes of one instant, whatever their ids', async () => {
  await client.query('drop index if exists disputes_movement');
  await client.query(anotherOfOneInstant);
  const check = checks.find(({ name }) => name === '7.dispute_id');
  expect((await client.query(check?.sql ?? '')).rows).toEqual([]);
  expect(
    (await client.query('select from payments where dispute_id is not null')).rowCount,
  ).not.toBe(0);
});

test('no violation is found where nothing was corrupted', async () => {
  expect((await inspectLedger(client)).violations).toEqual([]);
});
