import type { Instant } from '../core/instant.ts';
import { nextAttemptAt } from './schedule.ts';
import type { DeliveryRow } from './table.ts';

/** What of a delivery an attempt decides. `wake_at` follows from `due_at` and the tenant's offset. */
export type DeliveryState = Omit<DeliveryRow, 'event_id' | 'created_at' | 'wake_at'>;

/** An attempt that was made. `at` is its start on the tenant's clock. */
export interface Attempted {
  readonly at: Instant;
  /** Null when no answer came. */
  readonly status: number | null;
}

/** The receiver's yes: any 2xx within the time limit (contract: Delivery 2). */
export const isAccepted = (status: number | null): boolean =>
  status !== null && status >= 200 && status <= 299;

const nothingDue = { next_attempt_at: null, due_at: null, extra: false } as const;

/** A further attempt was asked for while this one was under way: it is due at once. */
const askedMeanwhile = (row: DeliveryState, claimed: DeliveryState): boolean =>
  row.extra && (!claimed.extra || row.due_at !== claimed.due_at);

/** What follows when the receiver did not take the event, or there was none to ask. */
function unaccepted(row: DeliveryState, claimed: DeliveryState, at: Instant): DeliveryState {
  const first = row.first_attempt_at ?? at;
  const asked = askedMeanwhile(row, claimed);
  // An extra attempt leaves the schedule as it stands.
  const next = claimed.extra ? row.next_attempt_at : nextAttemptAt(first, at);
  if (next !== null) {
    const due_at = asked ? row.due_at : next;
    return { ...row, status: 'retrying', next_attempt_at: next, due_at, extra: asked };
  }
  if (!asked) return { ...row, ...nothingDue, status: 'failed' };
  // Asked for in the schedule's last attempt: as a resend of what has failed.
  return { ...row, status: 'pending', first_attempt_at: null, next_attempt_at: null, extra: false };
}

/**
 * A delivery after an attempt (decisions 1.1, Webhook delivery).
 * @param row as it stands now
 * @param claimed as it stood when the attempt began; `extra` says that it is one beside the schedule
 */
export function afterAttempt(
  row: DeliveryState,
  claimed: DeliveryState,
  { at, status }: Attempted,
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

/** A delivery that chaos repeats: as by a resend, and due at once. */
export const repeated = (delivered: DeliveryState, at: Instant): DeliveryState => ({
  ...delivered,
  status: 'pending',
  first_attempt_at: null,
  due_at: at,
});

/**
 * A delivery whose time came while no endpoint was enabled: no attempt is made. What was never
 * attempted waits until it is resent; a schedule runs on and ends after its 72 hours.
 */
export function withoutEndpoint(
  row: DeliveryState,
  claimed: DeliveryState,
  now: Instant,
): DeliveryState {
  if (row.status !== 'retrying') return { ...row, ...nothingDue, status: 'pending' };
  return unaccepted(row, claimed, now);
}
