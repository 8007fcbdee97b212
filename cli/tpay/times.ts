import { zonedTime } from '../clock_words.ts';
import { UsageError } from '../terminal.ts';

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** `90s`, `10m`, `1h30m`, `2d` in seconds; null: it is of another form. */
export function durationOf(text: string): number | null {
  if (!/^(\d{1,9}[smhd])+$/.test(text)) return null;
  const parts = [...text.matchAll(/(\d{1,9})([smhd])/g)];
  return parts.reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (secondsOf[unit] ?? 0),
    0,
  );
}

/** @throws UsageError for another form */
export function checkedDuration(what: string, text: string): number {
  const seconds = durationOf(text);
  if (seconds !== null && seconds > 0) return seconds;
  throw new UsageError(`${what} ${text} is no duration`, `Give 90s, 10m, 2h30m or 3d.`);
}

/** An instant: a date and time with a zone. @throws UsageError for another form */
export function checkedTime(what: string, text: string): string {
  if (zonedTime.test(text) && !Number.isNaN(Date.parse(text))) return new Date(text).toISOString();
  const hint = 'Give 10m, 2h or 3d, or a time with its zone: 2026-12-01T06:00:00Z.';
  throw new UsageError(`${what} ${text} is neither a duration nor a time with its zone`, hint);
}

/** A time that is given as such, or as so long before another. */
export function timeBefore(what: string, text: string, now: string): string {
  const seconds = durationOf(text);
  return seconds === null
    ? checkedTime(what, text)
    : new Date(Date.parse(now) - seconds * 1_000).toISOString();
}
