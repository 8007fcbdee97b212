import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { endpointUuidOf } from '@tenant-payments/service/webhooks/further_table.ts';
import { sql } from 'kysely';
import { countedEvents, type DeliveryCounts } from '../../contract/traffic/deliveries.ts';

/** GET /portal/api/deliveries/counts (rules/portal-traffic#2). Newer events than these are few to read. */
export async function countDeliveries(
  { tenantId, db }: ReadContext,
  { endpoint_id }: { readonly endpoint_id?: string },
): Promise<DeliveryCounts> {
  const deliveries =
    endpoint_id === undefined
      ? sql`left join deliveries d on d.tenant_id = ${tenantId} and d.event_id = e.id`
      : sql`join further_deliveries d on d.tenant_id = ${tenantId} and d.event_id = e.id
          and d.endpoint_id = ${endpointUuidOf(endpoint_id)}`;
  const { rows } = await sql<DeliveryCounts>`
    with newest as (select id, created_at from events
      where tenant_id = ${tenantId} and body <> '' order by id desc limit ${countedEvents}),
    shown as (select e.created_at, d.next_attempt_at, case
        when d.status is null or (d.status = 'pending' and d.wake_at is null) then 'none'
        else d.status end as status
      from newest e ${deliveries})
    select count(*)::int as events, min(created_at) as since,
      count(*) filter (where status = 'pending')::int as pending,
      count(*) filter (where status = 'retrying')::int as retrying,
      count(*) filter (where status = 'delivered')::int as delivered,
      count(*) filter (where status = 'failed')::int as failed,
      count(*) filter (where status = 'none')::int as none,
      min(next_attempt_at) filter (where status = 'retrying') as next_attempt_at
    from shown`.execute(db);
  const [counts] = rows;
  if (!counts) throw new Error('an aggregate answers one row');
  return counts;
}
