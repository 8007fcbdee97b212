import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lifecycles } from '@tenant-payments/contract/lifecycles.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { afterAll, expect, test } from 'vitest';
import { sandboxWeek } from '../../start/composition.ts';
import { proveLedger } from '../../test/kit/ledger/prove_ledger.ts';
import { startTestServer, type TestServer } from '../../test/kit/server.ts';
import { planWeek } from './plan.ts';
import type { Refused } from './player.ts';
import { readProgress } from './progress.ts';
import { weekTenantId } from './week.ts';

/** The sample week of a sandbox (rules/sandbox#42). */

const open: TestServer[] = [];
afterAll(() => Promise.all(open.map((server) => server.stop())));

interface Played {
  readonly server: TestServer;
  readonly dataDir: string;
  readonly refused: readonly Refused[];
  play(stopAfter?: number): Promise<number>;
}

/** A sandbox; `play` starts its week, and stops it after a number of moments. */
async function sandbox(): Promise<Played> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tpay-week-'));
  const server = await startTestServer({ workers: false, config: { dataDir } });
  open.push(server);
  const refused: Refused[] = [];
  return {
    server,
    dataDir,
    refused,
    async play(stopAfter = Number.POSITIVE_INFINITY) {
      let moments = 0;
      const week = sandboxWeek(server.service, server.rails, {
        onPlayed: (_played, more) => {
          refused.push(...more);
          moments += 1;
          if (moments >= stopAfter) void week.stop();
        },
      });
      await week.play();
      return moments;
    },
  };
}

const select = async ({ server }: Played, text: string) =>
  (await server.owner.query(text, [weekTenantId])).rows;

/** Everything of the Tenant that no time or id is in. */
const summary = async (played: Played) => [
  ...(await select(
    played,
    `select external_ref, type, status, given_name, legal_name
    from customers where tenant_id = $1 order by 1`,
  )),
  ...(await select(
    played,
    `select amount, status, count(*)::int from payments
    where tenant_id = $1 group by 1, 2 order by 1, 2`,
  )),
  ...(await select(
    played,
    `select pocket, sum(delta)::bigint as cents from entries
    where tenant_id = $1 group by 1 order by 1`,
  )),
];

/** The table of each kind of record. */
const tables = {
  customer: 'customers',
  owner: 'owners',
  linked_account: 'linked_accounts',
  account: 'accounts',
  load: 'loads',
  payment_request: 'payment_requests',
  payment: 'payments',
  withdrawal: 'withdrawals',
  refund: 'refunds',
  dispute: 'disputes',
  session: 'sessions',
  document_acceptance: 'documents',
} as const;

/** The things that the week has none of: an owner is invited on a page, and its disputes are still open. */
const absent = new Set(['owner invited', 'linked_account pending', 'dispute closed']);

const whole = await sandbox();
const moments = await whole.play();

test('40 customers stand in every status, and so do the records of each kind', async () => {
  expect(whole.refused).toEqual([]);
  const [{ count }] = await select(
    whole,
    'select count(*)::int from customers where tenant_id = $1',
  );
  expect(count).toBe(40);
  for (const [kind, table] of Object.entries(tables)) {
    const rows = await select(whole, `select distinct status from ${table} where tenant_id = $1`);
    const { states } = lifecycles[kind as keyof typeof tables];
    const expected = states.filter((status) => !absent.has(`${kind} ${status}`));
    expect(rows.map(({ status }) => status).sort(), kind).toEqual([...expected].sort());
  }
});

test('six disputes stand on different days, one late, one credited and one decided', async () => {
  const rows = await select(
    whole,
    `select status, outcome, credit_due_at < now() as late,
       (notice_received_at at time zone 'America/New_York')::date::text as day
     from disputes where tenant_id = $1 order by notice_received_at`,
  );
  expect(rows).toHaveLength(6);
  expect(new Set(rows.map(({ day }) => day)).size).toBe(6);
  expect(rows.filter(({ late }) => late)).toHaveLength(1);
  expect(rows.map(({ status }) => status)).toEqual(
    expect.arrayContaining(['received', 'investigating', 'provisional_credit', 'resolved']),
  );
});

test('the ledger holds, and the clock has come to real time', async () => {
  await proveLedger(whole.server.owner);
  const [clock] = await select(
    whole,
    'select clock_offset_ms, clock_at from tenants where tenant_id = $1',
  );
  expect(clock.clock_at).toBeNull();
  expect(Math.abs(clock.clock_offset_ms)).toBeLessThan(60_000);
});

test('a second start makes nothing', async () => {
  const before = await summary(whole);
  expect(await whole.play()).toBe(0);
  expect(await summary(whole)).toEqual(before);
});

test('a week that was stopped goes on at the next start, and nothing is made twice', async () => {
  const parted = await sandbox();
  expect(await parted.play(9)).toBe(9);
  expect(await parted.play(30)).toBe(30);
  expect(await parted.play()).toBe(moments - 39);
  expect(parted.refused).toEqual([]);
  expect(await summary(parted)).toEqual(await summary(whole));
  expect(await readProgress(parted.dataDir)).toMatchObject({ isDone: true });
});

test('the plan of a seed is the same at any time but for its instants', () => {
  const acts = (end: number) => planWeek(instantOf(end)).flatMap(({ chains }) => chains);
  const [first, second] = [Date.UTC(2026, 2, 4, 18), Date.UTC(2026, 2, 4, 19)];
  expect(acts(first)).toEqual(acts(second));
  for (const { at } of planWeek(instantOf(first)))
    expect(Date.parse(at)).toBeLessThanOrEqual(first);
});
