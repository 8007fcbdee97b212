import type { PortalEvent } from '@tenant-payments/backoffice/contract/traffic/events.ts';

type Delivery = PortalEvent['delivery'];

/** An attempt of the live feed: the delivery of its event to that endpoint is another since. */
export interface AttemptRow {
  readonly event_id: string;
  /** Null: the first endpoint. */
  readonly endpoint_id: string | null;
  readonly endpoint_name: string | null;
  readonly delivery: Delivery;
}

/**
 * A new event as a list shows it.
 * @param endpointId the further endpoint that the list is of; absent: the first
 * @returns null: it does not go there
 */
export function eventAt(event: PortalEvent, endpointId: string | undefined): PortalEvent | null {
  if (endpointId === undefined) return event;
  const there = event.further_deliveries.find(({ endpoint_id }) => endpoint_id === endpointId);
  if (!there) return null;
  const { endpoint_id: _, endpoint_name: __, ...delivery } = there;
  return { ...event, delivery };
}

/** The event of a list after an attempt, at whichever endpoint. */
export function afterAttempt(
  event: PortalEvent,
  { endpoint_id, endpoint_name, delivery }: AttemptRow,
  endpointId: string | undefined,
): PortalEvent {
  const shown = endpoint_id === (endpointId ?? null) ? { ...event, delivery } : event;
  if (endpoint_id === null || endpoint_name === null) return shown;
  const others = event.further_deliveries.filter((one) => one.endpoint_id !== endpoint_id);
  const there = { endpoint_id, endpoint_name, ...delivery };
  const at = event.further_deliveries.findIndex((one) => one.endpoint_id === endpoint_id);
  return { ...shown, further_deliveries: others.toSpliced(at < 0 ? others.length : at, 0, there) };
}
