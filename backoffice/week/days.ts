import { epochMs, type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import {
  businessDaysAfter,
  easternTime,
} from '@tenant-payments/service/resources/calendar/business_days.ts';
import { addDays, easternDay } from '@tenant-payments/service/resources/limits/days.ts';

/** Times of a day in Eastern Time at which most of it happens: each time costs an advance. */
export const morning = '11:34';
export const noon = '12:26';
export const evening = '17:47';

/** When something of the week happens: on a day before its last, at a time in Eastern Time. */
export type When =
  | { readonly daysAgo: number; readonly at: string }
  /** The number of business days of the Federal Reserve that have ended since. */
  | { readonly businessDaysAgo: number; readonly at: string }
  | { readonly minutesAgo: number };

const longestSearch = 60;

/** The latest day from which the `count`th business day is not later than `today`. */
function businessDaysBefore(today: string, count: number): string {
  for (let back = count; back < longestSearch; back += 1) {
    const day = addDays(today, -back);
    if (businessDaysAfter(day, count) <= today) return day;
  }
  throw new Error('a month has more business days than the week counts back');
}

/** The instant of it, where the week ends at `end`. */
export function instantAt(when: When, end: Instant): Instant {
  if ('minutesAgo' in when) return instantOf(epochMs(end) - when.minutesAgo * 60_000);
  const today = easternDay(end);
  const day =
    'daysAgo' in when
      ? addDays(today, -when.daysAgo)
      : businessDaysBefore(today, when.businessDaysAgo);
  return easternTime(day, when.at);
}
