import { expect, test } from 'vitest';
import { client, corruptionsIn, openDamagedLedger } from '../../test/kit/ledger/damaged_ledger.ts';
import { checks, inspectLedger } from './verify.ts';

openDamagedLedger();

const corruptions = corruptionsIn('corruptions.sql');

const found = async () => {
  const { violations } = await inspectLedger(client);
  return new Set(violations.map(({ invariant }) => invariant));
};

test.each(corruptions)('%s finds %s', async (invariant, _deed, sql) => {
  await client.query(sql);
  expect([...(await found())]).toContain(invariant);
});

const references = checks.map(({ name }) => name).filter((name) => name.startsWith('references.'));

test.each(references)('%s finds a row whose reference does not exist', async (name) => {
  const [, table = '', column = ''] = name.split('.');
  const { rowCount } = await client.query(
    `update ${table} set ${column} = gen_random_uuid() where ${column} is not null`,
  );
  expect(rowCount).toBeGreaterThan(0);
  expect([...(await found())]).toContain(name);
});

test('no violation is found where nothing was corrupted', async () => {
  expect([...(await found())]).toEqual([]);
});

test('every invariant has a corruption that it finds', () => {
  const others = ['disputes_corruptions.sql', 'reports_corruptions.sql'].flatMap(corruptionsIn);
  const proven = new Set([...corruptions, ...others].map(([invariant]) => invariant));
  const queries = checks.map(({ name }) => name).filter((name) => !references.includes(name));
  expect(queries.filter((name) => !proven.has(name))).toEqual([]);
});
