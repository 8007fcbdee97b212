import type { Values } from '../../core/entity.ts';
import { subjectOf, type Violation } from '../check.ts';
import { checkHistory, type StoredEvent } from './history.ts';
import type { Recorded } from './recorded.ts';

/** Runs one query in the snapshot of the verification. */
export type RunQuery = (sql: string, values: unknown[]) => Promise<readonly Values[]>;

/** Records in memory at a time, each with its events; as many again are being read. */
const pageSize = 500;

const eventsSql = `select e.tenant_id, e.object_id, e.id, e.type, e.version, e.created_at, e.body
  from unnest($1::uuid[], $2::uuid[]) k(tenant_id, id)
  join events e on e.tenant_id = k.tenant_id and e.object_id = k.id
  where e.object_type = $3 and not e.sample order by e.tenant_id, e.object_id, e.version`;

const keyOf = (tenantId: unknown, id: unknown) => `${tenantId} ${id}`;

/** Some records in the order of their keys, with their events in the order of their versions. */
interface Page {
  readonly rows: readonly Values[];
  readonly events: ReadonlyMap<string, readonly StoredEvent[]>;
}

async function readPage(runQuery: RunQuery, cursor: string, resource: string): Promise<Page> {
  const rows = await runQuery(`fetch forward ${pageSize} from ${cursor}`, []);
  const events = new Map<string, StoredEvent[]>();
  if (rows.length === 0) return { rows, events };
  const ids = [rows.map((row) => row.tenant_id), rows.map((row) => row.id)];
  for (const event of await runQuery(eventsSql, [...ids, resource])) {
    const key = keyOf(event.tenant_id, event.object_id);
    const list = events.get(key);
    if (list) list.push(event as unknown as StoredEvent);
    else events.set(key, [event as unknown as StoredEvent]);
  }
  return { rows, events };
}

let opened = 0;

/**
 * A cursor of the snapshot's transaction, and ends with it. Pages by key would not do: some records
 * are a union, which no index orders, so that each page would read all of it.
 */
async function openCursor(
  runQuery: RunQuery,
  source: string,
  tenants: string | null,
): Promise<string> {
  opened += 1;
  const cursor = `replay_${opened}`;
  // A cursor takes no parameters.
  const where = tenants === null ? '' : `where ${tenants}`;
  const sql = `select * from ${source} r ${where} order by tenant_id, id`;
  await runQuery(`declare ${cursor} no scroll cursor for ${sql}`, []);
  return cursor;
}

/** Reads page after page; the database reads the next one while this one is checked. */
async function* pages(runQuery: RunQuery, { rows, resource }: Recorded, tenants: string | null) {
  const cursor = await openCursor(runQuery, rows, tenants);
  let next: Promise<Page> | null = readPage(runQuery, cursor, resource);
  while (next) {
    const page: Page = await next;
    next = page.rows.length === pageSize ? readPage(runQuery, cursor, resource) : null;
    // A failed read of the next page does not matter when the caller has stopped.
    next?.catch(() => {});
    yield page;
  }
}

/**
 * Replays the histories of one resource (rules/invariants#6).
 * @param tenants an SQL condition on `tenant_id`; null: all tenants
 * @param report called with each violation
 * @returns how many events belong to records, so that others can be found
 */
export async function replay(
  runQuery: RunQuery,
  recorded: Recorded,
  tenants: string | null,
  report: (violation: Violation) => void,
): Promise<number> {
  let count = 0;
  for await (const { rows, events } of pages(runQuery, recorded, tenants)) {
    for (const row of rows) {
      const own = events.get(keyOf(row.tenant_id, row.id)) ?? [];
      count += own.length;
      checkHistory(recorded, row, own, (invariant, message) =>
        report({
          invariant,
          tenant_id: String(row.tenant_id),
          subject: subjectOf(recorded.resource, String(row.id)),
          message,
        }),
      );
    }
  }
  return count;
}
