import type { Event, EventOf } from './events.ts';
import type { EventRecords, EventType } from './generated/names.ts';

/** An event as its handler gets it. */
export type ReceivedEvent<E extends EventType = EventType> = {
  [T in E]: EventOf<T> & {
    /** A newer event of its record was handled before: `data.object` is an earlier state. */
    readonly outdated: boolean;
    /** The newest state of the record that is known here; `data.object`, where it is not outdated. */
    readonly current: EventRecords[T];
  };
}[E];

type NameIn<E> = E extends `${infer Name}.${string}` ? Name : never;

/** The records that an event can be about: `payment`, `load`, … */
export type RecordName = NameIn<EventType>;

type TypesOf<R extends RecordName> = Extract<EventType, `${R}.${string}`>;

/** A handler for each kind of record that it names. */
export type RecordHandlers<Context = undefined> = {
  readonly [R in RecordName]?: (
    record: EventRecords[TypesOf<R>],
    event: ReceivedEvent<TypesOf<R>>,
    context: Context,
  ) => unknown;
};

/** A handler for each type of event that it names. */
export type EventHandlers<Context = undefined> = {
  readonly [E in EventType]?: (event: ReceivedEvent<E>, context: Context) => unknown;
};

export interface Handlers<Context = undefined> {
  /**
   * Handlers by record: `{ payment: (payment, event) => … }`. Each gets the newest state: an event that a newer
   * one has overtaken calls none of them. The first choice, for what you keep of a record.
   */
  readonly onRecord?: RecordHandlers<Context>;
  /**
   * Handlers by type: `{ 'payment.completed': (event) => … }`, for what is done once for a step. An event that a
   * newer one has overtaken calls its handler too, with `event.outdated` and the newest state in
   * `event.current`: the step was made all the same.
   */
  readonly on?: EventHandlers<Context>;
  /** Handles the events for which neither `onRecord` nor `on` names a handler, those overtaken too. */
  readonly onEvent?: (event: ReceivedEvent, context: Context) => unknown;
}

type AnyHandler = (...given: readonly unknown[]) => unknown;

/** The handler of that name, none of which an object has by itself. */
const named = (handlers: object | undefined, name: string): AnyHandler | undefined =>
  handlers && Object.hasOwn(handlers, name)
    ? (handlers as Record<string, AnyHandler>)[name]
    : undefined;

export const hasHandler = ({ onRecord, on, onEvent }: Handlers<never>): boolean =>
  Boolean(onRecord ?? on ?? onEvent);

/**
 * Calls the handlers of an event, the one of its record first.
 * @param newer the newer state of its record that was handled before; null: the event is the newest
 */
export async function callHandlers<Context>(
  { onRecord, on, onEvent }: Handlers<Context>,
  event: Event,
  { context, newer }: { readonly context: Context; readonly newer: unknown },
): Promise<void> {
  const { object } = event.data;
  const received = { ...event, outdated: newer !== null, current: newer ?? object };
  const ofRecord = named(onRecord, event.type.slice(0, event.type.indexOf('.')));
  const ofType = named(on, event.type);
  if (newer === null) await ofRecord?.(object, received, context);
  await ofType?.(received, context);
  if (!ofRecord && !ofType) await onEvent?.(received as ReceivedEvent, context);
}
