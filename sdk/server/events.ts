import type { EventRecords, EventType } from './generated/names.ts';
import type { Delivery } from './generated/records.ts';

/** An event of one type, with the type of its record. */
export interface EventOf<E extends EventType> {
  /** Unique, used to discard duplicate deliveries. */
  readonly id: string;
  readonly object: 'event';
  readonly type: E;
  readonly api_version: 'v1';
  readonly environment: 'sandbox' | 'production';
  /** Time of the change. */
  readonly created_at: string;
  readonly data: {
    /** The full record after the change, in the form the API returns. */
    readonly object: EventRecords[E];
    /** The earlier values of changed fields; null when the record is new. */
    readonly previous_attributes: Partial<EventRecords[E]> | null;
  };
}

/**
 * Any event: `switch (event.type)` narrows `data.object`. New types may be added, so keep a default
 * branch (rules/operations#36).
 */
export type Event = { [E in EventType]: EventOf<E> }[EventType];

/** An event as `webhookEvents.list` shows it, with its delivery. */
export type WebhookEvent = {
  [E in EventType]: EventOf<E> & { readonly delivery: Delivery };
}[EventType];
