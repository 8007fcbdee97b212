import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import type { Page } from '@tenant-payments/engine/pages.ts';
import { columnList } from '@tenant-payments/engine/table.ts';
import { type ClockFacts, tenantNowMs } from '@tenant-payments/engine/time/clock.ts';
import { type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { caseView } from '@tenant-payments/service/resources/disputes/case_view.ts';
import { firstDeadline } from '@tenant-payments/service/resources/disputes/first_deadline.ts';
import { type DisputeRow, disputes } from '@tenant-payments/service/resources/disputes/table.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import {
  type BoardDispute,
  type listDisputeBoard as contract,
  deadlineNames,
} from '../contract/operate/dispute_board.ts';
import { visibleTenants } from '../tenants/visible_tenants.ts';

type Row = DisputeRow &
  ClockFacts & {
    readonly tenant_id: string;
    readonly tenant_name: string;
    readonly next_at: Instant;
  };

/** Behind every deadline: a dispute without one comes last. */
const never = '9999-12-31T00:00:00.000Z';

function present(row: Row, realMs: number): BoardDispute {
  const record = caseView(row);
  const now = instantOf(tenantNowMs(row, realMs));
  const open = deadlineNames.flatMap((deadline) => {
    const at = record.deadlines[deadline];
    return at === null ? [] : [{ deadline, at }];
  });
  const [next = null] = open.sort((a, b) => (a.at < b.at ? -1 : 1));
  return {
    object: 'board_dispute',
    tenant_id: row.tenant_id,
    tenant_name: row.tenant_name,
    now,
    next,
    late: next !== null && next.at < now,
    record,
  };
}

/**
 * GET /portal/api/dispute-board (rules/disputes#44).
 * @throws ApiError parameter_invalid for a cursor of another list
 */
export const listDisputeBoard =
  ({ clocks }: Pick<Service, 'clocks'>) =>
  async (
    context: ReadContext,
    { limit = defaultLimit, cursor, tenant_id }: QueryOf<typeof contract>,
  ): Promise<Page<BoardDispute>> => {
    const behind = context.pages.after(cursor);
    const tenants = visibleTenants(context, tenant_id);
    const { rows } = await sql<Row>`
      select * from (
        select ${sql.raw(columnList(disputes, 'd'))}, t.name as tenant_name, t.clock_offset_ms, t.clock_at,
          coalesce(${firstDeadline('d')}, ${never}::timestamptz) as next_at
        from disputes d join tenants t on t.tenant_id = d.tenant_id
        where d.status <> 'closed'
          and (${tenants}::uuid[] is null or d.tenant_id = any(${tenants}::uuid[]))) open
      where ${behind ? sql`(next_at, id) > (${behind.created_at}::timestamptz, ${behind.id}::uuid)` : sql`true`}
      order by next_at, id limit ${limit + 1}`.execute(context.db);
    const realMs = clocks.realNow();
    const found = rows.map((row) => ({ created_at: row.next_at, id: row.id, row }));
    return context.pages.page(found, limit, ({ row }) => present(row, realMs));
  };
