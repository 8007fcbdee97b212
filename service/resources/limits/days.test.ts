import { expect, test } from 'vitest';
import { addDays, blockStart, easternDay, lastDaily, nextDaily, startOfDay } from './days.ts';

test.each([
  ['2026-01-15T04:59:59.999Z', '2026-01-14'],
  ['2026-01-15T05:00:00.000Z', '2026-01-15'],
  ['2026-07-15T03:59:59.999Z', '2026-07-14'],
  ['2026-07-15T04:00:00.000Z', '2026-07-15'],
  // Daylight saving time begins on 8 March 2026 and ends on 1 November 2026.
  ['2026-03-08T04:59:59.999Z', '2026-03-07'],
  ['2026-03-09T04:00:00.000Z', '2026-03-09'],
  ['2026-11-01T04:00:00.000Z', '2026-11-01'],
  ['2026-11-02T04:30:00.000Z', '2026-11-01'],
])('%s lies in the Eastern Time day %s', (instant, day) => {
  expect(easternDay(instant)).toBe(day);
  expect(easternDay(instant)).toBe(day);
});

test('a day begins at midnight Eastern Time, also on a day of 23 or 25 hours', () => {
  expect(startOfDay('2026-03-08')).toBe('2026-03-08T05:00:00.000Z');
  expect(startOfDay('2026-03-09')).toBe('2026-03-09T04:00:00.000Z');
  expect(startOfDay('2026-11-02')).toBe('2026-11-02T05:00:00.000Z');
});

test.each([
  ['2026-01-31', '2026-01-31', '2026-01-31'],
  ['2026-01-31', '2026-03-01', '2026-01-31'],
  ['2026-01-31', '2026-03-02', '2026-03-02'],
  ['2026-01-31', '2027-01-31', '2027-01-26'],
])('blocks of 30 days follow each other from %s: %s is in that of %s', (first, day, start) => {
  expect(blockStart(first, day, 30)).toBe(start);
  expect(blockStart(first, addDays(start, 29), 30)).toBe(start);
});

test.each([
  ['23:30', '2026-01-15T12:00:00.000Z', '2026-01-16T04:30:00.000Z'],
  ['23:30', '2026-01-16T04:30:00.000Z', '2026-01-17T04:30:00.000Z'],
  ['00:00', '2026-03-08T12:00:00.000Z', '2026-03-09T04:00:00.000Z'],
  ['23:30', '2026-11-01T12:00:00.000Z', '2026-11-02T04:30:00.000Z'],
])('it is next %s in Eastern Time after %s at %s', (time, now, next) => {
  expect(nextDaily(time, now)).toBe(next);
});

test.each([
  ['23:30', '2026-01-15T12:00:00.000Z', '2026-01-15T04:30:00.000Z'],
  ['23:30', '2026-01-16T04:30:00.000Z', '2026-01-16T04:30:00.000Z'],
  ['23:30', '2026-01-16T07:00:00.000Z', '2026-01-16T04:30:00.000Z'],
  ['00:00', '2026-03-08T12:00:00.000Z', '2026-03-08T05:00:00.000Z'],
  ['23:30', '2026-11-02T04:29:59.999Z', '2026-11-01T03:30:00.000Z'],
])('it was last %s in Eastern Time at or before %s at %s', (time, now, last) => {
  expect(lastDaily(time, now)).toBe(last);
});
