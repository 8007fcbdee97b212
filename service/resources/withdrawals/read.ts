import { listRecords, namedIn } from '../found_page.ts';
import { getRecord } from '../get_record.ts';
import { withdrawals } from './table.ts';

/** GET /v1/withdrawals/{id}. @throws ApiError not_found */
export const getWithdrawal = getRecord(withdrawals, 'withdrawal');

/** GET /v1/withdrawals @throws ApiError parameter_invalid for a cursor of another list or filter */
export const listWithdrawals = listRecords({
  table: withdrawals,
  ofCustomer: namedIn('customer_id'),
  indexed: true,
});
