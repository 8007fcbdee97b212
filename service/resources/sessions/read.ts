import { getRecord } from '../get_record.ts';
import { sessions } from './table.ts';

/** GET /v1/sessions/{id}; its token is shown by the reply that makes it alone. @throws ApiError not_found */
export const getSession = getRecord(sessions, 'session');
