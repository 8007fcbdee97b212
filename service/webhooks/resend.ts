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
import { realInstantOf } from '@tenant-payments/engine/time/clock.ts';
import { addSeconds, type Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type DeliveryRow, deliveries, deliveryOf, type EventRow, events } from './table.ts';

/** The oldest event that is listed and can be sent again. */
export const oldestListed = (now: Instant): Instant =>
  addSeconds(now, -eventRetentionDays * 24 * 60 * 60);

const newSchedule = {
  status: 'pending',
  first_attempt_at: null,
  next_attempt_at: null,
  extra: false,
} as const;

/** The columns that a resend changes by the delivery's state, besides queuing it. */
const changes: Readonly<Record<DeliveryStatus, Partial<DeliveryRow>>> = {
  pending: {},
  retrying: { extra: true },
  delivered: newSchedule,
  failed: newSchedule,
};

function queue(work: Work, event: EventRow, row: DeliveryRow | null): DeliveryRow {
  const queued = { due_at: work.now, wake_at: realInstantOf(work.tenant, work.now) };
  if (row === null)
    return work.create(deliveries, {
      event_id: event.id,
      attempts: 0,
      created_at: event.created_at,
      last_attempt_at: null,
      last_response_status: null,
      ...newSchedule,
      ...queued,
    });
  if (row.status === 'pending' && row.wake_at !== null) return row;
  return work.change(row, { ...changes[row.status], ...queued });
}

/**
 * POST /v1/webhook-events/{id}/resend: sends the event's text again, with a new signature
 * (rules/webhooks#14).
 * @throws ApiError not_found: unknown, or older than 30 days
 */
export const resendWebhookEvent = command('resend_webhook_event', {
  load: async (read, { id }: ParamsOf<typeof contract>) => {
    const uuid = uuidOf('event', id);
    if (uuid === null) throw fail('not_found');
    const [event, delivery] = await Promise.all([
      read.one(events, uuid),
      read.maybe(deliveries, uuid),
    ]);
    return { event, delivery };
  },
  decide: (work, { event, delivery }) => {
    if (event.created_at < oldestListed(work.now)) throw fail('not_found');
    const row = queue(work, event, delivery);
    const shown: WebhookEvent = {
      ...(JSON.parse(unpackEvent(event)) as Event),
      delivery: deliveryOf(row),
    };
    return { value: shown };
  },
});
