import { type DeliveryRow, deliveryOf } from '@tenant-payments/service/webhooks/table.ts';
import { sql } from 'kysely';
import type { PortalEvent } from '../../contract/traffic/events.ts';

/** A row of the statement; `status` is null where the event has no delivery. */
export interface DeliveryColumns extends Omit<DeliveryRow, 'status'> {
  readonly status: DeliveryRow['status'] | null;
}

type Delivery = PortalEvent['delivery'];

/** The columns of `deliveries d` that `deliveryView` reads. */
export const deliveryColumns = sql`d.status, d.attempts, d.last_attempt_at, d.last_response_status,
  d.next_attempt_at, d.wake_at`;

/** Nothing is queued: no endpoint was enabled when it was made, or when its time came. */
export function shownStatus(row: Pick<DeliveryColumns, 'status' | 'wake_at'>): Delivery['status'] {
  if (row.status === null) return 'none';
  return row.status === 'pending' && row.wake_at === null ? 'none' : row.status;
}

export const deliveryView = (row: Omit<DeliveryColumns, 'event_id'>): Delivery => ({
  ...deliveryOf(row.status === null ? null : { ...row, status: row.status }),
  status: shownStatus(row),
});
