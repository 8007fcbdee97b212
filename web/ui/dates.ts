/** The bank's zone: deadlines and reports end with its day. */
const eastern = 'America/New_York';
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** A longer time ago, and a date says more. */
const relativeBelowMs = 7 * dayMs;

type Form = Intl.DateTimeFormatOptions;
const made = new Map<string, Intl.DateTimeFormat>();

/** `zone` absent: the reader's own. To make one costs more than to use it. */
function formatOf(form: Form, locale = 'en', zone = form.timeZone): Intl.DateTimeFormat {
  const key = JSON.stringify([form, locale, zone]);
  const known = made.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat(
    `${locale}-US`,
    zone === undefined ? form : { ...form, timeZone: zone },
  );
  made.set(key, format);
  return format;
}
const written = (at: Date | string | number, form: Form, locale?: string, zone?: string): string =>
  formatOf(form, locale, zone).format(new Date(at));

const day = { month: 'short', day: 'numeric' } as const;
const clock = { hour: 'numeric', minute: '2-digit' } as const;

/** A calendar day in words, independent of the reader's time zone: `January 31, 1990`. */
export const dayInWords = (on: string, locale: string): string =>
  written(on, { dateStyle: 'long', timeZone: 'UTC' }, locale);

/** The same with its weekday: `Wednesday, January 31, 1990`. */
export const wholeDay = (on: string): string =>
  written(on, { dateStyle: 'full', timeZone: 'UTC' }, 'en');

/** A month, written `YYYY-MM`, in words: `January 1990`. */
export const monthInWords = (month: string): string =>
  written(`${month}-01`, { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** The day of an instant in words, in New York: the bank's. */
export const newYorkDay = (instant: string, locale: string): string =>
  written(instant, { dateStyle: 'long', timeZone: eastern }, locale);

/** The day of an instant in words, of the customer's own clock. */
export const dateOf = (instant: string, locale: string): string =>
  written(instant, { dateStyle: 'long' }, locale);

/** A day and hour in words, of the customer's own clock. */
export const moment = (instant: string, locale: string): string =>
  written(instant, { dateStyle: 'long', timeStyle: 'short' }, locale);

/** The same with its time zone, for what is kept: `November 24, 2026 at 3:44 AM EST`. */
export const momentInZone = (instant: string, locale: string): string =>
  written(
    instant,
    { year: 'numeric', month: 'long', day: 'numeric', ...clock, timeZoneName: 'short' },
    locale,
  );

/** The Eastern day of an instant as `YYYY-MM-DD`. */
export function easternDay(instant: string | number): string {
  const form = { year: 'numeric', month: '2-digit', day: '2-digit', timeZone: eastern } as const;
  const parts = formatOf(form).formatToParts(new Date(instant));
  const [year, month, on] = ['year', 'month', 'day'].map(
    (type) => parts.find((part) => part.type === type)?.value,
  );
  return `${year}-${month}-${on}`;
}

const yearOf = (at: number | string, zone?: string): string =>
  written(at, { year: 'numeric' }, 'en', zone);
const withYear = (at: string, now: number, zone?: string): Form =>
  yearOf(at, zone) === yearOf(now, zone) ? {} : { year: 'numeric' };

/** `Nov 24, 6:00 AM PST`, with its year where that is another than now. */
export const shortInstant = (at: string, now: number, zone?: string): string =>
  written(at, { ...day, ...withYear(at, now, zone), ...clock, timeZoneName: 'short' }, 'en', zone);

/** The time for a log, where seconds tell one row from the next: `Nov 24, 06:00:07`. */
export const logInstant = (at: string, now: number, zone?: string): string =>
  written(
    at,
    {
      ...day,
      ...withYear(at, now, zone),
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    },
    'en',
    zone,
  );

/** All that is known of an instant: `Tuesday, November 24, 2026 at 6:00:07 AM PST`. */
export const wholeInstant = (at: string, zone?: string): string =>
  written(at, { dateStyle: 'full', timeStyle: 'long' }, 'en', zone);

const units = [
  ['day', dayMs],
  ['hour', hourMs],
  ['minute', minuteMs],
] as const;

/** `3 hours`; null below a minute. */
function lengthInWords(ms: number): string | null {
  const [unit, size] = units.find(([, least]) => ms >= least) ?? [];
  if (size === undefined) return null;
  const count = Math.floor(ms / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** `3 hours ago`, `in 2 days`; null from a week on, where a date says more. */
export function relativeInstant(at: string, now: number): string | null {
  const ms = Date.parse(at) - now;
  const length = Math.abs(ms);
  if (length >= relativeBelowMs) return null;
  const said = lengthInWords(length);
  if (said === null) return ms <= 0 ? 'just now' : 'in a moment';
  return ms < 0 ? `${said} ago` : `in ${said}`;
}

const hourInEastern = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const isMidnight = (at: string): boolean => written(at, hourInEastern, 'en', eastern) === '00:00';
/** The last instant that still keeps a deadline; that of midnight belongs to the day before. */
const lastBefore = (at: string): number => Date.parse(at) - (isMidnight(at) ? 1 : 0);

/** A deadline as the law counts it: `Fri, Jan 1, end of day ET`, with its year where that is another than now. */
export function deadlineDay(at: string, now: number): string {
  const last = lastBefore(at);
  const year = withYear(new Date(last).toISOString(), now, eastern);
  const on = written(last, { weekday: 'short', ...day, ...year }, 'en', eastern);
  return `${on}, ${isMidnight(at) ? 'end of day' : written(at, clock, 'en', eastern)} ET`;
}

const dayNumber = (at: number): number => Date.parse(easternDay(at)) / dayMs;

/** Days of the calendar in Eastern Time, hours on the last one: `34 days`, `5 hours`, `late by 2 days`. */
export function timeLeft(at: string, now: number): string {
  const ms = Date.parse(at) - now;
  const days = Math.abs(dayNumber(lastBefore(at)) - dayNumber(now));
  const inDays = days === 0 ? lengthInWords(Math.abs(ms)) : lengthInWords(days * dayMs);
  const said = inDays ?? 'less than a minute';
  return ms <= 0 ? `late by ${said}` : said;
}
