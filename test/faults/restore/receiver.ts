import type pg from 'pg';
import { unpackEvent } from '../../../engine/packed_text/event_text.ts';
import type { StoredEvent } from '../../../service/invariants/events/history.ts';

type Told = Pick<StoredEvent, 'id' | 'object_id' | 'version'> & { readonly object: unknown };

/** The events of a Tenant that show a version, in their order. */
export async function eventsOf(pool: pg.Pool, tenantId: string): Promise<Told[]> {
  const { rows } = await pool.query<StoredEvent>(
    `select id, type, version, created_at, object_id, body from events
     where tenant_id = $1 and not sample order by id`,
    [tenantId],
  );
  return rows.flatMap((row) => {
    const { object } = JSON.parse(unpackEvent(row)).data;
    const { id, object_id, version } = row;
    return typeof object.version === 'number' ? [{ id, object_id, version, object }] : [];
  });
}

/** A receiver as the guide has it: it skips an event whose version is not higher than one that it has taken. */
export function openReceiver() {
  const taken = new Map<string, Told>();
  return {
    take(events: readonly Told[]): void {
      for (const event of events) {
        const before = taken.get(event.object_id);
        if (!before || before.version < event.version) taken.set(event.object_id, event);
      }
    },
    /** Records that it has otherwise than the last of these events shows them. */
    wrong(events: readonly Told[]): string[] {
      const last = new Map(events.map((event) => [event.object_id, event]));
      return [...last.values()].flatMap(({ object_id, object }) => {
        const has = JSON.stringify(taken.get(object_id)?.object);
        return has === JSON.stringify(object) ? [] : [`a receiver has ${has} of ${object_id}`];
      });
    },
  };
}
