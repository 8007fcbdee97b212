import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { LinkedAccount } from '@tenant-payments/contract/resources/linked_accounts.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import { columnsAs, shown } from '@tenant-payments/engine/table.ts';
import type { ReadContext } from '../../read_context.ts';
import { listRecords, namedIn } from '../found_page.ts';
import { getRecord } from '../get_record.ts';
import { linkedAccounts } from './table.ts';

/**
 * GET /v1/customers/{id}/linked-accounts: also removed ones, newest first.
 * @throws ApiError not_found
 */
export async function listLinkedAccounts(
  context: ReadContext,
  input: { id: string },
): Promise<Page<LinkedAccount>> {
  const rows = await context.db
    .selectFrom('customers as c')
    .leftJoin('linked_accounts as l', (join) =>
      join.onRef('l.tenant_id', '=', 'c.tenant_id').onRef('l.customer_id', '=', 'c.id'),
    )
    .where('c.tenant_id', '=', context.tenantId)
    .where('c.id', '=', uuidOf('customer', input.id))
    .select(columnsAs(linkedAccounts, 'l'))
    .orderBy('l.created_at', 'desc')
    .orderBy('l.id', 'desc')
    .execute();
  // A customer without a link gives one row of nulls; no row means no customer.
  if (rows.length === 0) throw fail('not_found');
  const links = rows.filter((row) => row.id !== null);
  return wholeList(links.map((row) => shown(linkedAccounts, row)));
}

/** GET /v1/linked-accounts @throws ApiError parameter_invalid for a cursor of another list or filter */
export const listAllLinkedAccounts = listRecords({
  table: linkedAccounts,
  ofCustomer: namedIn('customer_id'),
  indexed: true,
});

/** GET /v1/linked-accounts/{id}. @throws ApiError not_found */
export const getLinkedAccount = getRecord(linkedAccounts, 'linked_account');
