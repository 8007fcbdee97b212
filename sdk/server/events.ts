import type { EventType, RecordOfEvent } from '@tenant-payments/contract/catalog.ts';
import type {
  Delivery,
  Event as WireEvent,
} from '@tenant-payments/contract/resources/webhook_events.ts';

/** One type of event with the record it carries. */
export type EventOf<E extends EventType> = Omit<WireEvent, 'type' | 'data'> & {
  readonly type: E;
  readonly data: {
    readonly object: RecordOfEvent<E>;
    /** Earlier values of what changed; null where the record begins. */
    readonly previous_attributes: Partial<RecordOfEvent<E>> | null;
  };
};

type WithDelivery<E extends EventType> = EventOf<E> & { readonly delivery: Delivery };

/**
 * Any event, told apart by `type`: `switch (event.type)` narrows `data.object`. New types may come
 * (contract: Versioning), so a switch keeps a default branch.
 */
export type Event = { [E in EventType]: EventOf<E> }[EventType];

/** An event as the listing shows it, with its delivery. */
export type ListedEvent = { [E in EventType]: WithDelivery<E> }[EventType];
