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
