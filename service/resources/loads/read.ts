import { listRecords, namedIn } from '../found_page.ts';
import { getRecord } from '../get_record.ts';
import { loads } from './table.ts';

/** GET /v1/loads/{id}. @throws ApiError not_found */
export const getLoad = getRecord(loads, 'load');

/** GET /v1/loads @throws ApiError parameter_invalid for a cursor of another list or filter */
export const listLoads = listRecords({
  table: loads,
  ofCustomer: namedIn('customer_id'),
  indexed: true,
});
