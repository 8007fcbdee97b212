import { describe, expect, test } from 'vitest';
import {
  businessDaysAfter,
  easternTime,
  endOfDay,
  isBusinessDay,
  reserveHolidays,
} from './business_days.ts';

/** The days published by the Federal Reserve Banks: a holiday on a Saturday closes no other day. */
const published: Readonly<Record<number, string>> = {
  2024: '01-01 01-15 02-19 05-27 06-19 07-04 09-02 10-14 11-11 11-28 12-25',
  2025: '01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25',
  2026: '01-01 01-19 02-16 05-25 06-19 09-07 10-12 11-11 11-26 12-25',
  2027: '01-01 01-18 02-15 05-31 07-05 09-06 10-11 11-11 11-25',
  2028: '01-17 02-21 05-29 06-19 07-04 09-04 10-09 11-23 12-25',
  2029: '01-01 01-15 02-19 05-28 06-19 07-04 09-03 10-08 11-12 11-22 12-25',
};

test.each(Object.entries(published))('the Reserve Banks are closed in %s on %s', (year, days) => {
  const expected = days.split(' ').map((day) => `${year}-${day}`);
  expect([...reserveHolidays(Number(year))].sort()).toEqual(expected);
});

/** Computed a second way: each day of the year by JavaScript's own weekdays. */
function closedInYear(year: number): Set<string> {
  const closed = new Set<string>();
  const seen: Record<string, number> = {};
  for (let at = Date.UTC(year, 0, 1); at < Date.UTC(year + 1, 0, 1); at += 86_400_000) {
    const date = new Date(at);
    const [month, day, weekday] = [date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCDay()];
    const key = `${month} ${weekday}`;
    seen[key] = (seen[key] ?? 0) + 1;
    const isLast = new Date(at + 7 * 86_400_000).getUTCMonth() + 1 !== month;
    const isFloating =
      (weekday === 1 &&
        ((month === 1 && seen[key] === 3) ||
          (month === 2 && seen[key] === 3) ||
          (month === 5 && isLast) ||
          (month === 9 && seen[key] === 1) ||
          (month === 10 && seen[key] === 2))) ||
      (weekday === 4 && month === 11 && seen[key] === 4);
    const isFixed = ['1 1', '6 19', '7 4', '11 11', '12 25'].includes(`${month} ${day}`);
    const text = date.toISOString().slice(0, 10);
    if (isFloating || (isFixed && weekday >= 1 && weekday <= 5)) closed.add(text);
    if (isFixed && weekday === 0) closed.add(new Date(at + 86_400_000).toISOString().slice(0, 10));
  }
  return closed;
}

test('the holidays of 2024 to 2040 agree with a second computation', () => {
  for (let year = 2024; year <= 2040; year += 1)
    expect([year, [...reserveHolidays(year)].sort()]).toEqual([
      year,
      [...closedInYear(year)].sort(),
    ]);
});

describe('business days', () => {
  test('exclude weekends and holidays', () => {
    expect(['2026-07-03', '2026-07-04', '2026-07-05', '2026-07-06'].map(isBusinessDay)).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect(['2027-07-05', '2028-12-31', '2029-01-01'].map(isBusinessDay)).toEqual([
      false,
      false,
      false,
    ]);
  });

  test.each([
    ['2026-01-16', 1, '2026-01-20'],
    ['2026-01-17', 1, '2026-01-20'],
    ['2026-01-20', 10, '2026-02-03'],
    ['2026-01-20', 20, '2026-02-18'],
    ['2026-12-24', 5, '2027-01-04'],
  ])('after %s the %sth is %s', (day, count, expected) => {
    expect(businessDaysAfter(day, count)).toBe(expected);
  });

  test('begin and end by New York time, also when daylight saving time changes', () => {
    expect(easternTime('2026-03-06', '09:00')).toBe('2026-03-06T14:00:00.000Z');
    expect(easternTime('2026-03-09', '09:00')).toBe('2026-03-09T13:00:00.000Z');
    expect(endOfDay('2026-03-08')).toBe('2026-03-09T04:00:00.000Z');
    expect(endOfDay('2026-11-01')).toBe('2026-11-02T05:00:00.000Z');
  });
});
