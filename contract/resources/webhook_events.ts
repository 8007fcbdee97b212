import Type, { type Static } from 'typebox';
import { endpoint } from '../core/endpoint.ts';
import { lifetimes } from '../core/numbers.ts';
import { List, pageQuery } from '../core/page.ts';
import { recordRead } from '../core/reads.ts';
import { Closed, Id, IdInput, Instant, Nullable, OneOf } from '../core/schema.ts';
import { eventTypes } from '../lifecycles.ts';

export const environments = ['sandbox', 'production'] as const;

export const deliveryStatuses = ['pending', 'delivered', 'retrying', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

const minute = 60;
const hour = 60 * minute;

/**
 * When an event is attempted, in seconds from the first attempt, on the Tenant's clock
 * (rules/webhooks#5).
 */
export const deliveryOffsetsSeconds = [
  0,
  1 * minute,
  5 * minute,
  30 * minute,
  2 * hour,
  6 * hour,
  12 * hour,
  24 * hour,
  36 * hour,
  48 * hour,
  60 * hour,
  72 * hour,
] as const;

/** A receiver must answer 2xx within this time (rules/webhooks#2). */
export const deliveryTimeoutSeconds = 10;

/** How long an event is listed and can be sent again (rules/events#15). */
export const eventRetentionDays = lifetimes.event / 86_400;

export const EventData = Closed({
  object: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The full object after the change, in the form the API returns',
  }),
  previous_attributes: Nullable(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Earlier values of the fields that changed; null where a record begins',
    }),
  ),
});
export type EventData = Static<typeof EventData>;

const eventFields = {
  id: Id('Unique, used to discard duplicate deliveries'),
  object: Type.Literal('event'),
  type: OneOf(eventTypes),
  api_version: Type.Literal('v1'),
  environment: OneOf(environments),
  created_at: Instant('Time of the change'),
  data: EventData,
};

/** The body of every webhook delivery. */
export const Event = Closed(eventFields);
export type Event = Static<typeof Event>;

export const Delivery = Closed({
  status: OneOf(deliveryStatuses),
  attempts: Type.Integer(),
  last_attempt_at: Nullable(Instant('Last attempt')),
  last_response_status: Nullable(
    Type.Integer({ description: 'HTTP status the Tenant returned on the last attempt' }),
  ),
  next_attempt_at: Nullable(Instant('While retrying')),
});
export type Delivery = Static<typeof Delivery>;

export const WebhookEvent = Closed({ ...eventFields, delivery: Delivery });
export type WebhookEvent = Static<typeof WebhookEvent>;

export const listWebhookEvents = endpoint({
  id: 'listWebhookEvents',
  method: 'GET',
  path: '/v1/webhook-events',
  summary: 'List events with their delivery status, newest first',
  idempotent: 'none',
  query: Closed({
    type: Type.Optional(OneOf(eventTypes, 'Exact event type')),
    delivery_status: Type.Optional(OneOf(deliveryStatuses)),
    from: Type.Optional(Instant('Earliest event time, inclusive')),
    ...pageQuery,
  }),
  success: { status: 200, schema: List(WebhookEvent) },
  errors: ['parameter_invalid'],
});

export const resendWebhookEvent = endpoint({
  id: 'resendWebhookEvent',
  method: 'POST',
  path: '/v1/webhook-events/:id/resend',
  summary: 'Deliver an event again, with a fresh signature timestamp',
  idempotent: 'honored',
  params: Closed({ id: IdInput('Event identifier') }),
  success: { status: 202, schema: WebhookEvent },
  errors: ['not_found'],
});

export const getWebhookEvent = recordRead(
  'getWebhookEvent',
  '/v1/webhook-events/:id',
  'Get an event with its delivery status',
  WebhookEvent,
);
