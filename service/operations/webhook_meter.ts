import { type ClockFacts, realInstantOf } from '@tenant-payments/engine/time/clock.ts';
import { epochMs, type Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Meters } from './meters.ts';

/** An attempt to deliver an event, as far as it is measured. */
interface Attempt {
  /** Null when no status line came in time. */
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
}

/** Few results, whatever a receiver answers and however its network fails. */
function resultOf({ status, error }: Attempt): string {
  if (status === null) return error === 'timeout' ? 'timeout' : 'no_answer';
  return status >= 200 && status <= 299 ? 'delivered' : `${Math.floor(status / 100)}xx`;
}

/** Makes an attempt and measures it. */
export async function meterAttempt<A extends Attempt>(
  { attempts, attemptSeconds, attemptsInFlight }: Meters,
  send: () => Promise<A>,
): Promise<A> {
  attemptsInFlight.inc();
  const answer = await send().finally(() => attemptsInFlight.dec());
  attempts.inc({ result: resultOf(answer) });
  attemptSeconds.observe(answer.durationMs / 1_000);
  return answer;
}

interface Delivered {
  readonly tenantId: string;
  readonly createdAt: Instant;
  readonly clock: ClockFacts;
  readonly state: { readonly status: string; readonly attempts: number };
}

/** Measures how long an event took to the 2xx of its endpoint, in real time. */
export function meterDelivery(
  { webhookDelivery, worstLags }: Pick<Meters, 'webhookDelivery' | 'worstLags'>,
  { tenantId, createdAt, clock, state }: Delivered,
  realNowMs: number,
): void {
  // Somebody had it sent again after it had ended.
  if (state.status === 'pending' && state.attempts > 0) return;
  const lag = Math.max(0, realNowMs - epochMs(realInstantOf(clock, createdAt))) / 1_000;
  webhookDelivery.observe(lag);
  worstLags.note(tenantId, lag);
}
