import { withLatinDigits } from './latin_digits.ts';

/** A day as a person enters it, by its parts, each as it was typed: `3/14/1987`. */
export const dayParts = ['month', 'day', 'year'] as const;
export type DayPart = (typeof dayParts)[number];
export type Day = Readonly<Record<DayPart, string>>;

/** How many digits each part has at most. */
export const partLengths: Readonly<Record<DayPart, number>> = { month: 2, day: 2, year: 4 };

export function partsOf(entered: string): Day {
  const [month = '', day = '', year = ''] = entered.split('/');
  return { month, day, year };
}

/** The value of a field; empty where nothing was entered. */
export const entered = ({ month, day, year }: Day): string =>
  month || day || year ? `${month}/${day}/${year}` : '';

/** A whole date that was pasted or filled in: `3/14/1987`, `03-14-1987`, `1987-03-14`; else null. */
export function wholeDay(typed: string): Day | null {
  const text = withLatinDigits(typed);
  const [, year, month, day] = /^\s*(\d{4})-(\d{2})-(\d{2})\s*$/.exec(text) ?? [];
  if (year && month && day) return { month, day, year };
  const american = /^\s*(\d{1,2})[/.\s-]+(\d{1,2})[/.\s-]+(\d{4})\s*$/.exec(text);
  const eight = american ?? /^\s*(\d{2})(\d{2})(\d{4})\s*$/.exec(text);
  const [, m, d, y] = eight ?? [];
  return m && d && y ? { month: m, day: d, year: y } : null;
}

/** Days of a month by the Gregorian calendar; the month is 1 to 12. */
export const daysIn = (year: number, month: number): number =>
  new Date(Date.UTC(year, month, 0)).getUTCDate();

/** The API's form, `1987-03-14`; null where it is no day of the calendar. */
export function isoDay(value: string): string | null {
  const { month, day, year } = partsOf(value);
  const [m, d, y] = [Number(month), Number(day), Number(year)];
  if (!/^\d{4}$/.test(year) || m < 1 || m > 12 || d < 1 || d > daysIn(y, m)) return null;
  return [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-');
}
