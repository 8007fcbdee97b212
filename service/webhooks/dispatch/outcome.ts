import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { DeliveryRow } from '../table.ts';
import { nextAttemptAt } from './schedule.ts';

/** The columns that an attempt decides. `wake_at` follows from `due_at` and the tenant's offset. */
export type DeliveryState = Omit<DeliveryRow, 'event_id' | 'created_at' | 'wake_at'>;

/** An attempt that was made. `at` is its start on the tenant's clock. */
export interface AttemptResult {
  readonly at: Instant;
  /** HTTP status; null when no answer came. */
  readonly status: number | null;
}

/** The receiver accepts by any 2xx within the time limit (rules/webhooks#2). */
export const isAccepted = (status: number | null): boolean =>
  status !== null && status >= 200 && status <= 299;

const nothingDue = { next_attempt_at: null, due_at: null, extra: false } as const;

/** A resend was requested while this attempt was under way: it is due at once (rules/webhooks#15). */
const resentMeanwhile = (row: DeliveryState, claimed: DeliveryState): boolean =>
  row.extra && (!claimed.extra || row.due_at !== claimed.due_at);

/** The next state when the receiver did not accept the event, or no endpoint is enabled. */
function unaccepted(row: DeliveryState, claimed: DeliveryState, at: Instant): DeliveryState {
  const first = row.first_attempt_at ?? at;
  const resent = resentMeanwhile(row, claimed);
  // An extra attempt leaves the schedule as it stands.
  const next = claimed.extra ? row.next_attempt_at : nextAttemptAt(first, at);
  if (next !== null) {
    const due_at = resent ? row.due_at : next;
    return { ...row, status: 'retrying', next_attempt_at: next, due_at, extra: resent };
  }
  if (!resent) return { ...row, ...nothingDue, status: 'failed' };
  // Resent during the schedule's last attempt: like a resend of a failed delivery.
  return { ...row, status: 'pending', first_attempt_at: null, next_attempt_at: null, extra: false };
}

/**
 * The state of a delivery after an attempt (rules/webhooks#1).
 * @param row the delivery now
 * @param claimed the delivery when the attempt began; `extra`: the attempt is not of the schedule
 */
export function afterAttempt(
  row: DeliveryState,
  claimed: DeliveryState,
  { at, status }: AttemptResult,
): DeliveryState {
  const counted = {
    ...row,
    attempts: row.attempts + 1,
    first_attempt_at: row.first_attempt_at ?? at,
    last_attempt_at: at,
    last_response_status: status,
  };
  if (isAccepted(status)) return { ...counted, ...nothingDue, status: 'delivered' };
  return unaccepted(counted, claimed, at);
}

/** A delivery that a sandbox's fault repeats: like a resend, due at once. */
export const repeatedDelivery = (delivered: DeliveryState, at: Instant): DeliveryState => ({
  ...delivered,
  status: 'pending',
  first_attempt_at: null,
  due_at: at,
});

/**
 * The state of a delivery that came due while no endpoint was enabled: no attempt is made. One that
 * was never attempted waits for a resend; a schedule goes on and ends after its 72 hours.
 */
export function withoutEndpoint(
  row: DeliveryState,
  claimed: DeliveryState,
  now: Instant,
): DeliveryState {
  if (row.status !== 'retrying') return { ...row, ...nothingDue, status: 'pending' };
  return unaccepted(row, claimed, now);
}
