import { expect, test } from 'vitest';
import { forwardedLateDays, lateDaysOf, type Notice } from './regulation_e.ts';

/** Edges of business days and of the sixty days, in Eastern Time (rules/disputes#41, #42). */

test.each([
  ['the same minute', '2026-03-11T15:00:00Z', '2026-03-11T15:00:00Z', 0],
  [
    'the last millisecond of the next business day',
    '2026-03-11T15:00Z',
    '2026-03-13T03:59:59.999Z',
    0,
  ],
  ['the first millisecond after it', '2026-03-11T15:00Z', '2026-03-13T04:00:00.000Z', 1],
  ['Friday, forwarded on Monday', '2026-03-13T15:00Z', '2026-03-17T03:59:59.999Z', 0],
  ['Friday, forwarded on Tuesday', '2026-03-13T15:00Z', '2026-03-17T04:00:00.000Z', 1],
  ['Thursday, forwarded on Saturday', '2026-03-12T15:00Z', '2026-03-14T16:00Z', 1],
  ['Saturday, forwarded on Monday', '2026-03-14T15:00Z', '2026-03-16T16:00Z', 0],
  ['Sunday, forwarded on Tuesday', '2026-03-15T15:00Z', '2026-03-17T16:00Z', 1],
  ['Friday before a Monday without banks', '2026-01-16T15:00Z', '2026-01-21T04:59:59.999Z', 0],
  ['the same, a day later', '2026-01-16T15:00Z', '2026-01-21T05:00:00.000Z', 1],
  ['before Thanksgiving, on the Friday after it', '2026-11-25T15:00Z', '2026-11-27T16:00Z', 0],
  ['a holiday on a Saturday leaves Friday open', '2026-07-02T15:00Z', '2026-07-03T16:00Z', 0],
  ['the same, on the Saturday', '2026-07-02T15:00Z', '2026-07-04T16:00Z', 1],
  ['a holiday on a Sunday closes Monday', '2027-07-02T15:00Z', '2027-07-06T16:00Z', 0],
  [
    'late in the evening of New York, a day later in UTC',
    '2026-03-12T03:30Z',
    '2026-03-13T03:30Z',
    0,
  ],
  ['the week in which the clocks change', '2026-03-06T23:30-05:00', '2026-03-10T00:00-04:00', 1],
  ['a whole month', '2026-03-02T15:00Z', '2026-04-02T16:00Z', 30],
])('a notice received and forwarded: %s', (_when, receivedAt, forwardedAt, days) => {
  const instant = (text: string) => new Date(text).toISOString();
  expect(forwardedLateDays(instant(receivedAt), instant(forwardedAt))).toBe(days);
});

const notice: Notice = {
  type: 'error',
  receivedAt: '2026-06-01T04:00:00.000Z',
  isIndividual: true,
  movement: {
    postedAt: '2026-03-10T15:00:00.000Z',
    statementAt: '2026-04-01T10:00:00.000Z',
    isPaymentByBank: false,
  },
};

test('a notice is late from the first instant after the sixtieth day', () => {
  const late = (receivedAt: string) => lateDaysOf({ ...notice, receivedAt });
  expect(late('2026-06-01T03:59:59.999Z')).toBe(0);
  expect(late('2026-06-01T04:00:00.000Z')).toBe(1);
  expect(late('2026-06-30T16:00:00.000Z')).toBe(30);
});

test('what Regulation E does not cover, or no statement shows, is never late', () => {
  const { movement } = notice;
  if (!movement) throw new Error('the notice has a movement');
  for (const change of [
    { type: 'purchase_dispute' },
    { isIndividual: false },
    { movement: null },
    { movement: { ...movement, statementAt: null } },
    { movement: { ...movement, isPaymentByBank: true } },
  ] as const)
    expect(lateDaysOf({ ...notice, ...change })).toBe(0);
});
