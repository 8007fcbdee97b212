import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { Payment } from '@tenant-payments/contract/resources/payments.ts';
import { fail } from '../../core/fail.ts';
import { shown } from '../../core/table.ts';
import type { ReadContext } from '../../service.ts';
import { payments } from './table.ts';

/** GET /v1/payments/{id}. @throws ApiError not_found */
export async function getPayment(context: ReadContext, input: { id: string }): Promise<Payment> {
  const row = await context.db
    .selectFrom('payments')
    .selectAll()
    .where('tenant_id', '=', context.tenantId)
    .where('id', '=', uuidOf('payment', input.id))
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  return shown(payments, row);
}
