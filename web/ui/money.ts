/** Both languages as they are written in the United States: `$1,234.50` in either. */
const tagOf = (locale: string): string => `${locale}-US`;

/** Cents, a whole number, as dollars. `locale` is a language, such as `es`. */
export const money = (cents: number, locale: string): string =>
  new Intl.NumberFormat(tagOf(locale), {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
  }).format(cents / 100);

/** A calendar day in words, independent of the reader's time zone: `January 31, 1990`. */
export const dayInWords = (day: string, locale: string): string =>
  new Intl.DateTimeFormat(tagOf(locale), { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(day),
  );

/** The day of an instant in words, in New York: the bank's. */
export const newYorkDay = (instant: string, locale: string): string =>
  new Intl.DateTimeFormat(tagOf(locale), {
    dateStyle: 'long',
    timeZone: 'America/New_York',
  }).format(new Date(instant));

/** The day of an instant in words, of the customer's own clock. */
export const dateOf = (instant: string, locale: string): string =>
  new Intl.DateTimeFormat(tagOf(locale), { dateStyle: 'long' }).format(new Date(instant));

/** A day and hour in words, of the customer's own clock. */
export const moment = (instant: string, locale: string): string =>
  new Intl.DateTimeFormat(tagOf(locale), { dateStyle: 'long', timeStyle: 'short' }).format(
    new Date(instant),
  );

/** The same with its time zone, for what is kept: `November 24, 2026 at 3:44 AM EST`. */
export const momentInZone = (instant: string, locale: string): string =>
  new Intl.DateTimeFormat(tagOf(locale), {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(instant));
