import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { PaymentRequest } from '@tenant-payments/contract/resources/payment_requests.ts';
import { fail } from '../../core/fail.ts';
import { shown } from '../../core/table.ts';
import type { ReadContext } from '../../service.ts';
import { paymentRequests } from './table.ts';

/** GET /v1/payment-requests/{id}. @throws ApiError not_found */
export async function getPaymentRequest(
  context: ReadContext,
  input: { id: string },
): Promise<PaymentRequest> {
  const row = await context.db
    .selectFrom('payment_requests')
    .selectAll()
    .where('tenant_id', '=', context.tenantId)
    .where('id', '=', uuidOf('payment_request', input.id))
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  return shown(paymentRequests, row);
}
