import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';
import { addDays, type Day, nextDaily, startOfDay } from '../limits/days.ts';

/**
 * Business days of the Federal Reserve, in Eastern Time (rules/clock#7). A holiday on a Sunday
 * closes the Monday after; one on a Saturday leaves the Friday before open [Federal Reserve Bank
 * Services, Holiday Schedules].
 */

const monday = 1;
const thursday = 4;
const saturday = 6;
const sunday = 7;

/** Month and day, from the year in which the Reserve Banks first observed it. */
const fixed = [
  { month: 1, day: 1, since: 0 },
  { month: 6, day: 19, since: 2021 },
  { month: 7, day: 4, since: 0 },
  { month: 11, day: 11, since: 0 },
  { month: 12, day: 25, since: 0 },
] as const;

/** The nth weekday of a month; 0: its last. */
const floating = [
  { month: 1, weekday: monday, nth: 3 },
  { month: 2, weekday: monday, nth: 3 },
  { month: 5, weekday: monday, nth: 0 },
  { month: 9, weekday: monday, nth: 1 },
  { month: 10, weekday: monday, nth: 2 },
  { month: 11, weekday: thursday, nth: 4 },
] as const;

function fixedHoliday(year: number, { month, day }: (typeof fixed)[number]): Day | null {
  const date = Temporal.PlainDate.from({ year, month, day });
  if (date.dayOfWeek === saturday) return null;
  return date.add({ days: date.dayOfWeek === sunday ? 1 : 0 }).toString();
}

function floatingHoliday(year: number, { month, weekday, nth }: (typeof floating)[number]): Day {
  const first = Temporal.PlainDate.from({ year, month, day: 1 });
  const earliest = first.add({ days: (weekday - first.dayOfWeek + 7) % 7 });
  const weeks = nth > 0 ? nth - 1 : Math.floor((first.daysInMonth - earliest.day) / 7);
  return earliest.add({ weeks }).toString();
}

/** The weekdays of a year on which the Reserve Banks are closed. */
export function reserveHolidays(year: number): ReadonlySet<Day> {
  const kept = fixed.filter(({ since }) => year >= since);
  return new Set([
    ...kept.flatMap((holiday) => fixedHoliday(year, holiday) ?? []),
    ...floating.map((holiday) => floatingHoliday(year, holiday)),
  ]);
}

const holidays = new LRUCache<number, ReadonlySet<Day>>({ max: 100, memoMethod: reserveHolidays });

export function isBusinessDay(day: Day): boolean {
  const { year, dayOfWeek } = Temporal.PlainDate.from(day);
  return dayOfWeek < saturday && !holidays.memo(year).has(day);
}

/** The `count`th business day after `day`, which itself never counts, business day or not. */
export function businessDaysAfter(day: Day, count: number): Day {
  let found = day;
  for (let left = count; left > 0; ) {
    found = addDays(found, 1);
    if (isBusinessDay(found)) left -= 1;
  }
  return found;
}

/** When clocks in Eastern Time show `time` (`HH:MM`, past midnight) on a day. */
export const easternTime = (day: Day, time: string): Instant => nextDaily(time, startOfDay(day));

/** A day is over at the first instant of the next. */
export const endOfDay = (day: Day): Instant => startOfDay(addDays(day, 1));
