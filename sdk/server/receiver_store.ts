/** What a receiver keeps of an event. */
export interface EventMark {
  readonly eventId: string;
  /** The record that the event is about, `payment/pay_…`. */
  readonly record: string;
  /** `data.object.version`; null for records that show none. */
  readonly version: number | null;
}

export type Verdict = 'handled' | 'duplicate' | 'outdated';

/**
 * Where handled events are remembered. `once` runs `handle` unless the event's id is known
 * (`duplicate`), or a version as high is known for its record (`outdated`), and remembers both only
 * if `handle` succeeded; its error comes out of `once`. Two calls for one record never overlap.
 *
 * A durable store is one transaction, which `handle` may use for its own writes too:
 * ```ts
 * once: (mark, handle) => sql.begin(async (tx) => {
 *   await tx`insert into handled_records (record, version) values (${mark.record}, 0) on conflict do nothing`;
 *   const [held] = await tx`select version from handled_records where record = ${mark.record} for update`;
 *   const seen = await tx`select 1 from handled_events where id = ${mark.eventId}`;
 *   const verdict = judge(mark, seen.length > 0, held.version);
 *   if (verdict !== 'handled') return verdict;
 *   await handle(tx);
 *   await tx`insert into handled_events (id) values (${mark.eventId})`;
 *   await tx`update handled_records set version = ${mark.version ?? 0} where record = ${mark.record}`;
 *   return verdict;
 * })
 * ```
 */
export interface ReceiverStore<Context = undefined> {
  once(mark: EventMark, handle: (context: Context) => Promise<unknown>): Promise<Verdict>;
}

/**
 * What to do with an event (contract: Delivery 4 and 5). An equal version is old news as well: a
 * record has one event for each version. `heldVersion` is 0 while nothing is known of the record.
 */
export function judge(mark: EventMark, seen: boolean, heldVersion: number): Verdict {
  if (seen) return 'duplicate';
  return mark.version !== null && mark.version <= heldVersion ? 'outdated' : 'handled';
}

/** Forgets what was set longest ago when there is more than `limit`. */
function remember<K, V>(map: Map<K, V>, key: K, value: V, limit: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= limit) return;
    map.delete(oldest);
  }
}

/**
 * Remembers the last `limit` events and records of this process. A restart forgets them, so a
 * handler that must act once for ever wants a durable store.
 */
export function memoryStore(limit = 10_000): ReceiverStore {
  const events = new Map<string, true>();
  const versions = new Map<string, number>();
  const busy = new Map<string, Promise<unknown>>();

  async function judgeAndHandle(mark: EventMark, handle: (context: undefined) => Promise<unknown>) {
    const verdict = judge(mark, events.has(mark.eventId), versions.get(mark.record) ?? 0);
    if (verdict !== 'handled') return verdict;
    await handle(undefined);
    remember(events, mark.eventId, true, limit);
    if (mark.version !== null) remember(versions, mark.record, mark.version, limit);
    return verdict;
  }

  return {
    once: async (mark, handle) => {
      const before = busy.get(mark.record);
      // Whether the one before failed is its own caller's affair.
      const mine = (before ?? Promise.resolve()).then(
        () => judgeAndHandle(mark, handle),
        () => judgeAndHandle(mark, handle),
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
