import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import type { Page, Position } from '@tenant-payments/engine/pages.ts';
import { columnList } from '@tenant-payments/engine/table.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { sql } from 'kysely';
import { type listReview as contract, queuedResources } from '../contract/operate/review.ts';
import type { Reviewed } from './move.ts';
import type { ReviewTable } from './moves.ts';
import { movesOf, type QueuedResource, queues, type Waiting } from './queues.ts';

/** The first records of one queue after a position, each with its own position. */
async function readQueue(
  { tenantId, db }: ReadContext,
  resource: QueuedResource,
  reviewed: Reviewed,
  behind: Position | null,
  count: number,
): Promise<(Position & { readonly item: object })[]> {
  const queue = queues[resource];
  const { table, kind, statuses, since, present } = queue;
  const at = sql.ref(since);
  const { rows } = await sql<Waiting>`
    select ${sql.raw(columnList(table))}, ${at} as waiting_since from ${sql.table(table.name)}
    where tenant_id = ${tenantId} and status in (${sql.join(statuses.map((one) => sql.lit(one)))})
      ${behind ? sql`and (${at}, id) < (${behind.created_at}::timestamptz, ${behind.id}::uuid)` : sql``}
    order by ${at} desc, id desc limit ${count}`.execute(db);
  return rows.map((row) => ({
    created_at: row.waiting_since,
    id: row.id,
    item: {
      object: 'review_item',
      resource,
      id: publicId(kind, row.id),
      waiting_since: row.waiting_since,
      moves: movesOf(queue, reviewed, row),
      record: present(row),
    },
  }));
}

const newestFirst = (a: Position, b: Position): number => {
  const place = ({ created_at, id }: Position) => `${created_at} ${id}`;
  return place(a) < place(b) ? 1 : -1;
};

/**
 * GET /portal/api/review: all records that wait for a reviewer, newest first (rules/review#15). Each
 * queue is read by an index, at most one page of it.
 * @throws ApiError parameter_invalid for a cursor of another list or tenant
 */
export const listReview =
  (table: ReviewTable) =>
  async (
    context: ReadContext,
    { limit = defaultLimit, cursor }: QueryOf<typeof contract>,
  ): Promise<Page<object>> => {
    const behind = context.pages.after(cursor);
    const found = await Promise.all(
      queuedResources.map((resource) =>
        readQueue(context, resource, table[resource], behind, limit + 1),
      ),
    );
    return context.pages.page(found.flat().sort(newestFirst), limit, ({ item }) => item);
  };

/** How many records of a Tenant wait for a reviewer, each queue by its index. */
export async function countWaiting(db: ReadContext['db'], tenantId: string): Promise<number> {
  const counts = Object.values(queues).map(
    ({
      table,
      statuses,
    }) => sql`(select count(*) from ${sql.table(table.name)} where tenant_id = ${tenantId}
      and status in (${sql.join(statuses.map((one) => sql.lit(one)))}))`,
  );
  const { rows } = await sql<{ waiting: number }>`
    select ${sql.join(counts, sql` + `)} as waiting`.execute(db);
  return rows[0]?.waiting ?? 0;
}
