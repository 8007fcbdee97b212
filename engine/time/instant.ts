import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';

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

/**
 * A time that a caller took from its own clock, which may be ahead (rules/disputes#2).
 * @returns at most the limit; null: beyond it by more than clocks differ
 */
export const atMost = (givenMs: number, limitMs: number): number | null =>
  givenMs > limitMs + lifetimes.clockAhead * 1_000 ? null : Math.min(givenMs, limitMs);
