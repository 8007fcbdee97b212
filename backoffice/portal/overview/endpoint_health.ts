import { firstIdAt } from '@tenant-payments/engine/new_id.ts';
import { addSeconds, type Instant } from '@tenant-payments/engine/time/instant.ts';
import { type RawBuilder, sql } from 'kysely';

/** Attempts of a schedule end 72 hours after the first. */
const attemptedSeconds = 96 * 3_600;

/** Events since then may still be attempted at this instant. */
export const firstAttempted = (now: Instant): string =>
  firstIdAt(addSeconds(now, -attemptedSeconds));

export const isAccepted = sql`coalesce(response_status between 200 and 299, false)`;

export interface EndpointHealth {
  readonly last_success_at: Instant | null;
  readonly failure_streak: number;
}

/**
 * SQL: how the attempts of a Tenant end lately, one row.
 * @param firstEvent of `firstAttempted`
 */
export const healthSql = (tenantId: RawBuilder<unknown>, firstEvent: RawBuilder<unknown>) => sql`
  with recent as (select at, ${isAccepted} as accepted from attempts
      where tenant_id = ${tenantId} and event_id >= ${firstEvent}),
    success as (select max(at) as at from recent where accepted)
  select s.at as last_success_at, (select count(*) from recent r
      where not r.accepted and (s.at is null or r.at > s.at)) as failure_streak
  from success s`;
