import { expect, test } from 'vitest';
import {
  dayInWords,
  deadlineDay,
  easternDay,
  logInstant,
  relativeInstant,
  shortInstant,
  timeLeft,
  wholeInstant,
} from './dates.ts';

const la = 'America/Los_Angeles';
const kiritimati = 'Pacific/Kiritimati';
const now = Date.parse('2026-11-28T20:00:00Z');

test('a day of birth is the same day in every zone', () => {
  const { TZ } = process.env;
  for (const zone of ['Pacific/Honolulu', kiritimati]) {
    process.env.TZ = zone;
    expect(dayInWords('1990-01-31', 'en')).toBe('January 31, 1990');
  }
  process.env.TZ = TZ;
});

test.each([
  ['2026-11-28T20:00:00Z', 'just now'],
  ['2026-11-28T19:59:01Z', 'just now'],
  ['2026-11-28T20:00:30Z', 'in a moment'],
  ['2026-11-28T19:59:00Z', '1 minute ago'],
  ['2026-11-28T17:00:00Z', '3 hours ago'],
  ['2026-11-27T20:00:00Z', '1 day ago'],
  ['2026-11-30T20:00:00Z', 'in 2 days'],
  ['2026-11-21T20:00:00Z', null],
])('an instant of %s is %s', (at, words) => {
  expect(relativeInstant(at, now)).toBe(words);
});

test('an older instant is a date with its zone, and with its year where the reader has another', () => {
  expect(shortInstant('2026-11-20T07:30:00Z', now, la)).toBe('Nov 19, 11:30 PM PST');
  expect(shortInstant('2026-07-04T07:30:00Z', now, la)).toBe('Jul 4, 12:30 AM PDT');
  expect(shortInstant('2027-01-01T07:30:00Z', now, la)).toBe('Dec 31, 11:30 PM PST');
  expect(shortInstant('2027-01-01T08:00:00Z', now, la)).toBe('Jan 1, 2027, 12:00 AM PST');
  expect(shortInstant('2026-12-31T10:00:00Z', now, kiritimati)).toMatch(/^Jan 1, 2027, 12:00 AM/);
});

test('a log has seconds, and whoever points at an instant sees all of it', () => {
  expect(logInstant('2026-11-20T05:00:07Z', now, 'America/New_York')).toBe('Nov 20, 00:00:07');
  expect(wholeInstant('2026-11-20T05:00:07Z', la)).toBe(
    'Thursday, November 19, 2026 at 9:00:07 PM PST',
  );
});

test('a deadline is a day in Eastern Time for every reader, the one that midnight ends', () => {
  expect(deadlineDay('2027-01-02T05:00:00Z', now)).toBe('Fri, Jan 1, 2027, end of day ET');
  expect(deadlineDay('2027-01-01T05:00:00Z', now)).toBe('Thu, Dec 31, end of day ET');
  expect(deadlineDay('2026-07-02T04:00:00Z', now)).toBe('Wed, Jul 1, end of day ET');
  expect(deadlineDay('2026-12-01T22:00:00Z', now)).toBe('Tue, Dec 1, 5:00 PM ET');
});

test.each([
  ['34 days', '2027-01-02T05:00:00Z', now],
  ['9 hours', '2026-11-29T05:00:00Z', now],
  ['1 day', '2026-11-30T05:00:00Z', now],
  ['late by 8 days', '2026-11-21T05:00:00Z', now],
  // Clocks go back an hour on November 1, and forward on March 8.
  ['1 day', '2026-11-02T05:00:00Z', Date.parse('2026-10-31T04:30:00Z') + 86_400_000 - 3_600_000],
  ['7 days', '2026-03-15T04:00:00Z', Date.parse('2026-03-08T04:59:00Z')],
  ['less than a minute', '2026-11-28T20:00:30Z', now],
])('there are %s until %s', (left, at, from) => {
  expect(timeLeft(at, from)).toBe(left);
});

test('the Eastern day of an instant is the same for every reader', () => {
  expect(easternDay('2026-11-28T04:59:59Z')).toBe('2026-11-27');
  expect(easternDay('2026-11-28T05:00:00Z')).toBe('2026-11-28');
  expect(easternDay('2026-07-01T03:59:59Z')).toBe('2026-06-30');
});
