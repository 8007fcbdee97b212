import {
  Closed,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
} from '@tenant-payments/contract/core/schema.ts';
import { eventTypes } from '@tenant-payments/contract/lifecycles.ts';
import { WebhookEvent } from '@tenant-payments/contract/resources/webhook_events.ts';
import {
  Recovery,
  RecoveryRequest,
} from '@tenant-payments/contract/resources/webhook_recoveries.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';
import { SampleEvent } from '../sandbox/chaos.ts';
import { Attempt } from './attempts.ts';
import { ofEndpoint } from './further_endpoints.ts';

/** The filters of the list of events, besides its times and its endpoint. */
const ofList = {
  object_id: Type.Optional(IdInput('Only events of this record')),
  event_id: Type.Optional(IdInput('Only this event')),
  request_id: Type.Optional(IdInput('Only events that this request caused')),
};

/**
 * The operations of a Tenant after an outage of its endpoint, and before it trusts one
 * (rules/webhooks#32).
 */

export const recoverEvents = portalEndpoint({
  id: 'recoverEvents',
  method: 'POST',
  path: '/portal/api/events/recover',
  summary: 'Send again all events that have not arrived since a time',
  idempotent: 'none',
  may: ['developer', 'admin'],
  of: 'tenant',
  body: Closed({
    ...RecoveryRequest.properties,
    ...ofEndpoint,
    ...ofList,
    delivery_status: Type.Optional(
      OneOf(['retrying', 'failed'], 'Of those of which an attempt failed, only these'),
    ),
  }),
  success: { status: 200, schema: Recovery },
  errors: ['parameter_missing', 'parameter_invalid', 'not_found', 'invalid_state'],
});

export const resendEvent = portalEndpoint({
  id: 'resendEvent',
  method: 'POST',
  path: '/portal/api/events/:id/resend',
  summary: 'Deliver an event again, with a fresh signature timestamp',
  idempotent: 'none',
  may: ['developer', 'admin'],
  of: 'tenant',
  params: Closed({ id: IdInput('Event identifier') }),
  body: Closed(ofEndpoint),
  success: { status: 202, schema: WebhookEvent },
  errors: ['not_found', 'invalid_state'],
});

/** Events of which the deliveries are counted. */
export const countedEvents = 10_000;

export const DeliveryCounts = Closed({
  events: Type.Integer({
    description: `Events that were counted: the newest, ${countedEvents} at most`,
  }),
  since: Nullable(Instant("The oldest of them, on the Tenant's clock")),
  pending: Type.Integer(),
  retrying: Type.Integer(),
  delivered: Type.Integer(),
  failed: Type.Integer(),
  none: Type.Integer({ description: 'Not queued: no endpoint was enabled' }),
  next_attempt_at: Nullable(Instant('The first of the next attempts of those that are retried')),
  missed: Closed(
    { failed: Type.Integer(), never_sent: Type.Integer() },
    'Those that a recovery would send again now, by what it calls them',
  ),
});
export type DeliveryCounts = Static<typeof DeliveryCounts>;

export const countDeliveries = portalEndpoint({
  id: 'countDeliveries',
  method: 'GET',
  path: '/portal/api/deliveries/counts',
  summary: 'Count the deliveries of the newest events by status',
  idempotent: 'none',
  may: ['developer', 'support'],
  of: 'tenant',
  query: Closed({
    ...ofEndpoint,
    ...ofList,
    type: Type.Optional(OneOf(eventTypes, 'Exact event type')),
    from: Type.Optional(Instant("Not before, on the Tenant's clock")),
    to: Type.Optional(Instant("Before, on the Tenant's clock")),
  }),
  success: { status: 200, schema: DeliveryCounts },
  errors: ['parameter_invalid'],
});

export const TestDelivery = Closed({
  event_id: Id('The sample event that was sent'),
  attempt: Nullable(Attempt),
});
export type TestDelivery = Static<typeof TestDelivery>;

export const testWebhookEndpoint = portalEndpoint({
  id: 'testWebhookEndpoint',
  method: 'POST',
  path: '/portal/api/webhook-endpoint/test',
  summary:
    'Send a sample event at once and answer its attempt; null where it has not begun in 15 s',
  idempotent: 'none',
  may: ['developer', 'admin'],
  sandboxOnly: true,
  of: 'tenant',
  body: Closed({
    ...SampleEvent.properties,
    type: Type.Optional(OneOf(eventTypes, 'Any type of the catalog; default payment.completed')),
    secret_id: Type.Optional(
      IdInput('The only secret of the endpoint that signs it; absent: every active one does'),
    ),
    endpoint_id: Type.Optional(
      IdInput(
        'A further webhook endpoint, to which alone it goes, whatever its types; absent: to all that get its type, and the attempt at the first one is answered',
      ),
    ),
  }),
  success: { status: 200, schema: TestDelivery },
  errors: ['parameter_missing', 'parameter_invalid', 'sandbox_only', 'not_found', 'invalid_state'],
});
