import { endpointIds } from '@tenant-payments/engine/delivers_to.ts';
import type { Database } from '@tenant-payments/service/database.ts';
import { type Kysely, sql } from 'kysely';
import type { PortalEvent } from '../../contract/traffic/events.ts';
import { type DeliveryColumns, deliveryColumns, deliveryView } from './delivery_view.ts';

type FurtherDelivery = PortalEvent['further_deliveries'][number];

interface Row extends DeliveryColumns {
  readonly endpoint_id: string;
  readonly name: string;
}

/** The deliveries of events to endpoints beside the first one, by the event's uuid; the oldest endpoint first. */
export async function furtherDeliveriesOf(
  db: Kysely<Database>,
  tenantId: string,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, FurtherDelivery[]>> {
  if (eventIds.length === 0) return new Map();
  const { rows } = await sql<Row>`
    select d.event_id, d.endpoint_id, f.name, ${deliveryColumns}
    from further_deliveries d
      join further_endpoints f on f.tenant_id = d.tenant_id and f.id = d.endpoint_id
    where d.tenant_id = ${tenantId} and d.event_id = any (${eventIds}::uuid[])
    order by f.created_at, f.id`.execute(db);
  const found = new Map<string, FurtherDelivery[]>();
  for (const row of rows) {
    const { event_id, endpoint_id, name } = row;
    const shown = {
      endpoint_id: endpointIds.shown(endpoint_id),
      endpoint_name: name,
      ...deliveryView(row),
    };
    found.set(event_id, [...(found.get(event_id) ?? []), shown]);
  }
  return found;
}
