import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { Lifecycle } from '@tenant-payments/contract/core/lifecycle.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import { firstIdAt, lastIdAt } from '@tenant-payments/engine/new_id.ts';
import type { Page, Position } from '@tenant-payments/engine/pages.ts';
import {
  type AnyTable,
  type Columns,
  columnList,
  shown,
  type Table,
} from '@tenant-payments/engine/table.ts';
import { timesIn } from '@tenant-payments/engine/time/query_times.ts';
import { type RawBuilder, sql } from 'kysely';
import type { ReadContext } from '../read_context.ts';

/** The query that the lists of records take. */
export interface ListQuery {
  readonly status?: string | undefined;
  readonly customer_id?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Absent: the newest first. */
  readonly order?: 'newest' | 'oldest' | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

type Condition = RawBuilder<unknown>;

export interface ListedTable {
  /** Its ids are UUIDv7 of the Tenant's clock. */
  readonly table: AnyTable;
  /** The column with the time of its making; absent: `created_at`. */
  readonly made?: string;
  /** How `to` compares with it; absent: `<`. */
  readonly until?: '<=';
  /** The rows of a customer, on either side: no row meets two of the conditions. Absent: there are none. */
  readonly ofCustomer?: (uuid: string | null, tenantId: string) => readonly Condition[];
  /** Each condition of `ofCustomer` has an index that goes on by id (rules/reads#6). */
  readonly indexed?: true;
  /** Columns by the reference that the query names, each with such an index. */
  readonly references?: Readonly<Record<string, string>>;
}

/** Rows that a page looks through at most, while it looks for those of a filter. */
export const rowsLookedThrough = 20_000;

const nothing = sql``;
const either = (conditions: readonly Condition[]): Condition =>
  sql`(${sql.join(conditions, sql` or `)})`;

/** How a list compares with where its last page ended, and how it is sorted. */
export const wayOf = (order: ListQuery['order']): readonly [Condition, Condition] =>
  order === 'oldest' ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`];

/** The parts in which the rows are read, each by an index in the order of ids. The others are looked through. */
function partsOf(
  { table, made = 'created_at', until, ofCustomer, indexed, references = {} }: ListedTable,
  query: ListQuery,
  tenantId: string,
) {
  const { status, customer_id, metadata } = query;
  const { from, to } = timesIn(query);
  const named = Object.entries(references).flatMap(([field, column]) => {
    const value = (query as Readonly<Record<string, unknown>>)[field];
    return value === undefined ? [] : [sql`${sql.ref(column)} = ${value}`];
  });
  const customer =
    customer_id === undefined || !ofCustomer
      ? null
      : ofCustomer(uuidOf('customer', customer_id), tenantId);
  const [reference, ...otherReferences] = named;
  // `<table>_with_metadata` holds those that have any.
  const others = metadata ? sql`metadata is not null` : sql`true`;
  const byIndex = reference ? [reference] : indexed && customer ? customer : [others];
  const isDone = byIndex === customer;
  const filters = [
    ...otherReferences,
    ...(metadata ? [sql`metadata::jsonb @> ${JSON.stringify(metadata)}::jsonb`] : []),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(from ? [sql`${sql.ref(made)} >= ${from}`] : []),
    ...(to ? [sql`${sql.ref(made)} ${until ? sql`<=` : sql`<`} ${to}`] : []),
    ...(customer === null || isDone ? [] : [either(customer)]),
  ];
  const between = sql`${from ? sql`and id >= ${firstIdAt(from)}` : nothing}
    ${to ? sql`and id <= ${lastIdAt(to)}` : nothing}`;
  const columns = sql.raw(columnList(table));
  const [beyond, way] = wayOf(query.order);
  const rowsOf = (condition: Condition, behind: Position | null) =>
    sql`select ${columns} from ${sql.table(table.name)} where tenant_id = ${tenantId} and ${condition}
      ${behind ? sql`and id ${beyond} ${behind.id}` : nothing} ${between}`;
  // Each index is read in its order and no further: a sort of what a customer has is never planned.
  const ahead = (behind: Position | null, window: number) =>
    sql`select ${columns} from (${sql.join(
      byIndex.map(
        (condition) => sql`(${rowsOf(condition, behind)} order by id ${way} limit ${window})`,
      ),
      sql` union all `,
    )}) found order by id ${way} limit ${window}`;
  return { filters, ahead, columns, made, way };
}

/**
 * A page of a table, newest or oldest first: one index gives order and pages. What it does not filter by is looked for in
 * at most `atMost` rows, so that no page reads the whole table (rules/reads#6).
 * @throws ApiError parameter_invalid for a cursor of another list, filter or tenant
 */
export async function foundPage<Row extends Position, Item>(
  { tenantId, db, pages }: Pick<ReadContext, 'tenantId' | 'db' | 'pages'>,
  listed: ListedTable,
  query: ListQuery,
  view: (row: Row) => Item,
  atMost = rowsLookedThrough,
): Promise<Page<Item>> {
  const { limit = defaultLimit, cursor } = query;
  const behind = pages.after(cursor);
  const { filters, ahead, columns, made, way } = partsOf(listed, query, tenantId);
  const read = (window: number) =>
    sql<Row>`select ${columns} from (${ahead(behind, window)}) looked
      where ${sql.join([sql`true`, ...filters], sql` and `)}
      order by id ${way} limit ${limit + 1}`.execute(db);
  if (filters.length === 0) return pages.page((await read(limit + 1)).rows, limit, view);
  const { rows } = await read(atMost);
  if (rows.length > limit) return pages.page(rows, limit, view);
  const last = sql<Position>`select id, ${sql.ref(made)} as created_at from (${ahead(behind, atMost)}) looked
    order by id ${way} offset ${atMost - 1} limit 1`;
  return pages.page(rows, limit, view, (await last.execute(db)).rows[0] ?? null);
}

/** Rows whose own columns name the customer, on either side. */
export const namedIn =
  (...columns: readonly string[]) =>
  (uuid: string | null): readonly Condition[] =>
    columns.map((column) => sql`${sql.ref(column)} = ${uuid}`);

/**
 * Makes the read behind `GET /v1/<records>`: newest first, each record as its GET shows it (rules/reads#4).
 * @returns a read that throws ApiError parameter_invalid for a cursor of another list, filter or tenant
 */
export const listRecords =
  <P extends object>(
    listed: Omit<ListedTable, 'table'> & {
      readonly table: Table<Columns, Lifecycle | undefined, P>;
    },
  ) =>
  (context: ReadContext, query: ListQuery): Promise<Page<P>> =>
    foundPage<Position, P>(context, { ...listed, until: '<=' }, query, (row) =>
      shown(listed.table, row),
    );
