import { expect, test } from 'vitest';
import { client, corruptionsIn, openDamagedLedger } from '../../test/kit/ledger/damaged_ledger.ts';
import { inspectLedger } from './verify.ts';

/** The sample ledger after a month and a day. */
openDamagedLedger(({ api }) => api.advance('2026-03-02T12:00:00Z'));

test('the ledger of a complete month has no violation', async () => {
  const { violations } = await inspectLedger(client);
  expect(violations).toEqual([]);
});

test.each(corruptionsIn('reports_corruptions.sql'))('%s finds %s', async (invariant, _, sql) => {
  await client.query(sql);
  const { ok, violations } = await inspectLedger(client);
  expect(ok).toBe(false);
  const found = violations.map((violation) => violation.invariant);
  expect(found).toContain(invariant);
});
