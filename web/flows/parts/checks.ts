import type { Texts } from '../texts/en.ts';

/** Checks that the page makes; the service checks everything again. */

type Words = Texts['forms'];

export const digitsIn = (value: string): string => value.replace(/\D/g, '');

const youngestYears = 18;

/** @param now an instant or day of the Tenant's clock, which the service uses */
export function birthDateFault(value: string, now: string, words: Words): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value) || value < '1900') return words.badDate;
  const adultSince = `${Number(now.slice(0, 4)) - youngestYears}${now.slice(4, 10)}`;
  return value > adultSince ? words.tooYoung : undefined;
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
