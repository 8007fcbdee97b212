import { fail } from '../../core/fail.ts';
import { addSeconds, type Instant } from '../../core/instant.ts';
import type { Work } from '../../core/work.ts';

const daySeconds = 24 * 3600;
/** How long a rejected person or business waits, time after time; then the answer is final. */
const waits = [daySeconds, 7 * daySeconds];

/** What a rejection leaves: customers and owners climb the same ladder (decisions 1.1). */
export interface Rejected {
  readonly rejections: number;
  readonly retry_available_at: Instant | null;
}

/** The row after one more rejection; without a time the answer is final. */
export function rejectedOnceMore(work: Work, { rejections }: Rejected): Rejected {
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
  { retry_available_at }: Rejected,
  allowed: readonly string[],
): void {
  if (retry_available_at !== null && retry_available_at <= work.now) return;
  const reason = retry_available_at === null ? 'final' : 'retry_available_at';
  throw fail('invalid_state', { details: { current_status: 'rejected', allowed, reason } });
}
