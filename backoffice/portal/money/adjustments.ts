import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import type { Page } from '@tenant-payments/engine/pages.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import { lapsedBy } from '../../approvals/lapsed.ts';
import type {
  listAdjustments as contract,
  MadeAdjustment,
} from '../../contract/money/adjustments.ts';
import { nameOf } from '../../desk/notes.ts';
import { visibleTenants } from '../../tenants/visible_tenants.ts';

type Row = Omit<MadeAdjustment, 'object' | 'asked_by' | 'decided_by'> & {
  readonly maker: string;
  readonly maker_name: string | null;
  readonly decider: string | null;
  readonly decider_name: string | null;
};

/** Moves that were made; the entries have no other link to their move than account, time and amount. */
const made = sql`select r.tenant_id, r.id, 'made' as status, r.record_id as account_id, r.amount,
    r.note as reason, r.operator as maker, a.decider, a.decision_note, r.approval_id,
    (select e.source_id from entries e
      where e.tenant_id = r.tenant_id and e.transaction_type = 'adjustment'
        and e.account_id = replace(r.record_id, 'acct_', '')::uuid and e.created_at = r.created_at
        and e.delta = r.amount and e.step in ('adjusted', 'adjusted_back') limit 1) as source_id,
    r.created_at
  from reviews r left join approvals a on a.tenant_id = r.tenant_id and a.id = r.approval_id
  where r.resource = 'accounts' and r.move = 'adjust'`;

/** Requests that made nothing; a lapsed one still says that it waits (rules/approvals#6). */
const asked = (realNow: string) => sql`select t.tenant_id, t.id,
    case when t.status = 'waiting'
        and (t.lapses_at <= ${realNow}::timestamptz or ${lapsedBy} is not null) then 'lapsed'
      else t.status end as status,
    t.record_id as account_id, (t.body::jsonb ->> 'amount')::bigint as amount, t.note as reason,
    t.maker, t.decider, t.decision_note, t.id as approval_id, null::uuid as source_id, t.created_at
  from approvals t
  where t.resource = 'accounts' and t.move = 'adjust' and t.status <> 'approved'`;

const present = ({ maker, maker_name, decider, decider_name, ...row }: Row): MadeAdjustment => ({
  object: 'adjustment',
  ...row,
  asked_by: nameOf(maker, maker_name),
  decided_by: decider && nameOf(decider, decider_name),
  approval_id: row.approval_id && publicId('approval', row.approval_id),
  source_id: row.source_id && publicId('adjustment', row.source_id),
});

/**
 * GET /portal/api/adjustments: newest first (rules/money-desk#9).
 * @throws ApiError parameter_invalid for a cursor of another list
 */
export const listAdjustments =
  ({ clocks }: Pick<Service, 'clocks'>) =>
  async (
    context: ReadContext,
    { limit = defaultLimit, cursor, tenant_id, status }: QueryOf<typeof contract>,
  ): Promise<Page<MadeAdjustment>> => {
    const behind = context.pages.after(cursor);
    const tenants = visibleTenants(context, tenant_id);
    const { rows } = await sql<Row>`
      select x.tenant_id, x.id, x.status, x.account_id, x.amount, x.reason, x.maker, x.decider,
        x.decision_note, x.approval_id, x.source_id, x.created_at, t.name as tenant_name, m.name as maker_name, p.name as decider_name
      from (${made} union all ${asked(instantOf(clocks.realNow()))}) x
        join tenants t on t.tenant_id = x.tenant_id
        left join control.people m on x.maker = 'person ' || m.id
        left join control.people p on x.decider = 'person ' || p.id
      where (${tenants}::uuid[] is null or x.tenant_id = any(${tenants}::uuid[]))
        ${status === undefined ? sql`` : sql`and x.status = ${status}`}
        ${behind ? sql`and (x.created_at, x.id) < (${behind.created_at}::timestamptz, ${behind.id}::uuid)` : sql``}
      order by x.created_at desc, x.id desc limit ${limit + 1}`.execute(context.db);
    return context.pages.page(rows, limit, present);
  };
