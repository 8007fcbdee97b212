import type { EventRecords, EventType } from './generated/names.ts';
import type { Delivery } from './generated/records.ts';
import type { Open } from './open.ts';

/** An event of one type, with the type of its record. */
export interface EventOf<E extends EventType> {
  /** Unique, used to discard duplicate deliveries. */
  readonly id: string;
  readonly object: 'event';
  readonly type: E;
  readonly api_version: 'v1';
  readonly environment: Open<'sandbox' | 'production'>;
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
 * Any event: `switch (event.type)` narrows `data.object`. An event of a type that this release does not know is
 * given to your handlers all the same, so keep a default branch that does nothing (rules/operations#36). The union
 * names the known types alone: with a text among them, no comparison would narrow it.
 */
export type Event = { [E in EventType]: EventOf<E> }[EventType];

/** An event as `webhookEvents.list` shows it, with its delivery. */
export type WebhookEvent = {
  [E in EventType]: EventOf<E> & { readonly delivery: Delivery };
}[EventType];
