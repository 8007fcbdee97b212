import { expect, test } from 'vitest';
import { client, openDamagedLedger } from '../../test/kit/damaged_ledger.ts';
import { reportCorruptions } from '../../test/kit/report_corruptions.ts';
import { reportsChecks } from './records/reports.ts';
import { inspectLedger } from './verify.ts';

/** The sample ledger after a month and a day. */
openDamagedLedger(({ api }) => api.advance('2026-03-02T12:00:00Z'));

test('the ledger of a complete month has no violation', async () => {
  const { violations } = await inspectLedger(client);
  expect(violations).toEqual([]);
});

test.each(reportCorruptions)('%s finds %s', async (invariant, _, sql) => {
  await client.query(sql);
  const { ok, violations } = await inspectLedger(client);
  expect(ok).toBe(false);
  const found = violations.map((violation) => violation.invariant);
  expect(found).toContain(invariant);
});

test('every check of reports has a corruption that it finds', () => {
  const tried = new Set(reportCorruptions.map(([invariant]) => invariant));
  expect(reportsChecks.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([]);
});
