import { Temporal } from 'temporal-polyfill';
import { type Instant, instantOf } from '../../core/instant.ts';

/** A calendar day in Eastern Time, `YYYY-MM-DD`: reports, statements and limits go by it (decisions 1.0). */
export type Day = string;

const zone = 'America/New_York';
const hourLength = 'YYYY-MM-DDTHH'.length;
const maximumKnownHours = 1_000;
const dayOfHour = new Map<string, Day>();

/**
 * The Eastern Time day of an instant. Eastern Time is whole hours away from UTC, so an hour of UTC
 * lies in one day: every payment asks, and the calendar is asked once an hour.
 */
export function easternDay(instant: Instant): Day {
  const hour = instant.slice(0, hourLength);
  const known = dayOfHour.get(hour);
  if (known !== undefined) return known;
  const day = Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDate().toString();
  if (dayOfHour.size >= maximumKnownHours) dayOfHour.clear();
  dayOfHour.set(hour, day);
  return day;
}

/** The first instant of a day in Eastern Time. */
export const startOfDay = (day: Day): Instant =>
  instantOf(Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds);

/** The next instant, after `now`, at which clocks in Eastern Time show `time` (`HH:MM`). */
export function nextDaily(time: string, now: Instant): Instant {
  const today = Temporal.Instant.from(now).toZonedDateTimeISO(zone).toPlainDate();
  const at = (days: number) =>
    instantOf(
      today.add({ days }).toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds,
    );
  return at(0) > now ? at(0) : at(1);
}

export const addDays = (day: Day, days: number): Day =>
  Temporal.PlainDate.from(day).add({ days }).toString();

/** The start of the consecutive block of `length` days, counted from `first`, that holds `day`. */
export function blockStart(first: Day, day: Day, length: number): Day {
  const since = Temporal.PlainDate.from(first).until(day, { largestUnit: 'day' }).days;
  return addDays(first, Math.floor(since / length) * length);
}
