import { getRecord } from '../get_record.ts';
import { loads } from './table.ts';

/** GET /v1/loads/{id}. @throws ApiError not_found */
export const getLoad = getRecord(loads, 'load');
