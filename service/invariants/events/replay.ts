import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Values } from '@tenant-payments/engine/entity.ts';
import { subjectOf, type Violation } from '../check.ts';
import { checkHistory, type StoredEvent } from './history.ts';
import type { Part, RecordedResource } from './recorded.ts';

/** Runs one query in the snapshot of the verification. */
export type RunQuery = (sql: string, values: unknown[]) => Promise<readonly Values[]>;

/** Records in memory at a time, each with its events. */
const pageSize = 500;
/** Records that are checked in one turn of the event loop, which payments wait for. */
const sliceSize = 25;

const eventColumns =
  'e.tenant_id, e.object_type, e.object_id, e.id, e.type, e.version, e.created_at, e.body';
const eventsSql = `select e.tenant_id, e.object_id, e.id, e.type, e.version, e.created_at, e.body
  from unnest($1::uuid[], $2::uuid[]) k(tenant_id, id)
  cross join lateral (
    select ${eventColumns} from events e where e.tenant_id = k.tenant_id and e.object_id = k.id and e.id <> e.object_id
      and not e.sample
    union all
    select ${eventColumns} from events e where e.tenant_id = k.tenant_id and e.id = k.id and e.object_id = k.id) e
  where e.object_type = $3 order by e.tenant_id, e.object_id, e.version`;

/** The versions at which records went on after restores. */
const floorsSql = 'select distinct unnest(version_floors) as floor from tenants';

const keyOf = (tenantId: unknown, id: unknown) => `${tenantId} ${id}`;

/** Some records in the order of their keys, with their events in the order of their versions. */
interface Page {
  readonly rows: readonly Values[];
  readonly events: ReadonlyMap<string, readonly StoredEvent[]>;
}

/** @param after the last row of the page before; null: the first page */
async function readPage(
  runQuery: RunQuery,
  { rows: source, key }: Part,
  {
    resource,
    tenants,
    only,
  }: Pick<ReplayOrder, 'tenants' | 'only'> & { readonly resource: string },
  after: Values | null,
): Promise<Page> {
  const columns = ['tenant_id', ...key];
  const behind = `(${columns.join(', ')}) > (${columns.map((_, at) => `$${at + 1}`).join(', ')})`;
  const where = [tenants, only?.where, after && behind].filter(Boolean).join(' and ') || 'true';
  const sql = `select * from ${source} r where ${where} order by ${columns.join(', ')} limit ${pageSize}`;
  const rows = await runQuery(sql, after ? columns.map((column) => after[column]) : []);
  const events = new Map<string, StoredEvent[]>();
  if (rows.length === 0) return { rows, events };
  const ids = [rows.map((row) => row.tenant_id), rows.map((row) => row.id)];
  for (const event of await runQuery(eventsSql, [...ids, resource])) {
    const own = keyOf(event.tenant_id, event.object_id);
    const list = events.get(own);
    if (list) list.push(event as unknown as StoredEvent);
    else events.set(own, [event as unknown as StoredEvent]);
  }
  return { rows, events };
}

/** Reads page after page; the rows of a page and their events are of one snapshot. */
async function* pages(
  runQuery: RunQuery,
  { parts, resource }: RecordedResource,
  order: ReplayOrder,
) {
  for (const [index, part] of parts.entries()) {
    if (order.only && (order.only.part ?? 0) !== index) continue;
    for (let after: Values | null = null; ; ) {
      const page: Page = await readPage(runQuery, part, { ...order, resource }, after);
      yield page;
      await order.pause?.();
      after = page.rows.at(-1) ?? null;
      if (page.rows.length < pageSize) break;
    }
  }
}

export interface ReplayOrder {
  /** An SQL condition on `tenant_id`; null: all tenants. */
  readonly tenants: string | null;
  /** Called after each page, which may be the last of its snapshot. */
  readonly pause: (() => Promise<void>) | undefined;
  /** Records of one part alone, by an SQL condition on them. */
  readonly only?: { readonly part?: number; readonly where: string };
}

/**
 * Replays the histories of one resource (rules/invariants#6).
 * @param report called with each violation
 * @returns how many events belong to records, so that others can be found
 */
export async function replay(
  runQuery: RunQuery,
  recorded: RecordedResource,
  order: ReplayOrder,
  report: (violation: Violation) => void,
): Promise<number> {
  let count = 0;
  const restored = await runQuery(floorsSql, []);
  const floors = new Set(restored.map(({ floor }) => Number(floor)));
  for await (const { rows, events } of pages(runQuery, recorded, order)) {
    for (const [index, row] of rows.entries()) {
      if (index % sliceSize === sliceSize - 1) await nextTurn();
      const own = events.get(keyOf(row.tenant_id, row.id)) ?? [];
      count += own.length;
      const subject = subjectOf(recorded.resource, String(row.id));
      const found = { tenant_id: String(row.tenant_id), subject };
      checkHistory(recorded, row, own, {
        floors,
        report: (invariant, message) => report({ ...found, invariant, message }),
      });
    }
  }
  return count;
}
