import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import type { Page, Position } from '@tenant-payments/engine/pages.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { sql } from 'kysely';
import type { listReserves as contract, Reserve } from '../../contract/money/own_accounts.ts';
import { visibleTenants } from '../../tenants/visible_tenants.ts';

type Row = Position & Omit<Reserve, 'object' | 'tenant_id' | 'short'>;

const present = ({ id, created_at: _, ...row }: Row): Reserve => ({
  object: 'reserve',
  tenant_id: id,
  ...row,
  short: Math.max(row.floor - row.balance, 0),
});

/** The amount that a dispute may still cost: what remains of its amount, less what was credited. */
const costs = sql`greatest(d.disputed_cents - d.credited_cents
  - coalesce(p.refunded_amount - d.refunded_before, 0), 0)`;

/**
 * GET /portal/api/reserves: by the creation of the Tenants, newest first (rules/money-desk#5).
 * @throws ApiError parameter_invalid for a cursor of another list
 */
export async function listReserves(
  context: ReadContext,
  { limit = defaultLimit, cursor, tenant_id }: QueryOf<typeof contract>,
): Promise<Page<Reserve>> {
  const behind = context.pages.after(cursor);
  const tenants = visibleTenants(context, tenant_id);
  const { rows } = await sql<Row>`
    select t.tenant_id as id, t.created_at, t.name as tenant_name, r.balance, r.in_transit, d.floor, d.open_disputes,
      d.unknown_disputes
    from (select tenant_id, name, created_at from tenants
      where (${tenants}::uuid[] is null or tenant_id = any(${tenants}::uuid[]))
        ${behind ? sql`and (created_at, tenant_id) < (${behind.created_at}::timestamptz, ${behind.id}::uuid)` : sql``}
      order by created_at desc, tenant_id desc limit ${limit + 1}) t
    cross join lateral (select coalesce(sum(delta) filter (where pocket = 'reserve'), 0)::bigint as balance,
        coalesce(-sum(delta) filter (where pocket = 'top_up_in_transit'), 0)::bigint as in_transit
      from entries e where e.tenant_id = t.tenant_id and e.pocket in ('reserve', 'top_up_in_transit')) r
    cross join lateral (select coalesce(sum(${costs}), 0)::bigint as floor,
        count(*)::int as open_disputes,
        (count(*) filter (where d.disputed_cents is null))::int as unknown_disputes
      from disputes d left join payments p on p.tenant_id = d.tenant_id and p.id = d.counted_payment_id
      where d.tenant_id = t.tenant_id and d.linked_to is null
        and d.status in ('received', 'investigating', 'provisional_credit')) d
    order by t.created_at desc, t.tenant_id desc`.execute(context.db);
  return context.pages.page(rows, limit, present);
}
