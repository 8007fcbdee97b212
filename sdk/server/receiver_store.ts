/** What a receiver stores of an event. */
export interface EventMark {
  readonly eventId: string;
  /** The record that the event is about, `payment/pay_…`. */
  readonly record: string;
  /** `data.object.version`; null for records that show none, or one that is text: a document's. */
  readonly version: number | null;
}

/** `duplicate`: its id is known. `outdated`: the same or a newer version of its record is known. */
export type EventResult = 'handled' | 'duplicate' | 'outdated';

/**
 * Stores which events have been handled. `once` runs `handle` unless the event is a duplicate or
 * outdated, and stores its id and version only if `handle` succeeded; otherwise it rejects with the
 * error of `handle`. Two calls for one record never overlap.
 *
 * A durable store is one transaction, which `handle` may use for its own writes too:
 * ```ts
 * once: (mark, handle) => sql.begin(async (tx) => {
 *   await tx`insert into handled_records (record, version) values (${mark.record}, 0) on conflict do nothing`;
 *   const [held] = await tx`select version from handled_records where record = ${mark.record} for update`;
 *   const seen = await tx`select 1 from handled_events where id = ${mark.eventId}`;
 *   const result = checkEvent(mark, seen.length > 0, held.version);
 *   if (result !== 'handled') return result;
 *   await handle(tx);
 *   await tx`insert into handled_events (id) values (${mark.eventId})`;
 *   await tx`update handled_records set version = ${mark.version ?? 0} where record = ${mark.record}`;
 *   return result;
 * })
 * ```
 */
export interface ReceiverStore<Context = undefined> {
  once(mark: EventMark, handle: (context: Context) => Promise<unknown>): Promise<EventResult>;
}

/**
 * Decides whether an event must be handled (rules/webhooks#29). An equal version is outdated too: a
 * record has one event for each version.
 * @param seen the event's id is known
 * @param heldVersion the record's highest known version; 0 when none is known
 */
export function checkEvent(mark: EventMark, seen: boolean, heldVersion: number): EventResult {
  if (seen) return 'duplicate';
  return mark.version !== null && mark.version <= heldVersion ? 'outdated' : 'handled';
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

/**
 * Stores the last `limit` events and records in the memory of this process. A restart loses them:
 * use a durable store where an event must never be handled twice.
 */
export function memoryStore(limit = 10_000): ReceiverStore {
  const events = new Map<string, true>();
  const versions = new Map<string, number>();
  const busy = new Map<string, Promise<unknown>>();

  async function checkAndHandle(mark: EventMark, handle: (context: undefined) => Promise<unknown>) {
    const result = checkEvent(mark, events.has(mark.eventId), versions.get(mark.record) ?? 0);
    if (result !== 'handled') return result;
    await handle(undefined);
    remember(events, mark.eventId, true, limit);
    if (mark.version !== null) remember(versions, mark.record, mark.version, limit);
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
