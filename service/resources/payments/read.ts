import { getRecord } from '../get_record.ts';
import { payments } from './table.ts';

/** GET /v1/payments/{id}. @throws ApiError not_found */
export const getPayment = getRecord(payments, 'payment');
