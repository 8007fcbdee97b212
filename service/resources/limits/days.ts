import { type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';

/**
 * A calendar day in Eastern Time, `YYYY-MM-DD`: of reports, statements and limits (rules/clock#8).
 */
export type Day = string;

const zone = 'America/New_York';
const hourLength = 'YYYY-MM-DDTHH'.length;

const dayOfHour = new LRUCache<string, Day, Instant>({
  max: 1_000,
  memoMethod: (_hour, _stale, { context: instant }) =>
    Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDate().toString(),
});

/**
 * The Eastern Time day of an instant. Eastern Time is whole hours away from UTC, so an hour of UTC
 * lies in one day: the slow calendar is used once an hour and not for each payment.
 */
export const easternDay = (instant: Instant): Day =>
  dayOfHour.memo(instant.slice(0, hourLength), { context: instant });

const starts = new LRUCache<Day, Instant>({
  max: 1_000,
  memoMethod: (day) =>
    instantOf(Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds),
});

/** The first instant of a day in Eastern Time. */
export const startOfDay = (day: Day): Instant => starts.memo(day);

/** When clocks in Eastern Time show `time` (`HH:MM`), so many days after that of `now`. */
function dailyAt(time: string, now: Instant, days: number): Instant {
  const day = Temporal.Instant.from(now).toZonedDateTimeISO(zone).toPlainDate().add({ days });
  return instantOf(day.toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds);
}

/** The next instant, after `now`, at which clocks in Eastern Time show `time` (`HH:MM`). */
export function nextDaily(time: string, now: Instant): Instant {
  const today = dailyAt(time, now, 0);
  return today > now ? today : dailyAt(time, now, 1);
}

/** The last such instant, up to `now`. */
export function lastDaily(time: string, now: Instant): Instant {
  const today = dailyAt(time, now, 0);
  return today <= now ? today : dailyAt(time, now, -1);
}

const sums = new LRUCache<string, Day, { day: Day; days: number }>({
  max: 1_000,
  memoMethod: (_key, _stale, { context: { day, days } }) =>
    Temporal.PlainDate.from(day).add({ days }).toString(),
});

export const addDays = (day: Day, days: number): Day =>
  sums.memo(`${day} ${days}`, { context: { day, days } });

/** How many days `day` is after another; below zero: before it. */
export const daysBetween = (first: Day, day: Day): number =>
  Temporal.PlainDate.from(first).until(day, { largestUnit: 'day' }).days;

/** The start of the consecutive block of `length` days, counted from `first`, that holds `day`. */
export function blockStart(first: Day, day: Day, length: number): Day {
  return addDays(first, Math.floor(daysBetween(first, day) / length) * length);
}
