import { getRecord } from '../get_record.ts';
import { paymentRequests } from './table.ts';

/** GET /v1/payment-requests/{id}. @throws ApiError not_found */
export const getPaymentRequest = getRecord(paymentRequests, 'payment_request');
