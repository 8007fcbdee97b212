import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { anyIdOf, publicId, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import type { Event } from '@tenant-payments/contract/resources/webhook_events.ts';
import { firstIdAt, lastIdAt } from '@tenant-payments/engine/new_id.ts';
import { type StoredText, unpackEvent } from '@tenant-payments/engine/packed_text/event_text.ts';
import type { Page, Position } from '@tenant-payments/engine/pages.ts';
import { timesIn } from '@tenant-payments/engine/time/query_times.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { wayOf } from '@tenant-payments/service/resources/found_page.ts';
import { endpointUuidOf } from '@tenant-payments/service/webhooks/further_table.ts';
import { type RawBuilder, sql } from 'kysely';
import type { listEvents as contract, PortalEvent } from '../../contract/traffic/events.ts';
import { type DeliveryColumns, deliveryColumns, deliveryView } from './delivery_view.ts';
import { furtherDeliveriesOf } from './further_deliveries.ts';

type Status = PortalEvent['delivery']['status'];

export interface EventRow extends Position, DeliveryColumns, StoredText {
  readonly request_id: string | null;
  readonly sample: boolean;
}

/** The columns that `eventView` needs, of `events e left join deliveries d`. */
export const eventColumns = sql`e.id, e.created_at, e.object_id, e.body, e.request_id, e.sample,
  ${deliveryColumns}`;

export const deliveryJoin = sql`left join deliveries d
  on d.tenant_id = e.tenant_id and d.event_id = e.id`;

/** Events that go to a further endpoint alone. */
const joinOf = (endpointId: string) => sql`join further_deliveries d
  on d.tenant_id = e.tenant_id and d.event_id = e.id and d.endpoint_id = ${endpointUuidOf(endpointId)}`;

/** @param further its deliveries to endpoints beside the first one; absent: there are none */
export const eventView = (
  row: EventRow,
  further: PortalEvent['further_deliveries'] = [],
): PortalEvent => ({
  ...(JSON.parse(unpackEvent(row)) as Event),
  request_id: row.request_id && publicId('request', row.request_id),
  sample: row.sample,
  delivery: deliveryView(row),
  further_deliveries: further,
});

/** Written out, so that the planner knows which of them `deliveries_unsent` holds. */
export const hasStatus: Readonly<Record<Status, RawBuilder<unknown>>> = {
  pending: sql`and d.status = 'pending' and d.wake_at is not null`,
  delivered: sql`and d.status = 'delivered'`,
  retrying: sql`and d.status = 'retrying'`,
  failed: sql`and d.status = 'failed'`,
  none: sql`and (d.event_id is null or (d.status = 'pending' and d.wake_at is null))`,
};

const nothing = sql``;

/** The events of a record, looked up first: by its id, that of the event itself, and among samples. */
export const ofObject = (tenantId: string, uuid: string | null): RawBuilder<unknown> =>
  sql`and e.id = any (array(
    select id from events where tenant_id = ${tenantId} and object_id = ${uuid} and not sample
      and id <> object_id
    union all select id from events where tenant_id = ${tenantId} and id = ${uuid} and object_id = ${uuid}
    union all
    select id from events where tenant_id = ${tenantId} and object_id = ${uuid} and sample))`;

/** The events that a request caused. */
export const ofRequest = (tenantId: string, uuid: string | null): RawBuilder<unknown> =>
  sql`and e.id = any (array(
    select id from events where tenant_id = ${tenantId} and request_id = ${uuid}))`;

interface Wanted {
  readonly event_id?: string | undefined;
  readonly object_id?: string | undefined;
  readonly request_id?: string | undefined;
}

/** The conditions of a list of events by an id, each with an index. */
export const idsWanted = (
  tenantId: string,
  { event_id, object_id, request_id }: Wanted,
): RawBuilder<unknown> => sql`
  ${event_id === undefined ? nothing : sql`and e.id = ${uuidOf('event', event_id)}`}
  ${object_id === undefined ? nothing : ofObject(tenantId, anyIdOf(object_id)?.uuid ?? null)}
  ${request_id === undefined ? nothing : ofRequest(tenantId, uuidOf('request', request_id))}`;

/** The events of a time of the Tenant's clock. @throws ApiError parameter_invalid */
export function madeWithin(query: Parameters<typeof timesIn>[0]): RawBuilder<unknown> {
  const { from, to } = timesIn(query);
  return sql`${from ? sql`and e.created_at >= ${from} and e.id >= ${firstIdAt(from)}` : nothing}
    ${to ? sql`and e.created_at < ${to} and e.id <= ${lastIdAt(to)}` : nothing}`;
}

/**
 * GET /portal/api/events, newest first or turned around (rules/operations#52). An unknown id is an empty list.
 * @throws ApiError parameter_invalid for a cursor of another list, filter or tenant
 */
export async function listEvents(
  { tenantId, db, pages }: ReadContext,
  query: QueryOf<typeof contract>,
): Promise<Page<PortalEvent>> {
  const { type, delivery_status, endpoint_id, order, limit = defaultLimit, cursor } = query;
  const behind = pages.after(cursor);
  const [beyond, way] = wayOf(order);
  const { rows } = await sql<EventRow>`
    select ${eventColumns} from events e ${endpoint_id === undefined ? deliveryJoin : joinOf(endpoint_id)}
    where e.tenant_id = ${tenantId} and e.body <> ''
      ${behind ? sql`and e.id ${beyond} ${behind.id}` : nothing}
      ${type === undefined ? nothing : sql`and e.type = ${type}`}
      ${delivery_status === undefined ? nothing : hasStatus[delivery_status]}
      ${idsWanted(tenantId, query)} ${madeWithin(query)}
    order by e.id ${way} limit ${limit + 1}`.execute(db);
  const ids = rows.map(({ id }) => id);
  const further = await furtherDeliveriesOf(db, tenantId, ids);
  return pages.page(rows, limit, (row) => eventView(row, further.get(row.id)));
}
