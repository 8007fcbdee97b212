/** The mark that a receiver stores of an event. */
export interface EventMark {
  readonly eventId: string;
  /** The record that the event is about, `payment/pay_…`. */
  readonly record: string;
  /** `data.object.version`; null for records that show none, or one that is text: a document's. */
  readonly version: number | null;
  /** The record as the event shows it, `data.object`. */
  readonly object: object;
}

/**
 * `duplicate`: it was handled before. `outdated`: a newer version of its record was, so that only what its step
 * asks for was done.
 */
export type EventResult = 'handled' | 'duplicate' | 'outdated';

/**
 * Stores which events have been handled. `once` runs `handle` unless the event is a duplicate, tells it the newer
 * state of the record where there is one, and stores what was handled only if it succeeded; otherwise it rejects
 * with the error of `handle`. Two calls for one record never overlap.
 *
 * A durable store is one transaction, which `handle` may use for its own writes too:
 * ```ts
 * once: (mark, handle) => sql.begin(async (tx) => {
 *   await tx`insert into handled_records (record, version) values (${mark.record}, 0) on conflict do nothing`;
 *   const [held] = await tx`select version, object from handled_records where record = ${mark.record} for update`;
 *   const seen = await tx`select 1 from handled_events where id = ${mark.eventId}`;
 *   const result = checkEvent(mark, seen.length > 0, held.version);
 *   if (result === 'duplicate') return result;
 *   await handle(tx, result === 'outdated' ? held.object : null);
 *   await tx`insert into handled_events (id) values (${mark.eventId})`;
 *   if (result === 'handled') await tx`update handled_records
 *     set version = ${mark.version ?? 0}, object = ${mark.object} where record = ${mark.record}`;
 *   return result;
 * })
 * ```
 */
export interface ReceiverStore<Context = undefined> {
  once(
    mark: EventMark,
    handle: (context: Context, newer: object | null) => Promise<unknown>,
  ): Promise<EventResult>;
}

/**
 * Decides what an event is (rules/webhooks#29). A record has one event for each version: another one of the same
 * version is a duplicate.
 * @param seen the event's id is known
 * @param heldVersion the record's highest known version; 0 when none is known
 */
export function checkEvent(
  mark: Pick<EventMark, 'version'>,
  seen: boolean,
  heldVersion: number,
): EventResult {
  if (seen || mark.version === heldVersion) return 'duplicate';
  return mark.version !== null && mark.version < heldVersion ? 'outdated' : 'handled';
}

/** Sets an entry and deletes the oldest when there are more than `limit`. */
function remember<K, V>(map: Map<K, V>, key: K, value: V, limit: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= limit) return;
    map.delete(oldest);
  }
}

type Handle = Parameters<ReceiverStore['once']>[1];

/**
 * Stores the last `limit` events and records in the memory of this process. A restart loses them:
 * use a durable store where an event must never be handled twice.
 */
export function memoryStore(limit = 10_000): ReceiverStore {
  const events = new Map<string, true>();
  const newest = new Map<string, EventMark>();
  const busy = new Map<string, Promise<unknown>>();

  async function checkAndHandle(mark: EventMark, handle: Handle) {
    const held = newest.get(mark.record);
    const result = checkEvent(mark, events.has(mark.eventId), held?.version ?? 0);
    if (result === 'duplicate') return result;
    await handle(undefined, result === 'outdated' ? (held?.object ?? null) : null);
    remember(events, mark.eventId, true, limit);
    if (result === 'handled' && mark.version !== null) remember(newest, mark.record, mark, limit);
    return result;
  }

  return {
    once: async (mark, handle) => {
      const before = busy.get(mark.record);
      // A failure of the previous event is reported to that event's caller.
      const mine = (before ?? Promise.resolve()).then(
        () => checkAndHandle(mark, handle),
        () => checkAndHandle(mark, handle),
      );
      busy.set(mark.record, mine);
      try {
        return await mine;
      } finally {
        if (busy.get(mark.record) === mine) busy.delete(mark.record);
      }
    },
  };
}
