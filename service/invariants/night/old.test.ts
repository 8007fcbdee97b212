import { expect, test } from 'vitest';
import { client, openDamagedLedger, tenantId } from '../../../test/kit/ledger/damaged_ledger.ts';
import { inspectLedger } from '../verify.ts';
import { inspectSince, nightsOfRound } from './prove.ts';

/** All of the sample ledger is sealed. */
openDamagedLedger();

interface Sealed {
  readonly number: number;
  readonly until: string;
  readonly entries: number;
}

async function sealed(): Promise<Sealed[]> {
  const { rows } = await client.query<Sealed>(
    'select number, until, entries from ledger_checkpoints order by number',
  );
  return rows;
}

/** The names that one night finds. */
async function foundIn(night: number): Promise<string[]> {
  const last = (await sealed()).at(-1) as Sealed;
  const start = { tenantId, number: last.number, until: last.until, provenAt: last.until };
  const { violations } = await inspectSince(client, start, { pause: async () => {}, night });
  return [...new Set(violations.map(({ invariant }) => invariant))];
}

/** The names that the nights of a round find together. */
async function foundInRound(): Promise<string[]> {
  const found = new Set<string>();
  const numbers = (await sealed()).map(({ number }) => number % nightsOfRound);
  for (const night of new Set(numbers)) for (const name of await foundIn(night)) found.add(name);
  return [...found];
}

test('all entries are sealed once, day by day, and a night after it finds nothing', async () => {
  const checkpoints = await sealed();
  expect(checkpoints.length).toBeGreaterThan(1);
  const { rows } = await client.query('select count(*)::integer as count from entries');
  expect(checkpoints.reduce((sum, { entries }) => sum + entries, 0)).toBe(rows[0].count);
  expect(await foundInRound()).toEqual([]);
});

const oldEntry = `where ctid = (select ctid from entries where step = 'payment_completed'
  and pocket = 'available' order by created_at limit 1)`;

test.each([
  ['an amount of an old entry', `update entries set delta = delta + 1 ${oldEntry}`],
  ['a fee of an old entry', `update entries set fee_amount = fee_amount + 1 ${oldEntry}`],
  [
    'the time of an old entry',
    `update entries set created_at = created_at + interval '1 ms' ${oldEntry}`,
  ],
  ['an old entry that was removed', `delete from entries ${oldEntry}`],
])('within a round of nights %s is found, and by the whole proof at once', async (_what, sql) => {
  await client.query(sql);
  expect(await foundInRound()).toContain('sealed.entries');
  const { violations } = await inspectLedger(client, { tenantId });
  expect(violations.map(({ invariant }) => invariant)).toContain('sealed.entries');
});

test('an old movement that was changed alike in entries, records and balances is found', async () => {
  // Nothing but the sealed sums knows of it: the whole ledger is right in itself.
  await client.query(`update entries set counterpart_id = null, counterpart_kind = null`);
  expect(await foundInRound()).toEqual(['sealed.entries']);
});

test('the first night finds a balance that was changed, of whichever account', async () => {
  await client.query(`update balances set available = available + 1 where ctid = (select b.ctid
    from balances b order by b.entry_count limit 1)`);
  expect(await foundIn(0)).toEqual(expect.arrayContaining(['2.pockets', '3.cash']));
});

test('the first night finds a checkpoint that was changed with its hash', async () => {
  const columns =
    'number, since, until, proven_at, entries, cash, fees_platform, fees_tenant, reserve, suspense';
  await client.query(`update ledger_checkpoints set cash = cash + 1, hash = encode(sha256(
    convert_to(row(${columns})::text, 'UTF8')), 'hex') where number = 1`);
  expect(await foundIn(0)).toContain('sealed.chain');
});
