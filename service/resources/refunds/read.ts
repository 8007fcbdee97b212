import { getRecord } from '../get_record.ts';
import { refunds } from './table.ts';

/** GET /v1/refund-requests/{id}. @throws ApiError not_found */
export const getRefund = getRecord(refunds, 'refund');
