import { expect, test } from 'vitest';
import { client, corruptionsIn, openDamagedLedger } from '../../test/kit/ledger/damaged_ledger.ts';
import { checks, inspectLedger } from './verify.ts';

openDamagedLedger();

const corruptions = corruptionsIn('corruptions.sql');

/** Whether an invariant is violated; one that is a query is asked alone, which is much faster. */
async function isViolated(invariant: string): Promise<boolean> {
  const check = checks.find(({ name }) => name === invariant);
  if (check) return (await client.query(check.sql)).rows.length > 0;
  const { violations } = await inspectLedger(client);
  return violations.some((violation) => violation.invariant === invariant);
}

test.each(corruptions)('%s finds %s', async (invariant, _deed, sql) => {
  await client.query(sql);
  expect(await isViolated(invariant)).toBe(true);
});

test('the whole verification reports what its queries find', async () => {
  const byName = new Map(corruptions.map(([invariant, , sql]) => [invariant, sql]));
  const one = checks.find(({ name }) => byName.has(name));
  await client.query(byName.get(one?.name ?? '') ?? '');
  const { violations } = await inspectLedger(client);
  expect(violations.map(({ invariant }) => invariant)).toContain(one?.name);
});

/** Books 4 as moved of a credit of 5 that 1.0 has sent, and keeps 1 as not sent. */
const sentCredit = `with d as (select tenant_id, id from disputes
    where credit_route = 'account' and linked_to is null order by id limit 1),
  e as (insert into entries select tenant_id, gen_random_uuid(), null, 'cash', 5, null, null, null,
    'dispute', id, 'dispute_credit_sent', 9, null, null, null, null, null, now() from d),
  n as (select gen_random_uuid() as id),
  s as (insert into suspense (tenant_id, id, amount, status, reason, source_type, source_id, created_at)
    select d.tenant_id, gen_random_uuid(), 1, 'held', 'returned', 'adjustment', n.id, now() from d, n
    returning tenant_id, id, source_id)
  insert into bank_messages (tenant_id, id, source_type, source_id, suspense_id, outcome, amount, record_status,
      status, created_at, closed_at, booked_at)
    select tenant_id, s.source_id, 'dispute', d.id, s.id, 'settled', 4, 'sent', 'closed', now(), now(), now()
    from s join d using (tenant_id)`;

test('a booked message of a credit that 1.0 has sent violates none, unless the bank had refused the credit', async () => {
  expect((await client.query(sentCredit)).rowCount).toBe(1);
  expect(await isViolated('1.booked_messages')).toBe(false);
  await client.query(`insert into suspense (tenant_id, id, amount, status, reason, source_type, source_id, created_at)
    select tenant_id, gen_random_uuid(), 5, 'held', 'undeliverable', 'dispute', source_id, now()
    from bank_messages where record_status = 'sent' and booked_at is not null`);
  expect(await isViolated('1.booked_messages')).toBe(true);
});

test('a counter that 1.0 raises above the limit that this release had asked violates none', async () => {
  const risen = await client.query(
    'update limit_counters set used = used + at_most_cents where rose_to_cents <= at_most_cents',
  );
  expect(risen.rowCount).toBeGreaterThan(0);
  expect(await isViolated('11.within')).toBe(false);
});

const references = checks.map(({ name }) => name).filter((name) => name.startsWith('references.'));

test.each(references)('%s finds a row whose reference does not exist', async (name) => {
  const [, table = '', column = ''] = name.split('.');
  const { rowCount } = await client.query(
    `update ${table} set ${column} = gen_random_uuid() where ${column} is not null`,
  );
  expect(rowCount).toBeGreaterThan(0);
  expect(await isViolated(name)).toBe(true);
});

test('no violation is found where nothing was corrupted', async () => {
  expect((await inspectLedger(client)).violations).toEqual([]);
});

test('every invariant has a corruption that it finds', () => {
  const others = ['disputes_corruptions.sql', 'reports_corruptions.sql'].flatMap(corruptionsIn);
  const proven = new Set([...corruptions, ...others].map(([invariant]) => invariant));
  const queries = checks.map(({ name }) => name).filter((name) => !references.includes(name));
  expect(queries.filter((name) => !proven.has(name))).toEqual([]);
});
