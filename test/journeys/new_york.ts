import { Temporal } from 'temporal-polyfill';

const zone = 'America/New_York';
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const msLength = 3;

const instantOf = (zoned: Temporal.ZonedDateTime): string =>
  zoned.toInstant().toString({ fractionalSecondDigits: msLength });

/**
 * The instant at which clocks in New York show a time, `HH:MM` or `HH:MM:SS`.
 * @param which of the two where the clocks are set back and show it twice
 */
export const inNewYork = (
  day: string,
  time: string,
  which: 'earlier' | 'later' = 'earlier',
): string =>
  instantOf(
    Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(zone, { disambiguation: which }),
  );

export const dayAfter = (day: string): string =>
  Temporal.PlainDate.from(day).add({ days: 1 }).toString();

/** The days from the first to the last, both of them too. */
export function daysOf(first: string, last: string): string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = dayAfter(day)) days.push(day);
  return days;
}

export const secondsBefore = (instant: string, seconds: number): string =>
  new Date(Date.parse(instant) - seconds * 1_000).toISOString();

/** An instant as people in New York say it: `Thu 2026-02-26 09:00 EST`; seconds where there are any. */
export function newYork(instant: string): string {
  const zoned = Temporal.Instant.from(instant).toZonedDateTimeISO(zone);
  const time = zoned
    .toPlainTime()
    .toString()
    .slice(0, zoned.second > 0 ? 8 : 5);
  const season = zoned.offset === '-04:00' ? 'EDT' : 'EST';
  return `${weekdays[zoned.dayOfWeek - 1]} ${zoned.toPlainDate()} ${time} ${season}`;
}
