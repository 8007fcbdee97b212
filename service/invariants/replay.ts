import type { Values } from '../core/entity.ts';
import { subjectOf, type Violation } from './check.ts';
import { historyFaults, type StoredEvent } from './history.ts';
import type { Recorded } from './records.ts';

/** Runs one query in the snapshot of the verification. */
export type Ask = (sql: string, values: unknown[]) => Promise<readonly Values[]>;

/** Records in memory at a time, each with its events. */
const pageSize = 500;
const nil = '00000000-0000-0000-0000-000000000000';

const eventsSql = `select e.tenant_id, e.object_id, e.id, e.type, e.version, e.created_at, e.body
  from unnest($1::uuid[], $2::uuid[]) k(tenant_id, id)
  join events e on e.tenant_id = k.tenant_id and e.object_id = k.id
  where e.object_type = $3 and not e.sample order by e.tenant_id, e.object_id, e.version`;

const keyOf = (tenantId: unknown, id: unknown) => `${tenantId} ${id}`;

/** The events of a page of records, by record, in the order of their versions. */
async function eventsOf(
  ask: Ask,
  resource: string,
  rows: readonly Values[],
): Promise<Map<string, StoredEvent[]>> {
  if (rows.length === 0) return new Map();
  const ids = [rows.map((row) => row.tenant_id), rows.map((row) => row.id)];
  const events = new Map<string, StoredEvent[]>();
  for (const event of await ask(eventsSql, [...ids, resource])) {
    const key = keyOf(event.tenant_id, event.object_id);
    const list = events.get(key) ?? [];
    list.push(event as unknown as StoredEvent);
    events.set(key, list);
  }
  return events;
}

/**
 * Replays the histories of one resource, a page of records at a time in the order of their keys.
 * @param tenantId null: of all tenants
 * @param report takes each violation
 * @returns how many events belong to records, so that those that do not can be told
 */
export async function replay(
  ask: Ask,
  recorded: Recorded,
  tenantId: string | null,
  report: (violation: Violation) => void,
): Promise<number> {
  const sql = `select * from ${recorded.rows} r where (tenant_id, id) > ($1, $2)
    ${tenantId === null ? '' : 'and tenant_id = $3'} order by tenant_id, id limit ${pageSize}`;
  const narrowed = tenantId === null ? [] : [tenantId];
  let events = 0;
  let after: unknown[] = [tenantId ?? nil, nil];
  for (;;) {
    const rows = await ask(sql, [...after, ...narrowed]);
    const page = await eventsOf(ask, recorded.resource, rows);
    for (const row of rows) {
      const own = page.get(keyOf(row.tenant_id, row.id)) ?? [];
      events += own.length;
      for (const { invariant, message } of historyFaults(recorded, row, own))
        report({
          invariant,
          tenant_id: String(row.tenant_id),
          subject: subjectOf(recorded.resource, String(row.id)),
          message,
        });
    }
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return events;
    after = [last.tenant_id, last.id];
  }
}
