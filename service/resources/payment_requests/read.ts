import { listRecords, namedIn } from '../found_page.ts';
import { getRecord } from '../get_record.ts';
import { paymentRequests } from './table.ts';

/** GET /v1/payment-requests/{id}. @throws ApiError not_found */
export const getPaymentRequest = getRecord(paymentRequests, 'payment_request');

/** GET /v1/payment-requests @throws ApiError parameter_invalid for a cursor of another list or filter */
export const listPaymentRequests = listRecords({
  table: paymentRequests,
  ofCustomer: namedIn('merchant_customer_id'),
  indexed: true,
  references: {
    order_reference: 'order_reference',
    collection_point_reference: 'collection_reference',
  },
});
