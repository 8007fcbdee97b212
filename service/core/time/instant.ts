/**
 * A moment as the wire writes it: `2026-11-21T09:30:00.000Z`, always UTC, always three digits of
 * milliseconds, so that instants compare as strings and are never parsed on the way out.
 */
export type Instant = string;

export const instantOf = (epochMs: number): Instant => new Date(epochMs).toISOString();
export const epochMs = (instant: Instant): number => Date.parse(instant);
export const addSeconds = (instant: Instant, seconds: number): Instant =>
  instantOf(epochMs(instant) + seconds * 1000);
export const later = (a: Instant, b: Instant): Instant => (a > b ? a : b);
export const earlier = (a: Instant, b: Instant): Instant => (a < b ? a : b);
