import { type Day, type DayPart, dayParts, daysIn, isoDay, partsOf } from '../../ui/day.ts';
import { withLatinDigits } from '../../ui/latin_digits.ts';
import type { Texts } from '../texts/en.ts';

/** Checks that the page makes; the service checks everything again. */

type Words = Texts['forms'];

/** How the numbers are written: 123-45-6789 and 12-3456789. */
export const ssnGroups = [3, 2, 4];
export const einGroups = [2, 7];
export const taxNumberLength = 9;

export const digitsIn = (value: string): string => withLatinDigits(value).replace(/\D/g, '');

const youngestYears = 18;
const firstYear = 1900;

/** The fault of a date, and the part to be corrected. */
export interface DateFault {
  readonly part: DayPart;
  readonly text: string;
}

/** The first part that is missing or no part of a date. */
function partFault(day: Day, { date }: Words): DateFault | undefined {
  const lacks = dayParts.filter((part) => day[part] === '');
  if (lacks.length === dayParts.length) return { part: 'month', text: date.missing };
  const [part] = lacks;
  if (part) return { part, text: date.missingPart[part] };
  const [month, dayOfMonth, year] = [Number(day.month), Number(day.day), Number(day.year)];
  if (month < 1 || month > 12) return { part: 'month', text: date.badMonth };
  if (dayOfMonth < 1 || dayOfMonth > 31) return { part: 'day', text: date.badDay };
  if (day.year.length < 4) return { part: 'year', text: date.shortYear };
  if (year < firstYear) return { part: 'year', text: date.badYear };
  const days = daysIn(year, month);
  return dayOfMonth > days ? { part: 'day', text: date.daysOf(days, year) } : undefined;
}

/**
 * @param value as `day.ts` has it
 * @param now an instant or day of the Tenant's clock, which the service uses
 */
export function birthDateFault(value: string, now: string, words: Words): DateFault | undefined {
  const fault = partFault(partsOf(value), words);
  if (fault) return fault;
  const born = isoDay(value) ?? '';
  if (born > now.slice(0, 10)) return { part: 'year', text: words.date.badYear };
  const adultSince = `${Number(now.slice(0, 4)) - youngestYears}${now.slice(4, 10)}`;
  return born > adultSince ? { part: 'year', text: words.tooYoung } : undefined;
}

const isRun = (pin: string, step: number): boolean =>
  [...pin].every((digit, at) => at === 0 || Number(digit) - Number(pin[at - 1]) === step);

/** Six digits, neither a row nor a repetition, by the same rule as the service. */
export function pinFault(pin: string, words: Words): string | undefined {
  if (!/^\d{6}$/.test(pin)) return words.pinLength;
  if (isRun(pin, 1) || isRun(pin, -1)) return words.pinRun;
  return /^(\d{1,3})\1+$/.test(pin) ? words.pinRepetition : undefined;
}

/** The first dot within the domain is looked for, so that no text takes more than linear time. */
export const isEmail = (value: string): boolean => /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/.test(value);

/** A US number in E.164; null when it is not one. */
export function mobileOf(value: string): string | null {
  const digits = digitsIn(value).replace(/^1(?=\d{10}$)/, '');
  return digits.length === 10 ? `+1${digits}` : null;
}

/** A postal code as `12345` or `12345-6789`; null when it is not one. */
export function postalCodeOf(value: string): string | null {
  const digits = digitsIn(value);
  if (digits.length === 5) return digits;
  return digits.length === 9 ? `${digits.slice(0, 5)}-${digits.slice(5)}` : null;
}

/** An error text for every empty field, by name. */
export function missing<K extends string>(
  values: Readonly<Record<K, string>>,
  labels: Readonly<Partial<Record<K, string>>>,
  words: Words,
): Partial<Record<K, string>> {
  const faults: Partial<Record<K, string>> = {};
  for (const [name, label] of Object.entries(labels) as [K, string][])
    if (values[name].trim() === '') faults[name] = words.missing(label);
  return faults;
}
