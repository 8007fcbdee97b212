import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { publicId, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type {
  Account,
  Balance,
  listAccounts as listContract,
} from '@tenant-payments/contract/resources/accounts.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import { readColumns, shown } from '@tenant-payments/engine/table.ts';
import type { ReadContext } from '../../read_context.ts';
import { getRecord } from '../get_record.ts';
import { accounts } from './table.ts';

/** GET /v1/accounts: the customer's account; none for an unknown customer (rules/accounts#12). */
export async function listAccounts(
  context: ReadContext,
  input: QueryOf<typeof listContract>,
): Promise<Page<Account>> {
  const rows = await context.db
    .selectFrom('accounts')
    .select(readColumns(accounts))
    .where('tenant_id', '=', context.tenantId)
    .where('customer_id', '=', uuidOf('customer', input.customer_id))
    .execute();
  return wholeList(rows.map((row) => shown(accounts, row)));
}

/** GET /v1/accounts/{id}/balance, as of the tenant's clock. @throws ApiError not_found */
export async function getBalance(context: ReadContext, input: { id: string }): Promise<Balance> {
  const row = await context.db
    .selectFrom('balances')
    .innerJoin('tenants', 'tenants.tenant_id', 'balances.tenant_id')
    .select(['account_id', 'available', 'pending_outgoing', 'earmarked'])
    .select(['clock_offset_ms', 'clock_at'])
    .where('balances.tenant_id', '=', context.tenantId)
    .where('account_id', '=', uuidOf('account', input.id))
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  const { available, pending_outgoing, earmarked } = row;
  return {
    object: 'balance',
    account_id: publicId('account', row.account_id),
    currency: 'USD',
    ledger: available + pending_outgoing + earmarked,
    available,
    earmarked,
    pending_outgoing,
    as_of: await context.now(row),
  };
}

/** GET /v1/accounts/{id}. @throws ApiError not_found */
export const getAccount = getRecord(accounts, 'account');
