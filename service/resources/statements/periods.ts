import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import { Temporal } from 'temporal-polyfill';
import { addDays, type Day, easternDay } from '../limits/days.ts';
import { reportableAt } from '../reconciliation/day.ts';

/** First and last day, in Eastern Time. */
export interface Period {
  readonly start: Day;
  readonly end: Day;
}

export function endOfMonth(day: Day): Day {
  const date = Temporal.PlainDate.from(day);
  return date.with({ day: date.daysInMonth }).toString();
}

/** The periods from `start` to `until`, month by month; none if `until` is before `start`. */
export function periodsOf(start: Day, until: Day): Period[] {
  const periods: Period[] = [];
  for (let next = start; next <= until; ) {
    const month = endOfMonth(next);
    const end = month < until ? month : until;
    periods.push({ start: next, end });
    next = addDays(end, 1);
  }
  return periods;
}

/** The last day of the last month whose statements are due: on the 1st at 06:00 Eastern Time. */
export function lastMonthDue(now: Instant): Day {
  const before = addDays(`${easternDay(now).slice(0, 'YYYY-MM'.length)}-01`, -1);
  return reportableAt(before) <= now
    ? before
    : addDays(`${before.slice(0, 'YYYY-MM'.length)}-01`, -1);
}

/** When the month after the one that ends on `end` is due. */
export const nextMonthDue = (end: Day): Instant => reportableAt(endOfMonth(addDays(end, 1)));
