import type { EventType, RecordOfEvent } from '@tenant-payments/contract/catalog.ts';
import type {
  Delivery,
  Event as WireEvent,
} from '@tenant-payments/contract/resources/webhook_events.ts';

/** An event of one type, with the type of its record. */
export type EventOf<E extends EventType> = Omit<WireEvent, 'type' | 'data'> & {
  readonly type: E;
  readonly data: {
    readonly object: RecordOfEvent<E>;
    /** The earlier values of changed fields; null when the record is new. */
    readonly previous_attributes: Partial<RecordOfEvent<E>> | null;
  };
};

type WithDelivery<E extends EventType> = EventOf<E> & { readonly delivery: Delivery };

/**
 * Any event: `switch (event.type)` narrows `data.object`. New types may be added (rules/operations#36),
 * so keep a default branch.
 */
export type Event = { [E in EventType]: EventOf<E> }[EventType];

/** An event as the listing shows it, with its delivery. */
export type ListedEvent = { [E in EventType]: WithDelivery<E> }[EventType];
