import { type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { addDays, easternDay } from '@tenant-payments/service/resources/limits/days.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { type RawBuilder, sql } from 'kysely';
import { type DeskSummary, mostQueued } from '../contract/operate/attention.ts';
import { type DeskResource, deskResources } from '../contract/operate/desk.ts';
import { tenantsOf } from './list.ts';
import type { DeskTenant } from './rows.ts';
import { sources } from './sources.ts';

/** Days of a week that the summary shows. */
const week = 7;
/** The place of cases that are due behind the week. */
const later = week;

/** Cases of a kind that are due so many days from today; below 0: late; null: never. */
interface Part {
  readonly days: number | null;
  readonly count: number;
  readonly oldest_seconds: number;
}

interface Asked {
  readonly db: ReadContext['db'];
  readonly tenants: readonly DeskTenant[];
  readonly realNow: Instant;
}

const inStatus = (resource: DeskResource) =>
  sql`t.status in (${sql.join(sources[resource].statuses.map((one) => sql.lit(one)))})`;

/** A dispute that was decided on may still have a deadline, as its board shows (rules/disputes#44). */
const notClosed = sql`t.status <> 'closed'`;

/** The records of one resource in the Tenants of one database, the oldest first, with one more than are counted. */
async function partsOf(
  resource: DeskResource,
  { db, tenants, realNow }: Asked,
  which: RawBuilder<unknown> = inStatus(resource),
): Promise<Part[]> {
  const { table, due, since: column, open, isRealTime } = sources[resource];
  const ids = tenants.map(({ tenant_id }) => tenant_id);
  const nows = tenants.map(({ now }) => (isRealTime ? realNow : now));
  const ownNows = tenants.map(({ now }) => now);
  const since = sql.ref(`t.${column}`);
  const day = (at: ReturnType<typeof sql>) => sql`((${at}) at time zone 'America/New_York')::date`;
  const { rows } = await sql<Part>`
    select case when due_at is null then null when due_at <= now then -1
        else least(${sql.lit(later)}, ${day(sql`due_at - interval '1 ms'`)} - ${day(sql`now`)}) end as days,
      count(*)::int as count,
      greatest(0, max(extract(epoch from own_now - waiting_since)))::float8 as oldest_seconds
    from (select ${due} as due_at, ${since} as waiting_since, k.now, k.own_now
      from ${sql.table(table.name)} t
        join unnest(${ids}::uuid[], ${nows}::timestamptz[], ${ownNows}::timestamptz[])
          k(tenant_id, now, own_now) on k.tenant_id = t.tenant_id
      where t.tenant_id = any(${ids}::uuid[])
        and ${which} and ${open(realNow)}
      order by ${since} limit ${mostQueued + 1}) waiting
    group by 1`.execute(db);
  return rows;
}

const sumOf = (parts: readonly Part[]): number => parts.reduce((sum, { count }) => sum + count, 0);

function kindOf(resource: DeskResource, parts: readonly Part[]): DeskSummary['kinds'] {
  const waiting = sumOf(parts);
  if (waiting === 0) return [];
  return [
    {
      resource,
      waiting: Math.min(mostQueued, waiting),
      is_more: waiting > mostQueued,
      late: Math.min(mostQueued, sumOf(parts.filter(({ days }) => days !== null && days < 0))),
      oldest_seconds: Math.max(...parts.map((part) => part.oldest_seconds)),
    },
  ];
}

/**
 * GET /portal/api/desk-summary (rules/review#38): of each kind the cases that wait the longest, 1,000 at most. A day
 * that a Tenant's clock is ahead of real time counts as it will be told there: in so many days.
 */
export const getDeskSummary =
  ({ clocks, peers }: Pick<Service, 'clocks' | 'peers'>) =>
  async (context: ReadContext): Promise<DeskSummary> => {
    const realNow = instantOf(clocks.realNow());
    const cells = await Promise.all(
      peers.all().map(async ({ db, clocks: own }): Promise<Asked> => {
        const tenants = await tenantsOf({ ...context, db }, { clocks: own }, {});
        return { db, tenants, realNow };
      }),
    );
    const found = await Promise.all(
      deskResources.map(async (resource) => {
        const parts = await Promise.all(cells.map((cell) => partsOf(resource, cell)));
        return { resource, parts: parts.flat() };
      }),
    );
    const board = await Promise.all(cells.map((cell) => partsOf('disputes', cell, notClosed)));
    const withDue = [
      ...board.flat(),
      ...found.flatMap(({ resource, parts }) => (resource === 'disputes' ? [] : parts)),
    ];
    const today = easternDay(realNow);
    return {
      object: 'desk_summary',
      kinds: found
        .flatMap(({ resource, parts }) => kindOf(resource, parts))
        .sort((a, b) => b.oldest_seconds - a.oldest_seconds),
      due: Array.from({ length: week }, (_, days) => ({
        day: addDays(today, days),
        count: sumOf(withDue.filter((part) => part.days === days)),
      })),
    };
  };
