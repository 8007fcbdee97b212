import {
  type FailingResource,
  type FailureCode,
  failureCodesOf,
} from '@tenant-payments/contract/core/failure_codes.ts';
import { assert } from '@tenant-payments/engine/fail.ts';

/** The failure_code of a resource that an outside actor sent as text (rules/failure-codes#1). */
export function failureCode<R extends FailingResource>(
  resource: R,
  text: string | null,
): FailureCode<R> {
  const known = failureCodesOf(resource).find((code) => code === text);
  assert(known, `${text} is a failure_code of ${resource}`);
  return known;
}
