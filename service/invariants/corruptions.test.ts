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
