import { expect, test } from 'vitest';
import {
  client,
  corruptionsIn,
  openDamagedLedger,
  sealedUntil,
  tenantId,
} from '../../../test/kit/ledger/damaged_ledger.ts';
import { checks } from '../verify.ts';
import { placeOf } from './plan.ts';
import { inspectSince } from './prove.ts';

/** Nothing of the sample ledger is sealed: all of it is after the checkpoint. */
openDamagedLedger(undefined, sealedUntil.nothing);

const until = sealedUntil.nothing;
const start = () => ({ tenantId, number: 1, until, provenAt: until });
const night = { pause: async () => {}, night: 1 };

/** Names of checks that a night leaves to the whole proof. */
const isLater = (name: string) =>
  checks.some((check) => check.name === name) && placeOf(name).by === 'later';
/** Whether a check needs sealed segments: the other test has them. */
const isSealed = (name: string) => name.startsWith('sealed.');

const corruptions = ['corruptions.sql', 'disputes_corruptions.sql']
  .flatMap(corruptionsIn)
  .filter(([invariant]) => !isSealed(invariant));

test('a night finds nothing in a ledger that is right, and says how many records it has read', async () => {
  const { ok, violations, checked } = await inspectSince(client, start(), night);
  expect(violations).toEqual([]);
  expect(ok).toBe(true);
  expect(checked).toBeGreaterThan(50);
});

test.each(corruptions.filter(([invariant]) => !isLater(invariant)))(
  '%s finds in a night %s after the checkpoint',
  async (invariant, _deed, sql) => {
    await client.query(sql);
    const only = checks.some(({ name }) => name === invariant) ? invariant : undefined;
    const { violations } = await inspectSince(client, start(), { ...night, only });
    expect(violations.map((violation) => violation.invariant)).toContain(invariant);
  },
);

/** Numbers that run out wait for the whole proof. */
const follows = corruptions.filter(
  ([invariant]) => isLater(invariant) && invariant !== 'ranges.columns',
);

test.each(follows)(
  '%s is left to the whole proof, and another finds in a night %s',
  async (_invariant, _deed, sql) => {
    await client.query(sql);
    expect((await inspectSince(client, start(), night)).ok).toBe(false);
  },
);

test('every check has its place in a night, and a new one without it is refused', () => {
  for (const { name } of checks) expect(placeOf(name)).toBeDefined();
  expect(() => placeOf('99.new')).toThrow('no place in a night');
});
