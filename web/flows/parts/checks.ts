import type { Texts } from '../texts/en.ts';

/** What a page can tell without asking: the service judges the rest, and all of it again. */

type Words = Texts['forms'];

export const digitsIn = (value: string): string => value.replace(/\D/g, '');

const youngestYears = 18;

/** @param now an instant or day of the tenant's clock, as the service judges it */
export function birthDateFault(value: string, now: string, words: Words): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value) || value < '1900') return words.badDate;
  const adultSince = `${Number(now.slice(0, 4)) - youngestYears}${now.slice(4, 10)}`;
  return value > adultSince ? words.tooYoung : undefined;
}

const isRun = (pin: string, step: number): boolean =>
  [...pin].every((digit, at) => at === 0 || Number(digit) - Number(pin[at - 1]) === step);

/** Six digits that are no run and no repetition, as the service has it. */
export function pinFault(pin: string, words: Words): string | undefined {
  if (!/^\d{6}$/.test(pin)) return words.pinLength;
  if (isRun(pin, 1) || isRun(pin, -1)) return words.pinRun;
  return /^(\d{1,3})\1+$/.test(pin) ? words.pinRepetition : undefined;
}

export const isEmail = (value: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value);

/** A number as it is dialled in the United States, as the service takes it; null: it is none. */
export function mobileOf(value: string): string | null {
  const digits = digitsIn(value).replace(/^1(?=\d{10}$)/, '');
  return digits.length === 10 ? `+1${digits}` : null;
}

/** A postal code as it is stored: `12345` or `12345-6789`; null: it is none. */
export function postalCodeOf(value: string): string | null {
  const digits = digitsIn(value);
  if (digits.length === 5) return digits;
  return digits.length === 9 ? `${digits.slice(0, 5)}-${digits.slice(5)}` : null;
}

/** Every field that is empty, by name, in words. */
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
