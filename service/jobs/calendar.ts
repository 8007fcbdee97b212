import type pg from 'pg';
import type { Instant } from '../core/instant.ts';
import { sweptAt } from '../resources/accounts/fee_sweep.ts';
import { nextDaily } from '../resources/limits/days.ts';
import { reportedAt } from '../resources/reconciliation/day.ts';
import { blankedAt, blankingDue } from './blanking.ts';

/** What comes again and again for a tenant as a whole. Each duty names its next time itself. */
interface Recurring {
  readonly what: string;
  /** In Eastern Time. */
  readonly dailyAt: string;
  readonly only?: 'sandbox';
}

const recurring: readonly Recurring[] = [
  { what: 'fees_sweep', dailyAt: sweptAt },
  { what: 'reconciliation', dailyAt: reportedAt },
  { what: 'statements', dailyAt: reportedAt },
  { what: blankingDue, dailyAt: blankedAt },
  { what: 'reserve_top_up', dailyAt: '00:00', only: 'sandbox' },
];

/**
 * Begins a tenant's calendar, in the transaction that makes it; what it has already is left alone.
 * @param now on the tenant's clock, which has no offset when this is called for a new tenant
 */
export async function beginCalendar(
  connection: Pick<pg.ClientBase, 'query'>,
  environment: 'sandbox' | 'production',
  tenantId: string,
  now: Instant,
): Promise<void> {
  for (const { what, dailyAt, only } of recurring) {
    if (only !== undefined && only !== environment) continue;
    await connection.query(
      `insert into due (tenant_id, what, ref, due_at, wake_at) values ($1, $2, $1, $3, $3)
       on conflict do nothing`,
      [tenantId, what, nextDaily(dailyAt, now)],
    );
  }
}
