import { deliveryOffsetsSeconds } from '@tenant-payments/contract/resources/webhook_events.ts';
import { addSeconds, type Instant } from '@tenant-payments/engine/time/instant.ts';

/**
 * The time of the next attempt: the first offset that is still ahead. In real time several overdue
 * offsets give one attempt; an advance of the clock stops at each of them (rules/webhooks#7).
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
