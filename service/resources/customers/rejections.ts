import { fail } from '@tenant-payments/engine/fail.ts';
import { addSeconds, type Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';

const daySeconds = 24 * 3600;
/** How long to wait after the first and the second rejection; the third is final. */
const waits = [daySeconds, 7 * daySeconds];

/** The retry state of a customer or owner; one ladder serves both (rules/customers#15). */
export interface RetryState {
  readonly rejections: number;
  readonly retry_available_at: Instant | null;
}

/** The state after one more rejection; retry_available_at null means that it is final. */
export function afterRejection(work: Work, { rejections }: RetryState): RetryState {
  const seconds = waits[rejections];
  return {
    rejections: rejections + 1,
    retry_available_at: seconds === undefined ? null : addSeconds(work.now, seconds),
  };
}

/**
 * Another attempt may begin.
 * @param allowed the states that the refusal names
 * @throws ApiError invalid_state {reason}: `retry_available_at` while it waits, or `final`
 */
export function assertRetryable(
  work: Work,
  { retry_available_at }: RetryState,
  allowed: readonly string[],
): void {
  if (retry_available_at !== null && retry_available_at <= work.now) return;
  const reason = retry_available_at === null ? 'final' : 'retry_available_at';
  throw fail('invalid_state', { details: { current_status: 'rejected', allowed, reason } });
}
