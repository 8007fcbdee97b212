import type { Values } from '@tenant-payments/engine/entity.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type pg from 'pg';
import { readAcknowledged } from '../acknowledged.ts';
import type { Check } from '../check.ts';
import { recordedResources } from '../events/recorded.ts';
import { type RunQuery, replay } from '../events/replay.ts';
import { strayEvents } from '../events/versions.ts';
import { type Conditions, scopedQuery } from '../scope.ts';
import { openForSeconds } from '../sealed/seal.ts';
import { deadlineMs } from '../snapshots.ts';
import { checks, firstOf, openReport, type Verification, violationOf } from '../verify.ts';
import { type Page, type PageKind, pages, touchedIds } from './pages.ts';
import { type Place, placeOf } from './plan.ts';
import { easternDay, sinceChecks } from './since.ts';

/** The begin of a night. */
export interface Start {
  readonly tenantId: string;
  /** The last checkpoint's number, and what it seals by the Tenant's clock. */
  readonly number: number;
  readonly until: Instant;
  /** The database's time at which its proof began. */
  readonly provenAt: Instant;
  /** In seconds: a transaction that began so long before the checkpoint's proof may have committed in it or after it. */
  readonly openFor?: number | undefined;
}

/** Old segments are proven anew in turn, so that each is once in so many nights. */
export const nightsOfRound = 30;
/** Records of a page: each check looks up their rows by keys. */
const pageSize = 2_000;
/** An event and the entry that it tells of are of about the same time. */
const aroundEvents = '1 day';

const posted = 'coalesce(posted_at, created_at)';
const zone = `'America/New_York'`;

const quote = (instant: string) => `'${instant}'::timestamptz`;

/** The earliest time at which an event may be recorded that the checkpoint's proof did not see. */
const unseenFrom = ({ provenAt, openFor = openForSeconds }: Start) =>
  `${quote(provenAt)} - interval '${openFor} seconds'`;

/** The rows written since, of tables that checks with the place `since` read. */
function conditionsSince(start: Start): Record<string, Conditions> {
  const from = quote(start.until);
  const day = easternDay(from);
  const recent = `id >= rpad(lpad(to_hex((extract(epoch from ${from} - interval '2 days') * 1000)::bigint),
    12, '0'), 32, '0')::uuid and counted_day > ${day}`;
  const entries = `${posted} >= ${from}`;
  const days = {
    entries: `${posted} >= (${day}::timestamp at time zone ${zone})`,
    reconciliation_reports: `day >= ${day}`,
  };
  const events = `recorded_at >= ${unseenFrom(start)}`;
  return {
    usual: { entries, events, idempotency: `created_at >= ${from}` },
    '15.closing': days,
    '15.totals': days,
    '11.counters': {
      payments: recent,
      withdrawals: recent,
      loads: recent,
      limit_counters: `kind in ('payment_daily', 'withdrawal_daily', 'load_daily') and period > ${day}`,
    },
    '11.payouts': { withdrawals: recent, payout_sums: `day > ${day}` },
    // Counters of 30 days and those without a period may have risen as well.
    '11.within': { limit_counters: `(period > ${day} - 31 or period = date '1970-01-01')` },
    '6.records': { events, entries: `${posted} >= ${from} - interval '${aroundEvents}'` },
    // Replies may show events of any time, by their ids.
    '13.effect': { idempotency: `created_at >= ${from}` },
    references: { entries, idempotency: `created_at >= ${from}` },
  };
}

const byName = new Map(sinceChecks.map((check) => [check.name, check]));
const inNight = checks.map((check) => ({
  check: byName.get(check.name) ?? check,
  place: placeOf(check.name),
}));

const isOf =
  <By extends Place['by']>(by: By) =>
  (one: {
    check: Check;
    place: Place;
  }): one is { check: Check; place: Extract<Place, { by: By }> } =>
    one.place.by === by;

/** A check and the rows that it reads. */
interface Order {
  readonly check: Check;
  readonly also: Conditions;
}

function wholeOrders(night: number): Order[] {
  const turn = { ledger_checkpoints: `number % ${nightsOfRound} = ${night % nightsOfRound}` };
  return inNight.filter(isOf('whole')).map(({ check, place }) => ({
    check,
    also: /^sealed\.(entries|accounts)/.test(check.name) ? turn : (place.also ?? {}),
  }));
}

function sinceOrders(start: Start): Order[] {
  const conditions = conditionsSince(start);
  const stray = recordedResources.map((recorded) => strayEvents(recorded));
  return [...inNight.filter(isOf('since')).map(({ check }) => check), ...stray].map((check) => ({
    check,
    also:
      conditions[check.name.startsWith('references.') ? 'references' : check.name] ??
      conditions.usual ??
      {},
  }));
}

const pageOrders = (kind: PageKind, { rows }: Page): Order[] =>
  inNight
    .filter(isOf('touched'))
    .filter(({ place }) => place.kinds.includes(kind))
    .map(({ check, place }) => ({ check, also: { ...rows, ...place.also?.[kind] } }));

interface Manner {
  /** Between two steps, each a check or a page; the next may be of another snapshot. */
  readonly pause: () => Promise<void>;
  /** The part of the old segments that is proven. */
  readonly night: number;
  /** One check alone, for tests. */
  readonly only?: string | undefined;
}

/**
 * Proves a Tenant's ledger from its last checkpoint on: what was written since, the records that were
 * touched since, all balances, and one part of the old segments (rules/invariants#25). The caller's
 * transaction may be of one snapshot.
 */
export async function inspectSince(
  client: pg.ClientBase,
  start: Start,
  { pause, night, only }: Manner,
): Promise<Verification> {
  const tenants = `tenant_id = ${client.escapeLiteral(start.tenantId)}::uuid`;
  const report = openReport(await readAcknowledged(client, tenants));
  let checked = 0;

  const runQuery: RunQuery = async (text, values) => {
    const query = { text, values, query_timeout: deadlineMs };
    return (await client.query<Values>(query)).rows;
  };

  const chosen = (orders: readonly Order[]) =>
    orders.filter(({ check }) => only === undefined || check.name === only);
  /** In one round trip. */
  async function run(orders: readonly Order[]): Promise<void> {
    if (orders.length === 0) return;
    const text = orders
      .map(({ check, also }) => scopedQuery(firstOf(check.sql, report.first), tenants, also))
      .join(';\n');
    const query = { text, query_timeout: deadlineMs };
    const results: unknown = await client.query(query);
    for (const [index, { rows }] of (Array.isArray(results) ? results : [results]).entries())
      for (const row of rows) report.add(violationOf((orders[index] as Order).check, row));
  }

  /** A cursor that outlives its snapshot, since all ids at once may be millions. */
  async function* touched(page: Page): AsyncGenerator<string[]> {
    const name = 'touched_since';
    const ids = touchedIds(page)
      .replaceAll('$1', client.escapeLiteral(start.tenantId))
      .replaceAll('$2', unseenFrom(start))
      .replaceAll('$3', quote(start.until));
    await client.query(`declare ${name} no scroll cursor with hold for ${ids}`);
    await pause();
    for (;;) {
      const { rows } = await client.query<{ id: string }>(`fetch ${pageSize} from ${name}`);
      if (rows.length > 0) yield rows.map(({ id }) => id);
      if (rows.length < pageSize) break;
    }
    await client.query(`close ${name}`);
  }

  async function provePages(kind: PageKind): Promise<void> {
    const page = pages[kind];
    const orders = chosen(pageOrders(kind, page));
    if (only !== undefined && orders.length === 0) return;
    const recorded = recordedResources.find(({ resource }) => resource === page.replayed?.resource);
    for await (const ids of touched(page)) {
      checked += ids.length;
      const literal = client.escapeLiteral(`{${ids.join(',')}}`);
      await client.query(`set local tenant_payments.page = ${literal}`);
      await run(orders);
      if (recorded && page.replayed) {
        const { part = 0, column } = page.replayed;
        const only = { part, where: `${column} = any (${literal}::uuid[])` };
        await replay(runQuery, recorded, { tenants, pause: undefined, only }, report.add);
      }
      await pause();
    }
  }

  for (const order of chosen([...wholeOrders(night), ...sinceOrders(start)])) {
    await run([order]);
    await pause();
  }
  for (const kind of Object.keys(pages) as PageKind[]) await provePages(kind);
  return report.ended(checked);
}
