import { listRecords, namedIn } from '../found_page.ts';
import { getRecord } from '../get_record.ts';
import { payments } from './table.ts';

/** GET /v1/payments/{id}. @throws ApiError not_found */
export const getPayment = getRecord(payments, 'payment');

/** GET /v1/payments @throws ApiError parameter_invalid for a cursor of another list or filter */
export const listPayments = listRecords({
  table: payments,
  ofCustomer: namedIn('payer_customer_id', 'payee_customer_id'),
  indexed: true,
  references: { order_reference: 'order_reference', invoice_reference: 'invoice_reference' },
});
