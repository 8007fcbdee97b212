import { type Clocks, shiftedInstantSql } from '@tenant-payments/engine/time/clock.ts';
import { type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type pg from 'pg';
import type { OrderPurpose } from './bank.ts';
import { type InstructionRow, purposeOf } from './instructions.ts';

/** The orders that wait for the bank without an end of their own: requests end by their deadline. */
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

/** An order of the platform itself, or a transfer of a record. */
export const unansweredKinds = ['own', 'transfer'] as const;
export type UnansweredKind = (typeof unansweredKinds)[number];
/** The most records of each kind to read, oldest first: the age of the oldest needs no more. */
const recordsRead = 5_000;

const tenantTime = `coalesce(t.clock_at, ${shiftedInstantSql('$1::timestamptz', "+ t.clock_offset_ms * interval '1 ms'")})`;

const orderColumns =
  'i.tenant_id, i.id, i.source_type, i.purpose, coalesce(i.sent_at, i.created_at) as since';

/** The limit makes it one look into the index for each record, whatever the planner knows of the tables. */
const waitingRecords = [
  { type: 'withdrawal', table: 'withdrawals', waits: `r.status = 'processing'` },
  { type: 'refund', table: 'refunds', waits: `r.status = 'processing'` },
  { type: 'dispute', table: 'disputes', waits: `r.credit_route = 'sent'` },
] as const;
const ofWaitingRecords = (statuses: string) =>
  waitingRecords.map(
    ({ type, table, waits }) => `select o.tenant_id, o.id, o.source_type, o.purpose, o.since
    from (select r.tenant_id, r.id from ${table} r where ${waits}
      order by r.created_at limit ${recordsRead}) w
    cross join lateral (select ${orderColumns}, i.status from instructions i
      where i.tenant_id = w.tenant_id and i.source_type = '${type}' and i.source_id = w.id
      limit 1) o
    where o.status in (${statuses})`,
  );

/** The orders in these states whose records wait. */
const waitingOrders = (statuses: string) =>
  [
    ...ofWaitingRecords(statuses),
    `select ${orderColumns} from instructions i
    where i.source_type = 'adjustment' and i.answer is null and i.status in (${statuses})`,
  ].join(' union all ');

/**
 * The orders of all Tenants that the bank has and has not answered. It begins at the records that wait, each from a
 * partial index, so that no payment writes anything for it (rules/bank-orders#25).
 */
const unanswered = `select o.tenant_id, o.id, o.source_type, o.purpose, o.since,
    extract(epoch from ${tenantTime} - o.since)::float8 as seconds
  from (${waitingOrders(`'unclear', 'sent'`)}) o
  join tenants t on t.tenant_id = o.tenant_id`;

type Reads = Pick<pg.Pool, 'query'>;
type Named = Pick<InstructionRow, 'purpose' | 'source_type'>;

/** Reads who waits for the bank now. */
export const openWaitingOrders =
  ({ pool, clocks }: { readonly pool: Reads; readonly clocks: Pick<Clocks, 'realNow'> }) =>
  async () => {
    const { rows } = await pool.query<
      Named & { tenant_id: string; count: number; seconds: number }
    >({
      name: 'orders that wait',
      text: `select u.tenant_id, u.purpose, u.source_type, count(*)::integer as count,
          max(u.seconds) as seconds
        from (${unanswered}) u group by u.tenant_id, u.purpose, u.source_type`,
      values: [instantOf(clocks.realNow())],
    });
    const waiting = rows.map(({ tenant_id: tenantId, count, seconds, ...named }) => ({
      tenantId,
      purpose: purposeOf(named),
      count,
      seconds: Math.max(0, seconds),
    }));
    return { purposes: unendingPurposes, waiting };
  };

export interface UnansweredOrder {
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
): Promise<UnansweredOrder[]> {
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

interface LostOrder {
  readonly tenant_id: string;
  readonly id: string;
}

/** The orders that are to be handed over and have no job that does it (rules/bank-orders#30). */
export async function ordersWithoutJob(pool: Reads): Promise<readonly LostOrder[]> {
  const { rows } = await pool.query<LostOrder>(
    `select o.tenant_id, o.id from (${waitingOrders(`'waiting', 'unclear'`)}) o
     where not exists (select from jobs j where j.tenant_id = o.tenant_id and j.ref = o.id
       and j.name in ('instruction', 'order_hand_over'))
     order by o.since, o.id limit ${recordsRead}`,
  );
  return rows;
}
