import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { idMaker } from '../../core/new_id.ts';

const newId = idMaker();

/** `req_…`, in `Service-Request-Id` and in every error (contract: Error object). */
export const newRequestId = (): string => publicId('request', newId(Date.now()));
