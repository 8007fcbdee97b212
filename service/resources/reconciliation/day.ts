import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import { addDays, type Day, nextDaily, startOfDay } from '../limits/days.ts';

/** Eastern Time at which a day or a month is reported, on the day after it (rules/reports#3). */
export const reportedAt = '06:00';

/** Parses `YYYY-MM-DD`. @returns null if it is no day that the database knows */
export function parseDay(text: string): Day | null {
  const ms = Date.parse(`${text}T00:00:00.000Z`);
  const isDay = !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, text.length) === text;
  return isDay && text.length === 'YYYY-MM-DD'.length && text >= '0001-01-01' ? text : null;
}

/** The instants of one or more Eastern Time days, also of 23 or 25 hours: `to` is excluded. */
export interface Span {
  readonly from: Instant;
  readonly to: Instant;
}

export const spanOf = (first: Day, last: Day = first): Span => ({
  from: startOfDay(first),
  to: startOfDay(addDays(last, 1)),
});

/** When a day can be reported: 06:00 Eastern Time of the next day. */
export const reportableAt = (day: Day): Instant =>
  nextDaily(reportedAt, startOfDay(addDays(day, 1)));
