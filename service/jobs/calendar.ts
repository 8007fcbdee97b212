import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import type { JobName } from '@tenant-payments/engine/job_names.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import { feeSweepTime } from '../resources/accounts/fee_sweep.ts';
import { nextDaily } from '../resources/limits/days.ts';
import { reportedAt } from '../resources/reconciliation/day.ts';
import { redactedAt, redactionJobName } from './redaction.ts';

/** A recurring job of a tenant as a whole. Each run schedules the next. */
interface Recurring {
  readonly name: JobName;
  /** In Eastern Time. */
  readonly dailyAt: string;
  readonly only?: 'sandbox';
}

const recurring: readonly Recurring[] = [
  { name: 'fees_sweep', dailyAt: feeSweepTime },
  { name: 'reconciliation', dailyAt: reportedAt },
  { name: 'statements', dailyAt: reportedAt },
  { name: redactionJobName, dailyAt: redactedAt },
  { name: 'reserve_top_up', dailyAt: '00:00', only: 'sandbox' },
];

/**
 * Schedules a tenant's recurring jobs, in the transaction that makes the tenant; keeps existing ones.
 * @param from on the tenant's clock; what recurs does so from then on
 * @param behindMs how far that clock is behind real time
 */
export async function beginCalendar(
  connection: Queryable,
  environment: 'sandbox' | 'production',
  tenantId: string,
  from: Instant,
  behindMs = 0,
): Promise<void> {
  for (const { name, dailyAt, only } of recurring) {
    if (only !== undefined && only !== environment) continue;
    await connection.query(
      `insert into jobs (tenant_id, name, ref, due_at, wake_at) values ($1, $2, $1, $3,
         $3::timestamptz + $4::bigint * interval '1 millisecond')
       on conflict do nothing`,
      [tenantId, name, nextDaily(dailyAt, from), behindMs],
    );
  }
}
