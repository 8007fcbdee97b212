/** The counts of what waits in a cell until a restore ends. */
export interface HeldCounts {
  readonly orders: number;
  readonly messages: number;
  readonly events: number;
}

/** SQL: how much of it there is. */
export const heldSql = `select
  (select count(*)::integer from jobs j join tenants t on t.tenant_id = j.tenant_id
    where t.held_at is not null and j.name in ('instruction', 'order_hand_over')) as orders,
  (select count(*)::integer from jobs j join tenants t on t.tenant_id = j.tenant_id
    where t.held_at is not null and j.name = 'customer_message') as messages,
  (select count(distinct (d.tenant_id, d.event_id))::integer from (
      select tenant_id, event_id from deliveries where wake_at is not null union all
      select tenant_id, event_id from further_deliveries where wake_at is not null) d
    join tenants t on t.tenant_id = d.tenant_id where t.held_at is not null) as events`;
