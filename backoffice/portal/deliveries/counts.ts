import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { endpointUuidOf } from '@tenant-payments/service/webhooks/further_table.ts';
import { missedOf } from '@tenant-payments/service/webhooks/recover.ts';
import { sql } from 'kysely';
import {
  type countDeliveries as contract,
  countedEvents,
  type DeliveryCounts,
} from '../../contract/traffic/deliveries.ts';
import { idsWanted, madeWithin } from '../activity/events.ts';

type Counted = Omit<DeliveryCounts, 'missed'> & {
  readonly missed_failed: number;
  readonly missed_never_sent: number;
};

/**
 * GET /portal/api/deliveries/counts (rules/portal-traffic#2). Newer events than these are few to read: a type is
 * looked for among them alone.
 * @throws ApiError parameter_invalid: no instant
 */
export async function countDeliveries(
  { tenantId, db }: ReadContext,
  query: QueryOf<typeof contract>,
): Promise<DeliveryCounts> {
  const { endpoint_id, type } = query;
  const deliveries =
    endpoint_id === undefined
      ? sql`left join deliveries d on d.tenant_id = ${tenantId} and d.event_id = e.id`
      : sql`join further_deliveries d on d.tenant_id = ${tenantId} and d.event_id = e.id
          and d.endpoint_id = ${endpointUuidOf(endpoint_id)}`;
  const { rows } = await sql<Counted>`
    with newest as (select e.id, e.created_at, e.type from events e
      where e.tenant_id = ${tenantId} and e.body <> '' ${idsWanted(tenantId, query)} ${madeWithin(query)}
      order by e.id desc limit ${countedEvents}),
    shown as (select e.created_at, d.next_attempt_at, ${missedOf.failed} as is_failed,
        ${missedOf.never_sent} as is_never_sent, case
        when d.status is null or (d.status = 'pending' and d.wake_at is null) then 'none'
        else d.status end as status
      from newest e ${deliveries} ${type === undefined ? sql`` : sql`where e.type = ${type}`})
    select count(*)::int as events, min(created_at) as since,
      count(*) filter (where status = 'pending')::int as pending,
      count(*) filter (where status = 'retrying')::int as retrying,
      count(*) filter (where status = 'delivered')::int as delivered,
      count(*) filter (where status = 'failed')::int as failed,
      count(*) filter (where status = 'none')::int as none,
      min(next_attempt_at) filter (where status = 'retrying') as next_attempt_at,
      count(*) filter (where is_failed)::int as missed_failed,
      count(*) filter (where is_never_sent)::int as missed_never_sent
    from shown`.execute(db);
  const [counts] = rows;
  if (!counts) throw new Error('an aggregate answers one row');
  const { missed_failed: failed, missed_never_sent: never_sent, ...rest } = counts;
  return { ...rest, missed: { failed, never_sent } };
}
