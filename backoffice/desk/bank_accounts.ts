import { publicId } from '@tenant-payments/contract/core/ids.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { isOptedOut } from '@tenant-payments/service/resources/linked_accounts/opt_out.ts';
import type { CaseFile } from '../contract/operate/desk.ts';

/** The bank accounts of the customer whom a case is about, with what its customer has told their bank. */
export async function bankAccountsOf(
  { tenantId, db }: Pick<ReadContext, 'tenantId' | 'db'>,
  customer: string | null,
): Promise<CaseFile['bank_accounts']> {
  if (customer === null) return [];
  const rows = await db
    .selectFrom('linked_accounts')
    .where('tenant_id', '=', tenantId)
    .where('customer_id', '=', customer)
    .where('status', '<>', 'removed')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(20)
    .select(['id', 'institution_name', 'account_mask', 'status', 'offered_load', 'can_load'])
    .execute();
  return rows.map((row) => ({
    id: publicId('linked_account', row.id),
    institution_name: row.institution_name,
    account_mask: row.account_mask,
    status: row.status,
    opted_out: isOptedOut(row),
  }));
}
