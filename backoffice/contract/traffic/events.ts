import { List, pageQuery } from '@tenant-payments/contract/core/page.ts';
import {
  Closed,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
} from '@tenant-payments/contract/core/schema.ts';
import { eventTypes } from '@tenant-payments/contract/lifecycles.ts';
import {
  Delivery,
  deliveryStatuses,
  Event,
} from '@tenant-payments/contract/resources/webhook_events.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';
import { asFile, inOrder } from '../records/list_filters.ts';

/** The events of the Tenant, with what caused them and what became of them (rules/operations#52). */

/** `none`: nothing was queued, or no endpoint was enabled when its time came; a resend sends it. */
export const shownDeliveryStatuses = [...deliveryStatuses, 'none'] as const;

const ShownDelivery = Closed({ ...Delivery.properties, status: OneOf(shownDeliveryStatuses) });

export const PortalEvent = Closed({
  ...Event.properties,
  request_id: Nullable(Id('The request of the API or the portal that caused it')),
  sample: Type.Boolean({ description: 'Made to test a receiver: nothing happened to the record' }),
  delivery: ShownDelivery,
  further_deliveries: Type.Array(
    Closed({
      endpoint_id: Id('The further endpoint'),
      endpoint_name: Type.String(),
      ...ShownDelivery.properties,
    }),
    { description: 'To endpoints beside the first one, the oldest endpoint first' },
  ),
});
export type PortalEvent = Static<typeof PortalEvent>;

export const listEvents = portalEndpoint({
  id: 'listEvents',
  method: 'GET',
  path: '/portal/api/events',
  summary: 'List events with what caused them and their delivery, newest first',
  idempotent: 'none',
  may: ['developer', 'support'],
  playsOutside: true,
  of: 'tenant',
  personal: 'data',
  query: Closed({
    type: Type.Optional(OneOf(eventTypes, 'Exact event type')),
    delivery_status: Type.Optional(OneOf(shownDeliveryStatuses)),
    event_id: Type.Optional(IdInput('Only this event')),
    object_id: Type.Optional(IdInput('Only events of this record')),
    request_id: Type.Optional(IdInput('Only events that this request caused')),
    from: Type.Optional(Instant("Not before, on the Tenant's clock")),
    to: Type.Optional(Instant("Before, on the Tenant's clock")),
    endpoint_id: Type.Optional(
      IdInput('Only events that go to this further endpoint, with their delivery there'),
    ),
    ...inOrder,
    ...asFile,
    ...pageQuery,
  }),
  success: { status: 200, schema: List(PortalEvent) },
  errors: ['parameter_invalid'],
});
