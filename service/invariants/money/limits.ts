import type { Check } from '../check.ts';

/** The records that each counter of `limit_counters` sums, as rows like its own. */
export const countedRecords = {
  daily: [
    `select tenant_id, payer_customer_id, 'payment_daily', counted_day, amount from payments
      where status not in ('failed', 'canceled')`,
    `select tenant_id, customer_id, 'withdrawal_daily', counted_day, amount from withdrawals
      where status <> 'failed' and counted_day is not null`,
    `select tenant_id, customer_id, 'load_daily', counted_day, amount from loads
      where status <> 'failed'`,
  ],
  longer: [
    `select tenant_id, customer_id, 'load_30_day', counted_block, amount from loads
      where status <> 'failed'`,
    `select tenant_id, customer_id, 'open_loads', date '1970-01-01', amount from loads
      where status in ('requires_confirmation', 'processing')`,
  ],
} as const;
const counted = [...countedRecords.daily, ...countedRecords.longer];

/** Use of limits (rules/invariants#11). */
export const limitsChecks: readonly Check[] = [
  {
    name: '11.counters',
    clause: "each counter is the sum of its period's records that are not failed or canceled",
    sql: `select tenant_id, 'customer' as kind, customer_id as id, format('%s of %s: %s counted, %s used',
        kind, period, sum(used), sum(amount)) as message
      from (select tenant_id, customer_id, kind, period, used, 0 as amount from limit_counters
        union all select tenant_id, customer_id, kind, period, 0, amount
        from (${counted.join(' union all ')}) c(tenant_id, customer_id, kind, period, amount)) both_sides
      group by tenant_id, customer_id, kind, period having sum(used) <> sum(amount)`,
  },
  {
    name: '11.payouts',
    clause: "each sum of a Tenant's day is that of its counted withdrawals that have not failed",
    sql: `select tenant_id, 'tenant' as kind, tenant_id as id, format('withdrawals of %s: %s counted, %s used',
        day, sum(used), sum(amount)) as message
      from (select tenant_id, day, used, 0 as amount from payout_sums
        union all select tenant_id, counted_day, 0, amount from withdrawals
        where counted_in_payouts and status <> 'failed') both_sides(tenant_id, day, used, amount)
      group by tenant_id, day having sum(used) <> sum(amount)`,
  },
  {
    name: '11.within',
    clause: 'no counter rose above what the limit allowed',
    sql: `select tenant_id, 'customer' as kind, customer_id as id,
        format('%s of %s: rose to %s, %s allowed', kind, period, rose_to_cents, at_most_cents) as message
      from limit_counters where rose_to_cents > at_most_cents`,
  },
];
