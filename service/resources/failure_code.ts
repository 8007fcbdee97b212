import {
  type FailingResource,
  type FailureCode,
  failureCodesOf,
} from '@tenant-payments/contract/core/failure_codes.ts';
import { assert } from '../core/fail.ts';

/** A failure_code that came as text from an outside actor, as one of its resource's (decisions 1.3). */
export function failureCode<R extends FailingResource>(
  resource: R,
  text: string | null,
): FailureCode<R> {
  const known = failureCodesOf(resource).find((code) => code === text);
  assert(known, `${text} is a failure_code of ${resource}`);
  return known;
}
