import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import type { Overview } from '../../contract/traffic/overview.ts';

type Checklist = Overview['checklist'];
type Step = Checklist[keyof Checklist];

interface Facts {
  readonly has_token: boolean;
  readonly token_at: Instant | null;
  readonly endpoint_at: Instant | null;
  readonly delivered_at: Instant | null;
  readonly paid_at: Instant | null;
  readonly is_moved: boolean;
  readonly moved_at: Instant | null;
  readonly created_at: Instant;
}

const step = (done: boolean, at: Instant | null): Step => ({ done, at: done ? at : null });
const doneAt = (at: Instant | null): Step => step(at !== null, at);

/**
 * The steps that a developer takes first. A token that has expired and whose request has left the log is still known by
 * the events of what it made.
 */
export async function checklistOf(
  { db, tenantId }: Pick<ReadContext, 'db' | 'tenantId'>,
  environment: Service['environment'],
): Promise<Checklist> {
  const { rows } = await sql<Facts>`
    select t.created_at, t.clock_offset_ms > 0 as is_moved,
      exists (select from access_tokens where tenant_id = t.tenant_id)
        or exists (select from events where tenant_id = t.tenant_id and request_id is not null)
        as has_token,
      (select at from requests where tenant_id = t.tenant_id and path = '/oauth/token'
        and status = 200 order by id limit 1) as token_at,
      coalesce((select updated_at from webhook_endpoints where tenant_id = t.tenant_id),
        (select min(created_at) from further_endpoints where tenant_id = t.tenant_id)) as endpoint_at,
      least((select last_attempt_at from deliveries where tenant_id = t.tenant_id
          and status = 'delivered' order by event_id limit 1),
        (select last_attempt_at from further_deliveries where tenant_id = t.tenant_id
          and status = 'delivered' order by event_id limit 1)) as delivered_at,
      (select completed_at from payments where tenant_id = t.tenant_id
        and completed_at is not null order by id limit 1) as paid_at,
      (select at from control.audit where scope = t.tenant_id::text and act = 'advanceClock'
        and outcome = 'done' order by number limit 1) as moved_at
    from tenants t where t.tenant_id = ${tenantId}`.execute(db);
  const [facts] = rows;
  if (!facts) throw new Error('the tenant is gone');
  return {
    token_fetched: step(facts.has_token, facts.token_at),
    endpoint_set: doneAt(facts.endpoint_at),
    first_event_delivered: doneAt(facts.delivered_at),
    first_payment_completed: doneAt(facts.paid_at),
    clock_moved: step(facts.is_moved, facts.moved_at),
    went_live: step(environment === 'production', facts.created_at),
  };
}
