import { type Clocks, moved } from '@tenant-payments/engine/time/clock.ts';
import { type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type pg from 'pg';
import type { OrderPurpose } from './bank.ts';
import { type InstructionRow, purposeOf } from './instructions.ts';

/** What waits for the bank without an end of its own: requests end by their deadline. */
export const unendingPurposes = [
  'withdrawal',
  'closing',
  'refund',
  'dispute_credit',
  'fee_sweep',
  'reserve_top_up',
  'return_of_funds',
  'suspense_return',
] as const satisfies readonly OrderPurpose[];
export type UnendingPurpose = (typeof unendingPurposes)[number];

/** An order of the platform itself, or a transfer of a record. */
export const unansweredKinds = ['own', 'transfer'] as const;
export type UnansweredKind = (typeof unansweredKinds)[number];
/** Of each kind of record the oldest are read: the age of the oldest needs no more. */
const recordsRead = 5_000;

const tenantTime = `coalesce(t.clock_at, ${moved('$1::timestamptz', "+ t.clock_offset_ms * interval '1 ms'")})`;

const orderColumns =
  'i.tenant_id, i.id, i.source_type, i.purpose, coalesce(i.sent_at, i.created_at) as since';

/** The limit makes it one look into the index for each record, whatever the planner knows of the tables. */
const waitingRecords = [
  { type: 'withdrawal', table: 'withdrawals', waits: `r.status = 'processing'` },
  { type: 'refund', table: 'refunds', waits: `r.status = 'processing'` },
  { type: 'dispute', table: 'disputes', waits: `r.credit_route = 'sent'` },
].map(
  ({ type, table, waits }) => `select o.tenant_id, o.id, o.source_type, o.purpose, o.since
    from (select r.tenant_id, r.id from ${table} r where ${waits}
      order by r.created_at limit ${recordsRead}) w
    cross join lateral (select ${orderColumns}, i.status from instructions i
      where i.tenant_id = w.tenant_id and i.source_type = '${type}' and i.source_id = w.id
      limit 1) o
    where o.status in ('unclear', 'sent')`,
);

/**
 * The orders of all Tenants that the bank has and has not answered. It begins at the records that wait, each from a
 * partial index, so that no payment writes anything for it (rules/bank-orders#25).
 */
const unanswered = `select o.tenant_id, o.id, o.source_type, o.purpose, o.since,
    extract(epoch from ${tenantTime} - o.since)::float8 as seconds
  from (${[
    ...waitingRecords,
    `select ${orderColumns} from instructions i
    where i.source_type = 'adjustment' and i.answer is null and i.status in ('unclear', 'sent')`,
  ].join(' union all ')}) o
  join tenants t on t.tenant_id = o.tenant_id`;

type Reads = Pick<pg.Pool, 'query'>;
type Named = Pick<InstructionRow, 'purpose' | 'source_type'>;

export type OrderAges = Readonly<Record<UnendingPurpose, number>>;

/** How old the oldest is by the clock of its Tenant, in seconds; 0: none of this purpose waits. */
async function oldestUnanswered(pool: Reads, now: Instant): Promise<OrderAges> {
  const { rows } = await pool.query<Named & { seconds: number }>({
    name: 'oldest unanswered order',
    text: `select u.purpose, u.source_type, max(u.seconds) as seconds from (${unanswered}) u
      group by u.purpose, u.source_type`,
    values: [now],
  });
  const ages = (purpose: UnendingPurpose) =>
    rows.filter((row) => purposeOf(row) === purpose).map(({ seconds }) => seconds);
  return Object.fromEntries(
    unendingPurposes.map((purpose) => [purpose, Math.max(0, ...ages(purpose))]),
  ) as Record<UnendingPurpose, number>;
}

/** Reads these ages now. */
export const openOrderAges =
  ({ pool, clocks }: { readonly pool: Reads; readonly clocks: Pick<Clocks, 'realNow'> }) =>
  (): Promise<OrderAges> =>
    oldestUnanswered(pool, instantOf(clocks.realNow()));

export interface Unanswered {
  readonly tenantId: string;
  readonly id: string;
  readonly purpose: OrderPurpose;
  /** By the clock of the Tenant. */
  readonly since: Instant;
}

/** The orders that wait for longer than their limit, the oldest first. @param hours by kind */
export async function overdueOrders(
  pool: Reads,
  now: Instant,
  hours: Readonly<Record<UnansweredKind, number>>,
): Promise<Unanswered[]> {
  const { rows } = await pool.query<Named & { tenant_id: string; id: string; since: Instant }>(
    `select u.tenant_id, u.id, u.source_type, u.purpose, u.since from (${unanswered}) u
     where u.seconds >= 3600 * case u.source_type when 'adjustment' then $2::integer
       else $3::integer end
     order by u.seconds desc, u.id limit ${recordsRead}`,
    [now, hours.own, hours.transfer],
  );
  return rows.map(({ tenant_id, id, since, ...named }) => ({
    tenantId: tenant_id,
    id,
    purpose: purposeOf(named),
    since,
  }));
}
