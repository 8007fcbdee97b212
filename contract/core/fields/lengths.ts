import { ownValue } from '../own_value.ts';

/** Lengths of time in words, and back. */

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** The spellings of units, as people write them. */
const spellings: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    units.flatMap(([name, size]) => [
      [name, size],
      [`${name}s`, size],
    ]),
  ),
  w: 604_800,
  week: 604_800,
  weeks: 604_800,
  d: 86_400,
  h: 3_600,
  hr: 3_600,
  hrs: 3_600,
  m: 60,
  min: 60,
  mins: 60,
  s: 1,
  sec: 1,
  secs: 1,
};

/** Every second of it: `3 days`, `1 hour 30 minutes`, `0 seconds`. */
export function lengthWords(seconds: number): string {
  let left = Math.abs(seconds);
  const said: string[] = [];
  for (const [name, size] of units) {
    const count = Math.floor(left / size);
    if (count > 0) said.push(`${count.toLocaleString('en-US')} ${name}${count === 1 ? '' : 's'}`);
    left -= count * size;
  }
  return said.join(' ') || '0 seconds';
}

const part = /^(\d[\d,]*(?:\.\d+)?)\s*([a-z]+)\s*(?:,|and\b)?\s*/;

/**
 * The seconds of a length as a person writes it: `15 minutes`, `1h 30m`, `0`.
 * @returns null where it says none: a number alone has no unit
 */
export function secondsOf(text: string): number | null {
  let left = text.trim().toLowerCase();
  if (left === '0') return 0;
  let seconds = 0;
  if (left === '') return null;
  while (left !== '') {
    const [whole = '', count = '', unit = ''] = part.exec(left) ?? [];
    const size = ownValue(spellings, unit);
    if (size === undefined) return null;
    seconds += Number(count.replaceAll(',', '')) * size;
    left = left.slice(whole.length);
  }
  return Number.isInteger(seconds) ? seconds : null;
}
