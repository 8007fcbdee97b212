import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import type { Page } from '@tenant-payments/engine/pages.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { readWaitingFees } from '@tenant-payments/service/resources/accounts/fee_sweep.ts';
import { sql } from 'kysely';
import type {
  listFeeSweeps as contract,
  FeeSweep,
  WaitingFees,
} from '../../contract/money/own_accounts.ts';
import { visibleTenants } from '../../tenants/visible_tenants.ts';

type Row = Omit<FeeSweep, 'object'>;

/**
 * GET /portal/api/fee-sweeps: newest first (rules/money-desk#8).
 * @throws ApiError parameter_invalid for a cursor of another list
 */
export async function listFeeSweeps(
  context: ReadContext,
  { limit = defaultLimit, cursor, tenant_id }: QueryOf<typeof contract>,
): Promise<Page<FeeSweep>> {
  const behind = context.pages.after(cursor);
  const tenants = visibleTenants(context, tenant_id);
  const { rows } = await sql<Row>`
    select f.id, f.tenant_id, t.name as tenant_name, f.day, case when i.id is null or i.answer = 'settled'
        then 'swept' else coalesce(i.answer, 'in_transit') end as status, f.platform_fees, f.tenant_fees,
      f.created_at
    from fee_sweeps f join tenants t on t.tenant_id = f.tenant_id
      left join instructions i on i.tenant_id = f.tenant_id and i.source_type = 'adjustment'
        and i.source_id = f.id
    where (${tenants}::uuid[] is null or f.tenant_id = any(${tenants}::uuid[]))
      ${behind ? sql`and (f.created_at, f.id) < (${behind.created_at}::timestamptz, ${behind.id}::uuid)` : sql``}
    order by f.created_at desc, f.id desc limit ${limit + 1}`.execute(context.db);
  return context.pages.page(rows, limit, (row) => ({
    object: 'fee_sweep',
    ...row,
    id: publicId('adjustment', row.id),
  }));
}

/** GET /portal/api/waiting-fees (rules/money-desk#8). */
export async function getWaitingFees(context: ReadContext): Promise<WaitingFees> {
  const { db, tenantId } = context;
  const [fees, now] = await Promise.all([readWaitingFees(db, tenantId), context.now()]);
  return { object: 'waiting_fees', ...fees, now };
}
