import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { sql } from 'kysely';
import type { CaseFile, DeskResource } from '../contract/operate/desk.ts';

/** The movement that is in processing at a bank, and keeps a dispute's determination waiting (rules/disputes#18). */
export async function awaitedBy(
  { tenantId, db }: Pick<ReadContext, 'tenantId' | 'db'>,
  resource: DeskResource,
  id: string,
): Promise<CaseFile['awaits']> {
  if (resource !== 'disputes') return null;
  const { rows } = await sql<{ awaits: CaseFile['awaits'] }>`
    select case when p.refunding_cents > 0 then 'refund' when p.status = 'processing' then 'payment'
      when x.status = 'pending' then 'withdrawal' end as awaits
    from disputes d
      left join payments p on p.tenant_id = d.tenant_id and p.id = d.counted_payment_id
      left join pending_transactions x on x.tenant_id = d.tenant_id and x.id = d.movement_id
    where d.tenant_id = ${tenantId} and d.id = ${id} and d.linked_to is null
      and d.status in ('received', 'investigating', 'provisional_credit')`.execute(db);
  return rows[0]?.awaits ?? null;
}
