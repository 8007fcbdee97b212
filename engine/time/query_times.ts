import { fail } from '../fail.ts';
import { type Instant, instantOf } from './instant.ts';

/** From when on, and before when; both as the database takes them. */
export interface Times {
  readonly from: Instant | null;
  readonly to: Instant | null;
}

const [firstMs, lastMs] = [0, Date.UTC(9000, 0, 1)];

/** An instant that was sent, as the database takes it. @throws ApiError parameter_invalid */
export function instantIn(param: string, text: string): Instant {
  const ms = Date.parse(text);
  // A leap second is a valid date-time of the API, but no JavaScript time.
  if (Number.isNaN(ms)) throw fail('parameter_invalid', { param, details: { reason: 'format' } });
  return instantOf(Math.min(Math.max(ms, firstMs), lastMs));
}

/** @throws ApiError parameter_invalid */
export const timesIn = (query: {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}): Times => ({
  from: query.from === undefined ? null : instantIn('from', query.from),
  to: query.to === undefined ? null : instantIn('to', query.to),
});
