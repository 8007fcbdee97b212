import { endpointIds } from '@tenant-payments/engine/delivers_to.ts';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database.ts';

/** The events by which a Tenant is told what it then tells its customer (rules/disputes#27). */
export type Notice = 'dispute.provisional_credit' | 'dispute.resolved';

/** SQL: deliveries `v` of a notice of the dispute `d`; `endpoint_id` is null at the first endpoint. */
const deliveriesOf = (type: Notice) => sql`
  (select v.status, v.endpoint_id from events e join
      (select tenant_id, event_id, null::uuid as endpoint_id, status from deliveries union all
        select tenant_id, event_id, endpoint_id, status from further_deliveries) v
      on v.tenant_id = e.tenant_id and v.event_id = e.id
    where e.tenant_id = d.tenant_id and e.object_id = d.id and e.type = ${type} and not e.sample
      and e.id <> e.object_id) v`;

/** SQL: those that an endpoint has not taken which is enabled now. */
const notTaken = (type: Notice) => sql`${deliveriesOf(type)}
  left join webhook_endpoints w on v.endpoint_id is null and w.tenant_id = d.tenant_id and w.enabled
  left join further_endpoints f on f.tenant_id = d.tenant_id and f.id = v.endpoint_id and f.enabled
  where v.status <> 'delivered' and (w.tenant_id is not null or f.id is not null)`;

/** SQL: a Tenant's endpoint has taken the notice of the dispute `d`, and none is left that has not. */
export const isReported = (type: Notice): RawBuilder<unknown> => sql`(
  exists (select from ${deliveriesOf(type)} where v.status = 'delivered')
  and not exists (select from ${notTaken(type)}))`;

/** The endpoints that have not taken the notice: `first`, and the names of further endpoints with their ids. */
export async function notTakenBy(
  db: Kysely<Database>,
  { tenantId, ref }: { readonly tenantId: string; readonly ref: string },
  type: Notice,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string | null; name: string | null }>`
    select o.id, o.name from disputes d cross join lateral
      (select f.id, f.name from ${notTaken(type)}) o
    where d.tenant_id = ${tenantId} and d.id = ${ref} order by o.id nulls first`.execute(db);
  return rows.map(({ id, name }) => (id === null ? 'first' : `${name} (${endpointIds.shown(id)})`));
}
