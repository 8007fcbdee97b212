import {
  type Delivery,
  deliveryStatuses,
} from '@tenant-payments/contract/resources/webhook_events.ts';
import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';

/** Events as commands read them. They are written by the engine's flush and never change. */
export const events = table({
  name: 'events',
  key: ['id'],
  columns: {
    id: column.uuid,
    object_id: column.uuid,
    /** Unpacked, the exact text that is signed and sent. */
    body: column.packed,
    created_at: column.instant,
  },
  proof: 'none',
  revised: false,
});
export type EventRow = RowOf<typeof events>;

const deliveryColumns = {
  status: words(deliveryStatuses),
  attempts: column.integer,
  created_at: column.instant,
  /** The first attempt of the schedule that runs: offsets count from here. */
  first_attempt_at: orNull(column.instant),
  last_attempt_at: orNull(column.instant),
  last_response_status: orNull(column.integer),
  /** The schedule's next attempt, shown while retrying. */
  next_attempt_at: orNull(column.instant),
  /** When the next attempt is due, on the tenant's clock and in real time; null: none is. */
  due_at: orNull(column.instant),
  wake_at: orNull(column.instant),
  /** A resend was requested during the schedule. */
  extra: column.boolean,
} as const;

/**
 * The delivery of an event to the Tenant (rules/webhooks#1). An event made without an enabled
 * endpoint has no row; it shows as pending with no attempt. `lease_until` and `hastened_for` are not listed: only the
 * dispatcher writes them.
 */
export const deliveries = table({
  name: 'deliveries',
  key: ['event_id'],
  frozen: ['created_at'],
  columns: { event_id: column.uuid, ...deliveryColumns },
});
export type DeliveryRow = RowOf<typeof deliveries>;

/** The delivery of an event to a further endpoint (rules/webhooks#35). */
export const furtherDeliveries = table({
  name: 'further_deliveries',
  key: ['event_id', 'endpoint_id'],
  frozen: ['created_at'],
  columns: { event_id: column.uuid, endpoint_id: column.uuid, ...deliveryColumns },
});

/** Samples that one secret alone signs (rules/portal-traffic#3). */
export const signedAlone = table({
  name: 'signed_alone',
  key: ['event_id'],
  columns: { event_id: column.uuid, secret_id: column.uuid },
  proof: 'none',
  revised: false,
});

type Shown = Pick<
  DeliveryRow,
  'status' | 'attempts' | 'last_attempt_at' | 'last_response_status' | 'next_attempt_at'
>;

/** The `delivery` of a WebhookEvent. */
export const deliveryOf = (row: Shown | null): Delivery => ({
  status: row?.status ?? 'pending',
  attempts: row?.attempts ?? 0,
  last_attempt_at: row?.last_attempt_at ?? null,
  last_response_status: row?.last_response_status ?? null,
  next_attempt_at: row?.next_attempt_at ?? null,
});
