import { getRecord } from '../get_record.ts';
import { withdrawals } from './table.ts';

/** GET /v1/withdrawals/{id}. @throws ApiError not_found */
export const getWithdrawal = getRecord(withdrawals, 'withdrawal');
