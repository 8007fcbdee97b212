import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { idMaker } from '@tenant-payments/engine/new_id.ts';

const newId = idMaker();

/** A new `req_…`, for `Service-Request-Id` and for every error (rules/errors#1). */
export const newRequestId = (): string => publicId('request', newId(Date.now()));
