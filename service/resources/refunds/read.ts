import { listRecords, namedIn } from '../found_page.ts';
import { getRecord } from '../get_record.ts';
import { refunds } from './table.ts';

/** GET /v1/refund-requests/{id}. @throws ApiError not_found */
export const getRefund = getRecord(refunds, 'refund');

/** GET /v1/refund-requests @throws ApiError parameter_invalid for a cursor of another list or filter */
export const listRefunds = listRecords({
  table: refunds,
  ofCustomer: namedIn('payer_customer_id', 'merchant_customer_id'),
  indexed: true,
});
