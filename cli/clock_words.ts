import type { Clock } from '@tenant-payments/backoffice/contract/sandbox/clock.ts';

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A duration as text in its two largest units: `3 days 4 hours`. */
function durationText(seconds: number): string {
  const words: string[] = [];
  let rest = Math.round(seconds);
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) words.push(`${count} ${unit}${count === 1 ? '' : 's'}`);
  }
  return words.slice(0, 2).join(' ');
}

/** The Tenant's time, and how far it is from real time. */
export function timeText({ now, real_now: realNow }: Clock): string {
  const ahead = (Date.parse(now) - Date.parse(realNow)) / 1000;
  return ahead < 1
    ? `${now}, which is real time`
    : `${now}, ${durationText(ahead)} ahead of real time`;
}

/** Without a zone it would mean another instant on another machine. */
export const zonedTime = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/;
