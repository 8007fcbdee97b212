import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { Withdrawal } from '@tenant-payments/contract/resources/withdrawals.ts';
import { fail } from '../../core/fail.ts';
import { shown } from '../../core/table.ts';
import type { ReadContext } from '../../service.ts';
import { withdrawals } from './table.ts';

/** GET /v1/withdrawals/{id}. @throws ApiError not_found */
export async function getWithdrawal(
  context: ReadContext,
  input: { id: string },
): Promise<Withdrawal> {
  const row = await context.db
    .selectFrom('withdrawals')
    .selectAll()
    .where('tenant_id', '=', context.tenantId)
    .where('id', '=', uuidOf('withdrawal', input.id))
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  return shown(withdrawals, row);
}
