import { deliveryOffsetsSeconds } from '@tenant-payments/contract/resources/webhook_events.ts';
import { addSeconds, type Instant } from '../core/instant.ts';

/**
 * When an event is attempted next: the first offset that is still ahead. In real time overdue
 * offsets so collapse into one attempt; an advance of the clock stands at each of them in turn and
 * runs them all (decisions 1.1, Webhook delivery).
 * @param firstAt the first attempt of the schedule, on the tenant's clock
 * @param at the attempt just made
 * @returns null after the last offset
 */
export function nextAttemptAt(firstAt: Instant, at: Instant): Instant | null {
  const ahead = deliveryOffsetsSeconds
    .map((seconds) => addSeconds(firstAt, seconds))
    .find((instant) => instant > at);
  return ahead ?? null;
}
