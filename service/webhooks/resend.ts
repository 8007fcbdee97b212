import type { ParamsOf } from '@tenant-payments/contract/core/endpoint.ts';
import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import {
  type resendWebhookEvent as contract,
  type DeliveryStatus,
  type Event,
  eventRetentionDays,
  type WebhookEvent,
} from '@tenant-payments/contract/resources/webhook_events.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { unpackEvent } from '@tenant-payments/engine/packed_text/event_text.ts';
import type { RowOf } from '@tenant-payments/engine/table.ts';
import { realInstantOf } from '@tenant-payments/engine/time/clock.ts';
import { addSeconds, type Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { Patch } from '@tenant-payments/engine/work_types.ts';
import { endpointUuid, furtherEndpoints, namedEndpoint } from './further_table.ts';
import {
  type DeliveryRow,
  deliveries,
  deliveryOf,
  type EventRow,
  events,
  furtherDeliveries,
} from './table.ts';

/** The oldest event that is listed and can be sent again. */
export const oldestListed = (now: Instant): Instant =>
  addSeconds(now, -eventRetentionDays * 24 * 60 * 60);

/** Refuses: an event sent again would only wait. */
export const notEnabled = () =>
  fail('invalid_state', {
    details: { current_status: 'disabled', allowed: ['enabled'], reason: 'no_endpoint' },
    message: 'no webhook endpoint is enabled',
  });

const newSchedule = {
  status: 'pending',
  first_attempt_at: null,
  next_attempt_at: null,
  extra: false,
} as const;

type DeliveryState = Omit<DeliveryRow, 'event_id' | 'created_at'>;

/** The columns that a resend changes by the delivery's state, besides queuing it. */
const changes: Readonly<Record<DeliveryStatus, Partial<DeliveryState>>> = {
  pending: {},
  retrying: { extra: true },
  delivered: newSchedule,
  failed: newSchedule,
};

const neverTried = {
  attempts: 0,
  last_attempt_at: null,
  last_response_status: null,
  ...newSchedule,
} as const;

const queuedNow = (work: Work) => ({
  due_at: work.now,
  wake_at: realInstantOf(work.tenant, work.now),
});

/** Queues a delivery that there is; one that is queued already stays as it is. */
function queueAgain<T extends typeof deliveries | typeof furtherDeliveries>(
  work: Work,
  row: RowOf<T> & DeliveryState,
): DeliveryState {
  if (row.status === 'pending' && row.wake_at !== null) return row;
  const set = { ...changes[row.status], ...queuedNow(work) };
  return { ...row, ...work.change<T>(row, set as Patch<T>) };
}

/** @throws ApiError not_found: the event is older than 30 days */
function resent(
  work: Work,
  event: EventRow,
  queue: (created: { readonly created_at: Instant }) => DeliveryState,
): { readonly value: WebhookEvent } {
  const { created_at } = event;
  if (created_at < oldestListed(work.now)) throw fail('not_found');
  const delivery = deliveryOf(queue({ created_at }));
  return { value: { ...(JSON.parse(unpackEvent(event)) as Event), delivery } };
}

/** @throws ApiError not_found: no event can have this id */
function eventUuid(id: string): string {
  const uuid = uuidOf('event', id);
  if (uuid === null) throw fail('not_found');
  return uuid;
}

/**
 * POST /v1/webhook-events/{id}/resend: sends the event's text again, with a new signature
 * (rules/webhooks#14).
 * @throws ApiError not_found: unknown, or older than 30 days
 */
export const resendWebhookEvent = command('resend_webhook_event', {
  load: async (read, { id }: ParamsOf<typeof contract>) => {
    const uuid = eventUuid(id);
    const [event, delivery] = await Promise.all([
      read.one(events, uuid),
      read.maybe(deliveries, uuid),
    ]);
    return { event, delivery };
  },
  decide: (work, { event, delivery }) =>
    resent(work, event, (created) =>
      delivery
        ? queueAgain<typeof deliveries>(work, delivery)
        : work.create(deliveries, {
            event_id: event.id,
            ...created,
            ...neverTried,
            ...queuedNow(work),
          }),
    ),
});

/**
 * The same for a further endpoint, also of a type that it does not get by itself.
 * @throws ApiError not_found: unknown, or the event is older than 30 days; invalid_state: the endpoint is not enabled
 */
export const resendToEndpoint = command('resend_to_endpoint', {
  load: async (
    read,
    { id, endpoint_id }: { readonly id: string; readonly endpoint_id: string },
  ) => {
    const key = { event_id: eventUuid(id), endpoint_id: endpointUuid(endpoint_id) };
    const [event, endpoints, delivery] = await Promise.all([
      read.one(events, key.event_id),
      read.all(furtherEndpoints),
      read.maybe(furtherDeliveries, key),
    ]);
    return { event, endpoints, delivery, key };
  },
  decide: (work, { event, endpoints, delivery, key }, { endpoint_id }) => {
    if (!namedEndpoint(endpoints, endpoint_id).enabled) throw notEnabled();
    return resent(work, event, (created) =>
      delivery
        ? queueAgain<typeof furtherDeliveries>(work, delivery)
        : work.create(furtherDeliveries, {
            ...key,
            ...created,
            ...neverTried,
            ...queuedNow(work),
          }),
    );
  },
});
