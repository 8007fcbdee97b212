import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { Refund } from '@tenant-payments/contract/resources/refunds.ts';
import { fail } from '../../core/fail.ts';
import { shown } from '../../core/table.ts';
import type { ReadContext } from '../../service.ts';
import { refunds } from './table.ts';

/** GET /v1/refund-requests/{id}. @throws ApiError not_found */
export async function getRefund(context: ReadContext, input: { id: string }): Promise<Refund> {
  const row = await context.db
    .selectFrom('refunds')
    .selectAll()
    .where('tenant_id', '=', context.tenantId)
    .where('id', '=', uuidOf('refund', input.id))
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  return shown(refunds, row);
}
