import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';

/** The kinds of counters: amounts by period, and the loads that are open now. */
export const counterKinds = [
  'load_daily',
  'load_30_day',
  'open_loads',
  'payment_daily',
  'withdrawal_daily',
] as const;
export type CounterKind = (typeof counterKinds)[number];

/**
 * The amounts that a customer has used of a limit in a period (rules/limits#7). A counter needs no proof by revision: a
 * command that counts adds to it, up to the limit (rules/records#18).
 */
export const limitCounters = table({
  name: 'limit_counters',
  key: ['customer_id', 'kind', 'period'],
  columns: {
    customer_id: column.uuid,
    kind: words(counterKinds),
    /** The first day of the period; the epoch's first day where there is none. */
    period: column.date,
    used: column.cents,
    /** The most that the limit allowed when it last rose; null: no limit, or 1.0 has counted. */
    at_most_cents: orNull(column.cents),
    /** The amount used then: 1.0 adds without a word of the limit. */
    rose_to_cents: orNull(column.cents),
  },
  proof: 'none',
  sum: 'used',
  most: 'at_most_cents',
  rose: 'rose_to_cents',
});
export type CounterRow = RowOf<typeof limitCounters>;
