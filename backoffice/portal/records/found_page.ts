import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import type { Page, Position } from '@tenant-payments/engine/pages.ts';
import { type AnyTable, columnList } from '@tenant-payments/engine/table.ts';
import { timesIn } from '@tenant-payments/engine/time/query_times.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { firstIdAt, lastIdAt } from '@tenant-payments/service/webhooks/list.ts';
import { type RawBuilder, sql } from 'kysely';

/** What the lists of records take. */
export interface ListQuery {
  readonly status?: string | undefined;
  readonly customer_id?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface Listed {
  /** Its ids are UUIDv7 of the Tenant's clock. */
  readonly table: AnyTable;
  /** The column with the time of its making. */
  readonly made: string;
  /** Those of a customer; absent: it has none. */
  readonly ofCustomer?: (uuid: string | null, tenantId: string) => RawBuilder<unknown>;
}

/** Rows that a page looks through at most, while it looks for those of a filter. */
export const rowsLookedThrough = 20_000;

/**
 * A page of a table, newest first: the primary key alone gives order and pages. A filter that few rows
 * pass ends its page early, so that no page reads the whole table (rules/portal-records#5).
 * @throws ApiError parameter_invalid for a cursor of another list, filter or tenant
 */
export async function foundPage<Row extends Position, Item>(
  { tenantId, db, pages }: ReadContext,
  { table, made, ofCustomer }: Listed,
  query: ListQuery,
  view: (row: Row) => Item,
  atMost = rowsLookedThrough,
): Promise<Page<Item>> {
  const { status, customer_id, limit = defaultLimit, cursor } = query;
  const behind = pages.after(cursor);
  const { from, to } = timesIn(query);
  const filters = [
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(from ? [sql`${sql.ref(made)} >= ${from}`] : []),
    ...(to ? [sql`${sql.ref(made)} < ${to}`] : []),
    ...(customer_id === undefined || !ofCustomer
      ? []
      : [ofCustomer(uuidOf('customer', customer_id), tenantId)]),
  ];
  const ahead = sql`from ${sql.table(table.name)} where tenant_id = ${tenantId}
    ${behind ? sql`and id < ${behind.id}` : sql``}
    ${from ? sql`and id >= ${firstIdAt(from)}` : sql``}
    ${to ? sql`and id <= ${lastIdAt(to)}` : sql``} order by id desc`;
  const columns = sql.raw(columnList(table));
  const read = (window: RawBuilder<unknown>) =>
    sql<Row>`select ${columns} from (select ${columns} ${ahead} limit ${window}) looked
      where ${sql.join([sql`true`, ...filters], sql` and `)}
      order by id desc limit ${limit + 1}`.execute(db);
  if (filters.length === 0) return pages.page((await read(sql`${limit + 1}`)).rows, limit, view);
  const { rows } = await read(sql`${atMost}`);
  if (rows.length > limit) return pages.page(rows, limit, view);
  const last = sql<Position>`select id, ${sql.ref(made)} as created_at ${ahead}
    offset ${atMost - 1} limit 1`;
  return pages.page(rows, limit, view, (await last.execute(db)).rows[0] ?? null);
}

/** Rows whose own columns name the customer, on either side. */
export const namedIn =
  (...columns: readonly string[]) =>
  (uuid: string | null): RawBuilder<unknown> =>
    sql`(${sql.join(
      columns.map((column) => sql`${sql.ref(column)} = ${uuid}`),
      sql` or `,
    )})`;
