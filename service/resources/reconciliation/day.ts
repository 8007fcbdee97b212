import type { Instant } from '../../core/instant.ts';
import { addDays, type Day, nextDaily, startOfDay } from '../limits/days.ts';

/** When what a day or a month was is made known, on the day after it (contract: Limits). */
export const reportedAt = '06:00';

/**
 * The day that a text names, `YYYY-MM-DD`. Null: there is none, or none that the database knows.
 */
export function dayOf(text: string): Day | null {
  const ms = Date.parse(`${text}T00:00:00.000Z`);
  const isDay = !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, text.length) === text;
  return isDay && text.length === 'YYYY-MM-DD'.length && text >= '0001-01-01' ? text : null;
}

/** All of a day in Eastern Time, of 23 and 25 hours too: from its first instant to the next day's. */
export interface Span {
  readonly from: Instant;
  readonly to: Instant;
}

export const spanOf = (first: Day, last: Day = first): Span => ({
  from: startOfDay(first),
  to: startOfDay(addDays(last, 1)),
});

/** When a day can be reported: 06:00 Eastern Time of the next one. */
export const reportableAt = (day: Day): Instant =>
  nextDaily(reportedAt, startOfDay(addDays(day, 1)));
