import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Page } from '@tenant-payments/engine/pages.ts';
import { columnList } from '@tenant-payments/engine/table.ts';
import { type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { type RawBuilder, sql } from 'kysely';
import type { listApprovals as contract } from '../contract/operate/approvals.ts';
import type { MoveTable } from '../review/move.ts';
import { dependenceOf, outlookFor } from './independence.ts';
import { hasLapsed, lapsedBy, type ReadApproval } from './lapsed.ts';
import { outlookIn, rerun } from './preview.ts';
import { type ApprovalRow, approvals } from './table.ts';
import { approvalView, type Outlook } from './view.ts';

/** @throws ApiError not_found, param id */
export async function readApproval(
  { db }: Pick<Service, 'db'>,
  tenantId: string,
  id: string,
): Promise<ReadApproval> {
  const { rows } =
    await sql<ReadApproval>`select ${sql.raw(columnList(approvals, 't'))}, ${lapsedBy} as lapsed_by from approvals t
    where t.tenant_id = ${tenantId} and t.id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) throw fail('not_found', { param: 'id' });
  return row;
}

type Query = QueryOf<typeof contract>;

/** The condition on the status. A lapsed request is a row that waits and that nobody can approve any more. */
function whereStatus(status: Query['status'], realNow: string) {
  if (status === undefined) return sql``;
  const hasLapsed = sql`(t.lapses_at <= ${realNow} or ${lapsedBy} is not null)`;
  if (status === 'waiting') return sql`and t.status = 'waiting' and not ${hasLapsed}`;
  if (status === 'lapsed') return sql`and t.status = 'waiting' and ${hasLapsed}`;
  return sql`and t.status = ${status}`;
}

type Parts = Pick<Service, 'db' | 'engine' | 'clocks' | 'config'>;

/** A kind of list: its rows, and how it computes and shows what a request would do now. */
interface ListKind<View> {
  readonly columns: RawBuilder<unknown>;
  /** SQL after `from`: the rows as `t`, with a `where` to which more conditions are added. */
  from(context: ReadContext): ReturnType<typeof sql>;
  /** The effect of a waiting request if it ran now. */
  outlook(row: ApprovalRow, context: ReadContext): Promise<Outlook>;
  view(row: ReadApproval, realNow: Instant, outlook?: Outlook): View;
}

/**
 * GET /portal/api/approvals: newest first. The effect of those that wait is computed anew
 * (rules/approvals#5).
 * @throws ApiError parameter_invalid for a cursor of another list or tenant
 */
export const listApprovals = (service: Parts, table: MoveTable) =>
  listRequests(service, {
    columns: sql.raw(columnList(approvals, 't')),
    from: ({ tenantId }) => sql`approvals t where t.tenant_id = ${tenantId}`,
    outlook: async (row, context) =>
      outlookFor(
        outlookIn(await rerun(service, table, row, context), row),
        await dependenceOf(service, context.actor, row, context.tenantId),
      ),
    view: approvalView,
  });

/** A list of requests, page by page. */
export const listRequests =
  <View>({ clocks }: Pick<Service, 'clocks'>, { columns, from, outlook, view }: ListKind<View>) =>
  async (
    context: ReadContext,
    { status, limit = defaultLimit, cursor }: Query,
  ): Promise<Page<View>> => {
    const { db, pages } = context;
    const last = pages.after(cursor);
    const realNow = instantOf(clocks.realNow());
    const { rows } =
      await sql<ReadApproval>`select ${columns}, ${lapsedBy} as lapsed_by from ${from(context)}
        ${whereStatus(status, realNow)} ${last ? sql`and t.id < ${last.id}` : sql``}
      order by t.id desc limit ${limit + 1}`.execute(db);
    const shown = rows.slice(0, limit).map(async (row): Promise<[string, View]> => {
      const waits = row.status === 'waiting' && !hasLapsed(row, realNow);
      return [row.id, view(row, realNow, waits ? await outlook(row, context) : undefined)];
    });
    const views = new Map(await Promise.all(shown));
    return pages.page(rows, limit, ({ id }) => {
      const found = views.get(id);
      if (!found) throw new Error('every row of the page is shown');
      return found;
    });
  };
