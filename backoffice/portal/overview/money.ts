import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import {
  addDays,
  type Day,
  daysBetween,
  easternDay,
  startOfDay,
} from '@tenant-payments/service/resources/limits/days.ts';
import {
  isPosting,
  postedAt,
  type Sum,
  type Totals,
  totalsOf,
} from '@tenant-payments/service/resources/reconciliation/totals.ts';
import { sql } from 'kysely';
import type { Overview } from '../../contract/traffic/overview.ts';

type Money = Overview['money'];
type MoneyDay = Money['days'][number];
type Figures = Pick<
  Totals,
  | 'loads'
  | 'payments_balance'
  | 'payments_bank'
  | 'withdrawals'
  | 'refunds_balance'
  | 'refunds_bank'
>;

const shownDays = 30;
/** Days without a report that are added up from the ledger, at most; each is one or two in the ordinary. */
const addedDays = 8;

const dayOf = (day: Day, figures: Figures): MoneyDay => ({
  day,
  payments: figures.payments_balance + figures.payments_bank,
  loads: figures.loads,
  withdrawals: figures.withdrawals,
  refunds: figures.refunds_balance + figures.refunds_bank,
});

type Report = Figures & { readonly day: Day; readonly closing_balance: number };
type Reader = Pick<ReadContext, 'db' | 'tenantId'>;

/** The newest reports of the days that are shown, and of the one before. */
async function reportsSince({ db, tenantId }: Reader, day: Day): Promise<Report[]> {
  const { rows } = await sql<Report>`
    select day::text as day, closing_balance, loads, payments_balance, payments_bank, withdrawals,
      refunds_balance, refunds_bank
    from reconciliation_reports where tenant_id = ${tenantId} and day >= ${day}
    order by day`.execute(db);
  return rows;
}

/** The day on which a Tenant began, which is its first in the reports. */
async function beganOn({ db, tenantId }: Reader): Promise<Day> {
  const { rows } = await sql<{ created_at: Instant }>`
    select created_at from tenants where tenant_id = ${tenantId}`.execute(db);
  return easternDay(rows[0]?.created_at ?? '');
}

/** The totals of each day since one, by the ledger itself. */
async function addedSince({ db, tenantId }: Reader, day: Day): Promise<ReadonlyMap<Day, Totals>> {
  const { rows } = await sql<Sum & { readonly day: Day }>`
    select (${sql.raw(postedAt)} at time zone 'America/New_York')::date::text as day, step,
      transaction_type as type, count(*) as count, sum(delta)::bigint as delta,
      coalesce(sum(amount), 0)::bigint as amount
    from entries where tenant_id = ${tenantId} and ${sql.raw(postedAt)} >= ${startOfDay(day)}
      and ${sql.raw(isPosting)}
    group by 1, step, transaction_type`.execute(db);
  const byDay = new Map<Day, Sum[]>();
  for (const row of rows) byDay.set(row.day, [...(byDay.get(row.day) ?? []), row]);
  return new Map([...byDay].map(([on, sums]) => [on, totalsOf(sums)]));
}

/** The money of a Tenant by day, and what its customers hold; null: days behind are still to be reported. */
export async function moneyOf(context: Reader, now: Instant): Promise<Money> {
  const today = easternDay(now);
  const first = addDays(today, 1 - shownDays);
  const reports = await reportsSince(context, addDays(first, -1));
  const last = reports.at(-1);
  const open = last === undefined ? await beganOn(context) : addDays(last.day, 1);
  const isNear = daysBetween(open, today) < addedDays;
  const from = isNear ? open : addDays(today, 1 - addedDays);
  const added = await addedSince(context, from);
  const newDays = Array.from({ length: Math.max(0, daysBetween(from, today) + 1) }, (_, after) =>
    addDays(from, after),
  );
  const none = totalsOf([]);
  const changes = [...added.values()].reduce((sum, { change }) => sum + change, 0);
  return {
    days: [
      ...reports.map((report) => dayOf(report.day, report)),
      ...newDays.map((day) => dayOf(day, added.get(day) ?? none)),
    ].filter(({ day }) => day >= first && day <= today),
    held: isNear ? (last?.closing_balance ?? 0) + changes : null,
  };
}
