import { dateOf, shortInstant } from '../ui/dates.ts';

/** The time in the reader's zone: `Mar 2, 10:00 AM PST`. */
export const timeOf = (instant: string): string => shortInstant(instant, Date.now());

/** `May 31, 2026` */
export const dayOf = (instant: string): string => dateOf(instant, 'en');

const browsers = ['Edg', 'Firefox', 'Chrome', 'Safari'] as const;
const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'Mac'],
  ['Linux', 'Linux'],
] as const;

/** `Chrome, Windows`; null when it names none that is known. */
export function browserOf(userAgent: string): string | null {
  const browser = browsers.find((name) => userAgent.includes(name));
  const system = systems.find(([sign]) => userAgent.includes(sign))?.[1];
  const named = browser === 'Edg' ? 'Edge' : browser;
  return [named, system].filter(Boolean).join(', ') || null;
}
